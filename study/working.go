package study

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/limit"
)

// This file judges how a technique works: only a choice among techniques measures that.

// Worked holds a figure of how a technique works, with its interval, against the limit on it. A figure that is NaN was not measured, for the reason why, and
// shows nothing.
func Worked(l *limit.Limit, value, lo, hi float64, why string) Demand {
	d := bare(l)
	if math.IsNaN(value) {
		d.Standing, d.Why = Unproven, why
		return d
	}
	d.figures(value, lo, hi)
	if d.Standing == Unproven {
		d.Why = "its interval reaches across the limit, so nothing shows that the limit is kept"
	}
	return d
}

// worked judges a limit on how the technique works; it is false where nobody measured that.
func (j *judging) worked(l *limit.Limit) (judged bool) {
	k := slices.IndexFunc(j.e.Worked, func(d Demand) bool { return d.Measure == l.Measure })
	if k < 0 {
		j.v.Unchecked = append(slices.Clone(j.v.Unchecked), fmt.Sprintf("the limit on %s, of a technique: dither choose measures it", l.Measure))
		return false
	}
	j.v.Demands = append(j.v.Demands, j.e.Worked[k])
	return true
}

// units are those of works.
var units = map[string]string{limit.Seconds: "s", limit.Memory: "MB"}

// works says how a technique works, by the name of a limit; V stands for the figure with its interval.
var works = map[string]string{
	limit.Seconds: "it takes V s to fit the technique and to apply it to the whole table",
	limit.Growth:  "its time grows with a power of V of the records",
	limit.Memory:  "it takes V MB besides the table",
}
