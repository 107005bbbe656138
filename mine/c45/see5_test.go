package c45

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/segment/tree"
)

// Global pruning adds at most one standard error to the training errors, and what it leaves is a part of the tree.
func TestGlobalPrune(t *testing.T) {
	smaller := 0
	for seed := range uint64(20) {
		tab := noisy(seed, 600, 0)
		l := New()
		before := must.Get(l.Grow(context.Background(), tab, 7))(t)
		l.GlobalPrune = true
		after := must.Get(l.Grow(context.Background(), tab, 7))(t)
		e, f := leafErrors(before), leafErrors(after)
		if se := math.Sqrt(e * (1 - e/600)); f < e || f > e+se+1e-9 {
			t.Errorf("seed %d: errors rise from %v to %v, the standard error is %v", seed, e, f, se)
		}
		if len(after.Nodes) > len(before.Nodes) {
			t.Errorf("seed %d: the tree grows from %d to %d nodes", seed, len(before.Nodes), len(after.Nodes))
		}
		if len(after.Nodes) < len(before.Nodes) {
			smaller++
		}
	}
	if smaller == 0 {
		t.Error("no tree is made smaller")
	}
}

func leafErrors(tr *tree.Tree) (e float64) {
	for _, i := range tr.Leaves() {
		n := &tr.Nodes[i]
		e += n.Weight() - n.Counts[n.Label]
	}
	return e
}

// Merging keeps every prediction and leaves no two sibling leaves of one class under a categorical test.
func TestMergeLeaves(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab, l := drawTable(t), drawLearner(t)
		class := tab.Width() - 1
		plain := must.Get(l.Grow(context.Background(), tab, class))(t)
		l.MergeSameClassLeaves = true
		merged := must.Get(l.Grow(context.Background(), tab, class))(t)
		a, b := make([]int32, tab.Rows()), make([]int32, tab.Rows())
		label := func(tr *tree.Tree, dst []int32) {
			tr.Route(tab, dst)
			for r, l := range dst {
				dst[r] = tr.Nodes[tr.Leaves()[l]].Label
			}
		}
		if tab.Rows() > 0 && !hasMissing(tab) {
			label(plain, a)
			label(merged, b)
			if !slices.Equal(a, b) {
				t.Fatalf("labels %v, expected %v", b, a)
			}
		}
		if e, f := leafErrors(plain), leafErrors(merged); e != f {
			t.Fatalf("%v errors, expected %v", f, e)
		}
		for i := range merged.Nodes {
			seen := map[int32]bool{}
			for _, k := range merged.Nodes[i].Kids {
				kid := &merged.Nodes[k]
				if kid.Leaf() && merged.Nodes[i].Branch != nil && seen[kid.Label] {
					t.Fatalf("node %d has two leaves of class %d", i, kid.Label)
				}
				seen[kid.Label] = seen[kid.Label] || kid.Leaf()
			}
		}
	})
}
