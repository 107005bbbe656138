package study

import (
	"strings"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/stages"
	"github.com/dither-data/dither/table"
)

// Excess is records that a plan suppresses in another table than its own, more than were to be.
type Excess struct{ Lost, Most, Records int }

// share of the records that so many are.
func (x *Excess) share(n int) float64 { return float64(n) / float64(max(1, x.Records)) }

// suppressed withholds a release of which a plan suppresses more than it was to. It holds beside whatever limits were
// asked for. Where none are by name, it is a matter of care.
func (j *judging) suppressed(l *limit.Limit) {
	x := j.Excess
	if x == nil {
		return
	}
	says := message.Say("demand.suppressed").Count("n", x.Lost).Count("of", x.Records).Count("most", x.Most)
	if j.e.Limits.Name == limit.None {
		j.care(says, message.Say("remedy.suppressed"), nil)
		return
	}
	d := bare(l)
	if d.Unit, d.Usual, d.said = measure.In(measure.Share, message.Say("unit.ofRecords")), true, says; l.Accepted {
		d.was.Max = new(x.share(x.Most))
	}
	d.figures(x.share(x.Lost), x.share(x.Lost), x.share(x.Lost))
	j.v.Demands = append(j.v.Demands, d)
}

// ExcessOf holds what a plan, or one of its stages, suppresses against the parameters that it was fitted with; nil
// where none suppresses more, or has such a limit. Of stages the first that does is told, by what the last one
// releases. Cost: that of protect.Suppressing.
func ExcessOf(p protect.Plan, original, released *table.Table, params []param.Value) *Excess {
	if q, ok := p.(protect.Sequence); ok {
		for k, inner := range q.Inner() {
			if x := ExcessOf(inner, original, released, ofStage(params, stages.Prefix(k+1))); x != nil {
				return x
			}
		}
	}
	s, ok := p.(protect.Suppressing)
	if !ok {
		return nil
	}
	if lost, most := s.Suppressed(original, released, params); lost > most {
		return &Excess{lost, most, released.Rows()}
	}
	return nil
}

// ofStage are the parameters of a stage, by their own names.
func ofStage(params []param.Value, prefix string) (out []param.Value) {
	for _, v := range params {
		if name, ok := strings.CutPrefix(v.Name, prefix); ok {
			v.Name = name
			out = append(out, v)
		}
	}
	return out
}
