package study

import (
	"strings"

	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/stages"
	"github.com/dither-data/dither/table"
)

// Excess is records that a plan suppresses in another table than its own, more than were to be.
type Excess struct{ Lost, Most, Records int }

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
