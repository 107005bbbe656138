package execute

import (
	"context"
	"strings"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/text/numfmt"
)

// between releases the rare numbers that the plan takes from those of the original between their neighbours, and says
// so.
func (d *draw) between(ctx context.Context) error {
	b := executor.Between{
		Plan:     d.plan,
		Original: d.original,
		Routes:   func() (*executor.Routes, error) { return d.segments(ctx) },
		Draws:    d.anew.Fork("between"),
		Identity: d.identity,
	}
	var err error
	if d.released, err = b.Release(ctx, d.released); err != nil || len(b.Columns) == 0 {
		return err
	}
	d.notes = append(d.notes, numfmt.Sprintf("the technique takes numbers from the original: those that fewer than %d "+
		"have are released between their neighbours, so that nobody is recognised by an exact value, in %s "+
		"(exact=true releases them as they are)", b.Least, strings.Join(b.Columns, ", ")))
	return nil
}
