// Package kdpartition divides records into boxes by a kd-tree: the column of largest variance is cut in the middle,
// again and again, until few records are left in each (Li & Sarkar 2006; Roy, section 4).
//
// Variances are of columns scaled to [0, 1] once, over all records, so that units do not matter; cuts are in the units
// of the values. Missing values (NaN) are left out of variances and cuts; a record whose tested value is missing goes
// where more records go.
package kdpartition

import (
	"context"

	"github.com/dither-data/dither/internal/system/parallel"
)

// Leaf is the column that a leaf tests: none.
const Leaf = -1

// Node is a test or a leaf.
type Node struct {
	Cut  float64 // of a test: values <= Cut go to the low child, which is the next node
	Attr int32   // position of the column tested, or Leaf
	Next int32   // of a test, how many nodes on the high child stands; of a leaf, its number
	Size int32   // records that the tree was built on
}

// Tree is a kd-tree as data. Its nodes stand in depth-first order, the low child before the high one, so leaves are
// numbered from the left.
type Tree struct {
	Nodes  []Node
	leaves int
}

// Leaves returns how many leaves there are.
func (t *Tree) Leaves() int { return t.leaves }

// Low reports whether the low child of node i, a test, is the heavier one, where missing values go: it has at least as
// many records.
func (t *Tree) Low(i int32) bool { return 2*int64(t.Nodes[i+1].Size) >= int64(t.Nodes[i].Size) }

// Route writes the number of every record's leaf into dst. cols are columns as long as dst in the order of those the
// tree was built on. Cost: O(records x depth), on all cores.
func (t *Tree) Route(ctx context.Context, cols [][]float64, dst []int32) error {
	return parallel.Ranges(ctx, len(dst), grain, func(lo, hi int) error {
		for r := lo; r < hi; r++ {
			dst[r] = t.route(cols, r)
		}
		return nil
	})
}

func (t *Tree) route(cols [][]float64, r int) int32 {
	i := int32(0)
	for {
		n := &t.Nodes[i]
		if n.Attr == Leaf {
			return n.Next
		}
		v := cols[n.Attr][r]
		if v <= n.Cut || v != v && t.Low(i) {
			i++
		} else {
			i += n.Next
		}
	}
}

// number numbers the leaves.
func (t *Tree) number() {
	t.leaves = 0
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Attr == Leaf {
			n.Next = int32(t.leaves)
			t.leaves++
		}
	}
}
