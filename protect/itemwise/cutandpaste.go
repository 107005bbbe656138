package itemwise

import (
	"context"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// CutTechnique holds the parameters of cut-and-paste.
type CutTechnique struct {
	Most int     // the most items that are cut
	Rho  float64 // probability that any other is pasted
	named.SetColumns
}

// newCutAndPaste returns the technique with most = 3 and rho = 0.2.
func newCutAndPaste() *CutTechnique { return param.Default(&CutTechnique{}) }

// Params declares the parameters.
func (q *CutTechnique) Params() param.Set {
	return append(param.Set{
		param.Int(&q.Most, "most", 3, 0, 1000, "items",
			"largest number of items of a record to keep for certain; the number is uniform from 0"),
		param.Float(&q.Rho, "rho", 0.2, 0, 1, "",
			"probability of including any other item, whether in the record or not; 1 reveals nothing"),
	}, q.SetColumns.Params()...)
}

// Fit chooses the columns, and counts the items of the records.
func (q *CutTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p := &Cut{}
	err := p.fit(ctx, t, &q.SetColumns, func(_ context.Context, items []int) (out []modelfile.Operator, _ error) {
		for _, m := range items {
			most := q.Most
			out = append(out, modelfile.Operator{Items: m, Most: &most, Rho: q.Rho})
		}
		return out, nil
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Cut is the plan of cut-and-paste.
type Cut struct{ Sized }

// Describe says what the plan does.
func (p *Cut) Describe() message.Sentence { return message.Say("does.cutandpaste") }
