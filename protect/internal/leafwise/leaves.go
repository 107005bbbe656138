// Package leafwise is what the techniques share that perturb inside the leaves of a decision tree, so that no record
// leaves its leaf.
//
// Leaves is the segmentation: one C4.5 tree for the class. Trees for a plan are grown on at most FitRows records, drawn
// by the seed, and their leaves recounted on all, so a plan costs the same from there on; applying it is linear and
// runs on all cores. The minimum leaf is the table's size / 150 unless it is given: 201 on the 30,162 records of Adult,
// where Islam 2007 takes 200. InLeaves is the part that all plans have.
//
// LeafNoise adds normal noise that wraps around inside a leaf's sub-domain, or inside the attribute's whole domain
// where the leaf does not test it. It is counted in grid steps, in closed form for any distance. Deal deals the
// categories of a leaf out anew, so that their counts stay.
//
// A record whose tested value is missing follows the heaviest branch of a tree, before and after, so it stays in its
// leaf.
//
// Reference: Islam 2007, sections 5.1 to 5.3.
package leafwise

import (
	"context"
	"math"

	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Leaves is the segmentation by the leaves of one C4.5 tree for the class: a technique embeds it. A composite that has
// already grown the tree hands it over in Tree.
type Leaves struct {
	Tree    *tree.Tree // nil: grow one
	FitRows int        // trees are grown on at most so many records, drawn by the seed; 0: all
	c45.Learner
}

// Params declares the learner's parameters, with the minimum leaf by the size of the table.
func (l *Leaves) Params() param.Set {
	set := l.Learner.Params()
	for i := range set {
		if set[i].Name == "minLeaf" {
			set[i].Default = 0
		}
	}
	return append(set, param.Int(&l.FitRows, "fitRows", 50_000, 0, math.MaxInt32, "records",
		"grow trees on at most this many random records and recount on all; 0: all"))
}

// Grow returns the tree handed over, or grows one for the class.
func (l *Leaves) Grow(ctx context.Context, t *table.Table, src rng.Source) (*tree.Tree, error) {
	if l.Tree != nil {
		return l.Tree, nil
	}
	class, err := protect.ClassOf(t)
	if err != nil {
		return nil, err
	}
	return l.GrowFor(ctx, t, class, src)
}

// GrowFor grows a tree that predicts the given categorical column. The counts of its nodes are of all records of t.
func (l *Leaves) GrowFor(ctx context.Context, t *table.Table, class int, src rng.Source) (*tree.Tree, error) {
	return l.GrowOn(ctx, l.Sample(t, src), t, class)
}

// Sample returns the records that trees for t are grown on: t itself, or FitRows of its records where it has more.
func (l *Leaves) Sample(t *table.Table, src rng.Source) *table.Table {
	return Sample(t, l.FitRows, src)
}

// Sample returns the given number of records of t, drawn without replacement, in their order; t itself when it has no
// more, or rows is 0. Which ones depends on their identities and the source alone.
func Sample(t *table.Table, rows int, src rng.Source) *table.Table {
	if rows == 0 || t.Rows() <= rows {
		return t
	}
	return t.Gather(t.Drawn(rows, src.Fork("sample")))
}

// Share returns the minimum leaf that is of the sample the share that minLeaf is of t, at least 2. Up to 2, which asks
// for trees as fine as can be, it stays as it is.
func Share(minLeaf int, sample, t *table.Table) int {
	if minLeaf <= 2 || sample == t {
		return minLeaf
	}
	return max(2, int(float64(minLeaf)*float64(sample.Rows())/float64(t.Rows())))
}

// GrowOn is GrowFor for a sample that was drawn before, so that several trees share one.
func (l *Leaves) GrowOn(ctx context.Context, sample, t *table.Table, class int) (*tree.Tree, error) {
	learner := l.Learner
	if sample == t {
		return learner.Grow(ctx, t, class)
	}
	learner.MinLeaf = Share(learner.MinLeaf, sample, t)
	tr, err := learner.Grow(ctx, sample, class)
	if err != nil {
		return nil, err
	}
	tr.Recount(t)
	return tr, nil
}
