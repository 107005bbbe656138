package study

import (
	"math"
	"slices"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
)

// This file judges how a technique works: only a choice among techniques measures that.

// Worked holds a figure of how a technique works, with its interval, against the limit on it. A figure that is NaN was
// not measured, for the reason why, and shows nothing.
func Worked(l *limit.Limit, value, lo, hi float64, why message.Sentence) Demand {
	d := bare(l)
	if math.IsNaN(value) {
		d.Standing, d.Why = Unproven, why
		return d
	}
	d.figures(value, lo, hi)
	if d.Standing == Unproven {
		d.Why = message.Say("lacking.across")
	}
	return d
}

// worked judges a limit on how the technique works; it is false where nobody measured that.
func (j *judging) worked(l *limit.Limit) (judged bool) {
	k := slices.IndexFunc(j.e.Worked, func(d Demand) bool { return d.Measure == l.Measure })
	if k < 0 {
		j.v.Unchecked = append(j.v.Unchecked, message.Say("lacking.technique").Name("measure", l.Measure))
		return false
	}
	j.v.Demands = append(j.v.Demands, j.e.Worked[k])
	return true
}

// units are those of limits on how a technique works.
var units = map[string]message.Sentence{
	limit.Seconds: message.Say("unit.seconds"),
	limit.Memory:  message.Say("unit.megabytes"),
}
