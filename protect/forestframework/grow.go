package forestframework

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// What grows the forest.
const (
	BySysFor = "sysfor"
	ByCredal = "credal"
)

// Intersections is the segmentation by the intersections of the leaves of a forest for the class.
type Intersections struct {
	Forest                *tree.Forest // nil: grow one
	Builder               string       // sysfor | credal
	FitRows               int          // forests are grown on at most so many records, drawn by the seed; 0: all
	forests.SysForLearner              // its Trees and Voting serve both builders
	Credal                forests.CredalLearner
}

// Params declares the parameters: those of the builders, and how many records they learn from.
func (g *Intersections) Params() param.Set {
	return param.Merge(param.Set{
		param.Choice(&g.Builder, "builder", BySysFor, []string{BySysFor, ByCredal},
			"algorithm for the forest: SysFor, or an ensemble of credal trees (uses trees, voting and s)"),
		param.Int(&g.FitRows, "fitRows", 50_000, 0, math.MaxInt32, "records",
			"grow forests on at most this many random records and recount on all; 0: all"),
	}, g.SysForLearner.Params(), g.Credal.Params())
}

// Segment returns the forest handed over, or grows one for the class. The trees handed over must have been fitted on
// the attributes of t.
func (g *Intersections) Segment(ctx context.Context, t *table.Table, src rng.Source) (*tree.Forest, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if g.Forest == nil {
		return g.plant(ctx, t, src)
	}
	for _, tr := range g.Forest.Trees {
		if err := protect.Conforms(t, tr.Attrs); err != nil {
			return nil, fmt.Errorf("the forest handed over: %w", err)
		}
	}
	return g.Forest, nil
}

// plant grows a forest on a sample of the records and counts it on all.
func (g *Intersections) plant(ctx context.Context, t *table.Table, src rng.Source) (*tree.Forest, error) {
	class, err := protect.ClassOf(t)
	if err != nil {
		return nil, err
	}
	sample, err := aggregate.Over(t, src).Sample(ctx, g.FitRows, "sample")
	if err != nil {
		return nil, err
	}
	var f *tree.Forest
	if g.Builder == ByCredal {
		l := g.Credal
		l.Trees, l.Voting, l.Workers = g.Trees, g.Voting, g.Workers
		f, err = l.Grow(ctx, sample, class)
	} else {
		l := g.SysForLearner
		l.MinLeaf = leafwise.Share(l.MinLeaf, sample.Rows(), t.Rows())
		f, err = l.Grow(ctx, sample, class)
	}
	if err != nil || sample.Rows() == t.Rows() {
		return f, err
	}
	for _, tr := range f.Trees {
		tr.Recount(t)
	}
	return f, nil
}
