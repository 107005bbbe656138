package c45

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sort"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Data is a table coded for learning, on which several trees can be grown (package forests).
type Data struct {
	g     *grower
	frame *frame
	attrs []table.Attribute
	class int
}

// Code codes a table for trees that predict the categorical column class from all numeric and categorical columns that
// are neither identifier nor weight nor in without. Records whose class is missing are left out; it is an error when
// none is left. The context and the learner's parameters hold for all that is done with the data. Cost: O(rows) per
// column.
func (l *Learner) Code(ctx context.Context, t *table.Table, class int, without ...int) (*Data, error) {
	return l.code(ctx, t, nil, class, without)
}

// code is Code with all that is as long as the table in a space.
func (l *Learner) code(ctx context.Context, t *table.Table, in *mmap.Space, class int, without []int) (*Data, error) {
	if class < 0 || class >= t.Width() {
		return nil, fmt.Errorf("class column %d is outside the table's %d columns", class, t.Width())
	}
	a := t.Attr(class)
	switch {
	case a.Kind != table.Categorical:
		return nil, fmt.Errorf("class %q is %s, expected categorical", a.Name, a.Kind)
	case len(a.Labels) > maxClasses:
		return nil, fmt.Errorf("class %q has %d categories, expected at most %d", a.Name, len(a.Labels), maxClasses)
	case t.Rows() == 0:
		return nil, errors.New("the table has no records to learn from")
	case t.Rows() > maxRows:
		return nil, fmt.Errorf("the table has %d records, expected at most %d", t.Rows(), maxRows)
	}
	g := &grower{Learner: l, ctx: ctx, space: in, classes: len(a.Labels), c50: l.MinGainRule == C50}
	workers := l.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	g.places = newPlaces(workers)
	f, err := g.load(t, class, without)
	if err != nil {
		return nil, err
	}
	g.minLeaf = float64(l.MinLeaf)
	if l.MinLeaf == 0 {
		g.minLeaf = float64(Auto(len(f.class)))
	}
	g.occurring = occurring(f.class, g.classes)
	return &Data{g: g, frame: f, attrs: t.Attrs(), class: class}, nil
}

// Test is a test that a tree must have. It is neither pruned nor raised, except by GlobalPrune.
type Test struct {
	Attr  int     // column; -1: no test, but a leaf
	Cut   float64 // numeric: values <= Cut go to the first branch
	Below []*Test // by branch, in the order of Part.Divide; nil, or nil for a branch: C4.5 grows it
}

// Grow grows a tree that begins with the given tests, or with none. The learner's rules that refer to the size and the
// values of the training table refer to the whole of it, also below a forced test.
func (d *Data) Grow(root *Test) (*tree.Tree, error) {
	top := d.g.force(d.frame, identity(d.g.space, len(d.frame.class)), identity(nil, len(d.g.cols)), root)
	if err := d.g.ctx.Err(); err != nil {
		return nil, err
	}
	if d.g.GlobalPrune {
		d.g.globalPrune(top)
	}
	if d.g.MergeSameClassLeaves {
		mergeLeaves(top)
	}
	return &tree.Tree{Attrs: d.attrs, Class: d.class, Nodes: flatten(top, d.g.cols)}, nil
}

// force grows a subtree that begins with the given test.
func (g *grower) force(f *frame, rows, live []int32, test *Test) *node {
	if test == nil {
		nd, _ := g.grow(f, rows, live)
		return nd
	}
	nd := &node{slot: -1, counts: g.count(f, cases{rows: rows})}
	nd.label = heaviest(nd.counts, 0)
	if test.Attr < 0 || g.ctx.Err() != nil {
		return nd
	}
	g.test(nd, test.Attr, test.Cut)
	live = g.below(nd, live)
	g.sprout(nd, f, rows)
	d := g.branch(nd, f, rows, live, func(k int, f *frame, rows []int32) {
		var next *Test
		if test.Below != nil {
			next = test.Below[k]
		}
		nd.kids[k] = g.force(f, rows, live, next)
	})
	d.free(g.space)
	return nd
}

// test makes the node test a column of the table.
func (g *grower) test(nd *node, attr int, cut float64) {
	nd.slot = int32(slices.IndexFunc(g.cols, func(c column) bool { return c.index == attr }))
	if col := &g.cols[nd.slot]; col.numeric() {
		nd.cut = cut
		nd.low = int32(sort.Search(len(col.values), func(k int) bool { return col.values[k] > cut })) - 1
	}
}

// below returns the attributes that may be tested below the node.
func (g *grower) below(nd *node, live []int32) []int32 {
	if g.cols[nd.slot].numeric() {
		return live
	}
	return slices.DeleteFunc(slices.Clone(live), func(a int32) bool { return a == nd.slot })
}
