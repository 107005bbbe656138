package trees

import (
	"context"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/segment/tree"
)

// What is grown on a table.
const (
	ForestModel = "forest" // by SysFor
	TreeModel   = "tree"   // by C4.5
)

// Model is the model builder of a measure that compares forests: SysFor, or C4.5 for a forest of one tree. A measure
// embeds it for its parameters.
type Model struct {
	forests.SysForLearner
	Model string // forest or tree
}

// Params declares the parameters: which model, and those of SysFor, of which a single tree takes cf and minLeaf.
func (m *Model) Params() param.Set {
	return append(param.Set{
		param.Choice(&m.Model, "model", ForestModel, []string{ForestModel, TreeModel},
			"model to grow on a table: a SysFor forest, or a single C4.5 tree (uses cf and minLeaf)"),
	}.Shared(), m.SysForLearner.Params()...)
}

// tree returns C4.5 with the settings that the model has for it.
func (m *Model) tree() Learner {
	l := param.Default(&Learner{})
	l.CF, l.MinLeaf, l.Workers = m.CF, m.MinLeaf, m.Workers
	return *l
}

// Models returns the models of the original and of the released table. Cost: as Forests or Of, with which they are
// shared.
func Models(ctx context.Context, r *measure.Release, m Model) (original, released *tree.Forest, err error) {
	if m.Model != TreeModel {
		return Forests(ctx, r, m.SysForLearner)
	}
	a, b, err := Of(ctx, r, m.tree())
	if err != nil {
		return nil, nil, err
	}
	return tree.One(a), tree.One(b), nil
}

// OriginalModel returns the model of the original table.
func OriginalModel(ctx context.Context, r *measure.Release, m Model) (*tree.Forest, error) {
	if m.Model != TreeModel {
		return OriginalForest(ctx, r, m.SysForLearner)
	}
	t, err := Original(ctx, r, m.tree())
	if err != nil {
		return nil, err
	}
	return tree.One(t), nil
}
