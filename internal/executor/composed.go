package executor

import (
	"context"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// compose executes the steps of a composite and takes from each the columns it changes. Steps that work in the leaves
// of one tree share the routing of the records.
func compose(
	ctx context.Context,
	c protect.Composite,
	t *table.Table,
	src rng.Source,
	opt protect.Options,
	m *meter,
) (*table.Table, error) {
	routed := map[*tree.Tree][]int32{}
	defer func() {
		for _, leaf := range routed {
			mmap.Free(t.Space(), leaf)
		}
	}()
	out := t
	for k, step := range c.Steps() {
		got, err := applyStep(ctx, step, routed, t, src.Fork(protect.StepLabel(k)), opt, m)
		if err != nil {
			return nil, err
		}
		if out, err = take(out, got, step.Changes()); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// applyStep executes one step; routed holds the leaves of the records in the trees met so far.
func applyStep(
	ctx context.Context,
	step protect.Plan,
	routed map[*tree.Tree][]int32,
	t *table.Table,
	src rng.Source,
	opt protect.Options,
	m *meter,
) (
	*table.Table, error) {
	l, ok := step.(protect.LeafPlan)
	if !ok || l.Segmentation() == nil {
		return execute(ctx, step, t, src, opt, m)
	}
	tr := l.Segmentation().Trees[0]
	if _, ok := routed[tr]; !ok {
		leaf, err := route(ctx, l, t, opt)
		if err != nil {
			return nil, err
		}
		routed[tr] = leaf
	}
	return run(ctx, l, routed[tr], t, src, opt, m)
}

// route returns the leaves of the records in the tree of a plan that has one.
func route(ctx context.Context, p protect.LeafPlan, t *table.Table, opt protect.Options) ([]int32, error) {
	tr := p.Segmentation().Trees[0]
	if err := protect.Conforms(t, tr.Attrs); err != nil {
		return nil, err
	}
	leaf := mmap.Make[int32](t.Space(), t.Rows())
	return leaf, chunked(ctx, t.Rows(), opt, nil, func(_, lo, hi int) error {
		tr.Route(t.Slice(lo, hi), leaf[lo:hi])
		return nil
	})
}
