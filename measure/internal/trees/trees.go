// Package trees learns the trees and forests that measures compare, one of the original table and one of the release.
//
// Growing them is the costly part of such a measure. They are kept in the release's memo, so measures with equal
// settings share them, and all releases of an original share its tree.
package trees

import (
	"context"
	"errors"
	"fmt"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Learner is the tree builder of a measure that compares trees: C4.5 with the minimum leaf by the size of the table. A
// measure embeds it for its parameters.
type Learner struct{ c45.Learner }

// Params declares the parameters of C4.5, with minLeaf 0 (c45.Auto) as the default.
func (l *Learner) Params() param.Set {
	set := l.Learner.Params()
	for i := range set {
		if set[i].Name == "minLeaf" {
			set[i].Default = 0
		}
	}
	return set
}

// Of returns the trees of the original and of the released table. Measures with equally set learners share them.
// Cost: that of growing two trees, once per release and setting.
func Of(ctx context.Context, r *measure.Release, l Learner) (original, released *tree.Tree, err error) {
	if original, err = Original(ctx, r, l); err != nil {
		return nil, nil, err
	}
	if r.Released == r.Original {
		return original, original, nil
	}
	released, err = measure.PerRelease(r, fmt.Sprintf("tree %+v", l), func(r *measure.Release) (*tree.Tree, error) {
		return grow(ctx, "released", r.Released, l.Learner.Grow)
	})
	return original, released, err
}

// Original returns the tree of the original table.
func Original(ctx context.Context, r *measure.Release, l Learner) (*tree.Tree, error) {
	return measure.PerOriginal(r, fmt.Sprintf("tree %+v", l), func(t *table.Table) (*tree.Tree, error) {
		return grow(ctx, "original", t, l.Learner.Grow)
	})
}

// grow learns from a table for its class.
func grow[T any](
	ctx context.Context,
	which string,
	t *table.Table,
	learn func(ctx context.Context, t *table.Table, class int, without ...int) (T, error),
) (got T, err error) {
	class := t.WithRole(table.Class)
	if class < 0 {
		return got, errors.New("no column has the role class; name one")
	}
	if a := t.Attr(class); a.Kind != table.Categorical {
		return got, fmt.Errorf("the class %q is %s; it must be categorical", a.Name, a.Kind)
	}
	if t.Rows() == 0 {
		return got, fmt.Errorf("the %s table has no records to learn a tree from", which)
	}
	if got, err = learn(ctx, t, class); err != nil {
		return got, fmt.Errorf("learning from the %s table: %w", which, err)
	}
	return got, nil
}

// Forests returns the SysFor forests of the original and of the released table. Measures with equally set learners
// share their trees, whatever the voting. Cost: that of growing two forests, once per release and setting.
func Forests(
	ctx context.Context,
	r *measure.Release,
	l forests.SysForLearner,
) (original, released *tree.Forest, err error) {
	if original, err = OriginalForest(ctx, r, l); err != nil {
		return nil, nil, err
	}
	if r.Released == r.Original {
		return original, original, nil
	}
	released, err = measure.PerRelease(r, forest(l), func(r *measure.Release) (*tree.Forest, error) {
		return grow(ctx, "released", r.Released, l.Grow)
	})
	return original, voting(released, l), err
}

// OriginalForest returns the SysFor forest of the original table.
func OriginalForest(ctx context.Context, r *measure.Release, l forests.SysForLearner) (*tree.Forest, error) {
	f, err := measure.PerOriginal(r, forest(l), func(t *table.Table) (*tree.Forest, error) {
		return grow(ctx, "original", t, l.Grow)
	})
	return voting(f, l), err
}

// forest is the key of a forest, which does not depend on the voting.
func forest(l forests.SysForLearner) string {
	l.Voting = ""
	return fmt.Sprintf("forest %+v", l)
}

// voting returns a forest with the voting of a learner; nil for none.
func voting(f *tree.Forest, l forests.SysForLearner) *tree.Forest {
	if f == nil {
		return nil
	}
	return &tree.Forest{Trees: f.Trees, Voting: l.Voting}
}
