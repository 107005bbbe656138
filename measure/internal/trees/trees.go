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
	"github.com/dither-data/dither/mine/sysfor"
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
	released, err = grow(ctx, r, "released", r.Released, l)
	return original, released, err
}

// Original returns the tree of the original table.
func Original(ctx context.Context, r *measure.Release, l Learner) (*tree.Tree, error) {
	if r.Base != nil {
		return Original(ctx, r.Base, l)
	}
	return grow(ctx, r, "original", r.Original, l)
}

func grow(ctx context.Context, r *measure.Release, which string, t *table.Table, l Learner) (*tree.Tree, error) {
	got, err := learn(r, fmt.Sprintf("tree of %s %+v", which, l), which, t, func(class int) (any, error) {
		learner := l.Learner
		return learner.Grow(ctx, t, class)
	})
	if err != nil {
		return nil, err
	}
	return got.(*tree.Tree), nil
}

// learn computes once what is learned from a table for its class; key names the learner and its settings.
func learn(r *measure.Release, key, which string, t *table.Table, compute func(class int) (any, error)) (any, error) {
	class := t.WithRole(table.Class)
	if class < 0 {
		return nil, errors.New("no column has the role class; name one")
	}
	if a := t.Attr(class); a.Kind != table.Categorical {
		return nil, fmt.Errorf("the class %q is %s; it must be categorical", a.Name, a.Kind)
	}
	if t.Rows() == 0 {
		return nil, fmt.Errorf("the %s table has no records to learn a tree from", which)
	}
	got, err := r.Shared(key, func() (any, error) { return compute(class) })
	if err != nil {
		return nil, fmt.Errorf("learning from the %s table: %w", which, err)
	}
	return got, nil
}

// Forests returns the SysFor forests of the original and of the released table. Measures with equally set learners
// share their trees, whatever the voting. Cost: that of growing two forests, once per release and setting.
func Forests(ctx context.Context, r *measure.Release, l sysfor.Learner) (original, released *tree.Forest, err error) {
	if original, err = OriginalForest(ctx, r, l); err != nil {
		return nil, nil, err
	}
	if r.Released == r.Original {
		return original, original, nil
	}
	released, err = plant(ctx, r, "released", r.Released, l)
	return original, released, err
}

// OriginalForest returns the SysFor forest of the original table.
func OriginalForest(ctx context.Context, r *measure.Release, l sysfor.Learner) (*tree.Forest, error) {
	if r.Base != nil {
		return OriginalForest(ctx, r.Base, l)
	}
	return plant(ctx, r, "original", r.Original, l)
}

func plant(
	ctx context.Context,
	r *measure.Release,
	which string,
	t *table.Table,
	l sysfor.Learner,
) (*tree.Forest, error) {
	voting := l.Voting
	l.Voting = ""
	got, err := learn(r, fmt.Sprintf("forest of %s %+v", which, l), which, t, func(class int) (any, error) {
		return l.Grow(ctx, t, class)
	})
	if err != nil {
		return nil, err
	}
	return &tree.Forest{Trees: got.(*tree.Forest).Trees, Voting: voting}, nil
}
