package itemwise

import (
	"context"

	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// MaskTechnique holds the parameters of MASK.
type MaskTechnique struct {
	P float64 // probability that an item is told as it is
	named.SetColumns
}

// newMask returns the technique with p = 0.9, the paper's choice.
func newMask() *MaskTechnique { return param.Default(&MaskTechnique{}) }

// Params declares the parameters.
func (q *MaskTechnique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.P, "p", 0.9, 0, 1, "", "probability of reporting truthfully whether an item is present; 0.5 "+
			"reveals nothing"),
	}, q.SetColumns.Params()...)
}

// Fit chooses the columns.
func (q *MaskTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	return fit(ctx, t, &q.SetColumns, Plan{P: q.P, Q: q.P, does: flipped})
}

// EMaskTechnique holds the parameters of EMASK.
type EMaskTechnique struct {
	P float64 // probability that an item that is there stays
	Q float64 // probability that one that is not there stays away
	named.SetColumns
}

// newEMask returns the technique with p = 0.5 and q = 0.97, which is as private as MASK with p = 0.9 where items are
// rare.
func newEMask() *EMaskTechnique { return param.Default(&EMaskTechnique{}) }

// Params declares the parameters.
func (q *EMaskTechnique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.P, "p", 0.5, 0, 1, "", "probability that a present item stays"),
		param.Float(&q.Q, "q", 0.97, 0, 1, "", "probability that an absent item stays absent; p + q = 1 reveals nothing"),
	}, q.SetColumns.Params()...)
}

// Fit chooses the columns.
func (q *EMaskTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	return fit(ctx, t, &q.SetColumns, Plan{P: q.P, Q: q.Q, does: keptOrAdded})
}

// fit fills in the plan for the columns chosen.
func fit(ctx context.Context, t *table.Table, c *named.SetColumns, plan Plan) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	columns, err := c.Of(t)
	if err != nil {
		return nil, err
	}
	plan.Attrs, plan.Columns, plan.Records = t.Attrs(), columns, t.Rows()
	for _, j := range columns {
		cells := float64(float64(t.Rows()) * float64(len(t.Attr(j).Labels)))
		plan.Support = append(plan.Support, float64(len(t.Sets(j).Present.All()))/max(1, cells))
	}
	return &plan, nil
}
