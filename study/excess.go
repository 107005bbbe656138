package study

import (
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// Excess is records that a plan suppresses in another table than its own, more than were to be.
type Excess struct{ Lost, Most, Records int }

// ExcessOf holds what a plan suppresses against the parameters that it was fitted with; nil where it suppresses no
// more, or has no such limit. Cost: that of protect.Suppressing.
func ExcessOf(p protect.Plan, original, released *table.Table, params []param.Value) *Excess {
	s, ok := p.(protect.Suppressing)
	if !ok {
		return nil
	}
	if lost, most := s.Suppressed(original, released, params); lost > most {
		return &Excess{lost, most, released.Rows()}
	}
	return nil
}
