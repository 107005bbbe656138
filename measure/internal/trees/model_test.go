package trees_test

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/param"
)

func TestModels(t *testing.T) {
	ctx := context.Background()
	r := measuretest.Release(false).Working()
	m := *param.Default(&trees.Model{})
	forest, released, err := trees.Models(ctx, r, m)
	must.NoError(t, err)
	if len(forest.Trees) != 3 || len(released.Trees) == 0 {
		t.Errorf("forests of %d and %d trees", len(forest.Trees), len(released.Trees))
	}
	m.Model = "tree"
	one, other, err := trees.Models(ctx, r, m)
	must.NoError(t, err)
	l := *param.Default(&trees.Learner{})
	a, b, err := trees.Of(ctx, r, l)
	must.NoError(t, err)
	if len(one.Trees) != 1 || one.Trees[0] != a || other.Trees[0] != b {
		t.Error("the model tree is not the C4.5 tree of the same settings")
	}
	if alone, err := trees.OriginalModel(ctx, r, m); err != nil || alone.Trees[0] != a {
		t.Errorf("OriginalModel grows another tree, %v", err)
	}
	m.MinLeaf = 60
	if large, err := trees.OriginalModel(ctx, r, m); err != nil || large.Trees[0] == a {
		t.Errorf("minLeaf is not heeded, %v", err)
	}
}
