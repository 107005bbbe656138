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

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
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
func (l *Leaves) Grow(ctx context.Context, r *aggregate.Records) (*tree.Tree, error) {
	if l.Tree != nil {
		return l.Tree, nil
	}
	class, err := protect.ClassOf(r.Schema)
	if err != nil {
		return nil, err
	}
	sample, err := l.Sample(ctx, r)
	if err != nil {
		return nil, err
	}
	tr, err := l.GrowOn(ctx, sample, r.Rows, class)
	if err == nil && sample.Rows() < r.Rows {
		err = Recount(ctx, r, tr)
	}
	return tr, err
}

// Sample returns the records that trees are grown on: FitRows of them, or all where there are no more.
func (l *Leaves) Sample(ctx context.Context, r *aggregate.Records) (*table.Table, error) {
	return r.Sample(ctx, l.FitRows, "sample")
}

// Share returns the minimum leaf that is of a sample the share that minLeaf is of all records, at least 2. Up to 2,
// which asks for trees as fine as can be, it stays as it is.
func Share(minLeaf, sample, all int) int {
	if minLeaf <= 2 || sample == all {
		return minLeaf
	}
	return max(2, int(float64(minLeaf)*float64(sample)/float64(all)))
}

// GrowOn grows a tree that predicts the given categorical column on a sample of so many records. The counts of its
// nodes are of the sample.
func (l *Leaves) GrowOn(ctx context.Context, sample *table.Table, all, class int) (*tree.Tree, error) {
	learner := l.Learner
	learner.MinLeaf = Share(learner.MinLeaf, sample.Rows(), all)
	return learner.Grow(ctx, sample, class)
}

// Recount replaces the counts of trees' nodes by those of all records, in one pass.
func Recount(ctx context.Context, r *aggregate.Records, trees ...*tree.Tree) error {
	if len(trees) == 0 {
		return nil
	}
	leaves := &aggregate.Leaves{Trees: trees}
	err := r.Pass(ctx, leaves)
	if err == nil {
		leaves.Recount()
	}
	return err
}
