package leafwise

import (
	"context"
	"errors"
	"fmt"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// InLeaves is the part that all leaf plans share: the tree, whose schema is the plan's.
type InLeaves struct {
	Tree *tree.Tree `json:"tree"`
}

// Segment returns the leaves of the tree handed over, or of one grown for the class. The tree must have been fitted on
// the attributes of the records.
func (l *Leaves) Segment(ctx context.Context, r *aggregate.Records) (InLeaves, error) {
	if err := ctx.Err(); err != nil {
		return InLeaves{}, err
	}
	tr, err := l.Grow(ctx, r)
	if err != nil {
		return InLeaves{}, err
	}
	if err := protect.Conforms(r.Schema, tr.Attrs); err != nil {
		return InLeaves{}, fmt.Errorf("the tree handed over: %w", err)
	}
	return InLeaves{tr}, nil
}

// Schema returns the schema of the tree.
func (p InLeaves) Schema() []table.Attribute { return p.Tree.Attrs }

// Segmentation returns the tree as a forest of one.
func (p InLeaves) Segmentation() *tree.Forest { return tree.One(p.Tree) }

// Route returns the leaf number of every record of the chunk, in its space.
func (p InLeaves) Route(chunk *table.Table) ([]int32, error) {
	if err := protect.Conforms(chunk, p.Tree.Attrs); err != nil {
		return nil, err
	}
	leaf := mmap.Make[int32](chunk.Space(), chunk.Rows())
	p.Tree.Route(chunk, leaf)
	return leaf, nil
}

// Count returns the number of records of every class in every leaf; records whose class is missing do not count.
func (p InLeaves) Count(t *table.Table, leaf []int32) [][]int {
	counts := p.Tree.NoCounts()
	for i, c := range t.Cat(p.Tree.Class) {
		if c >= 0 {
			counts[leaf[i]][c]++
		}
	}
	return counts
}

// Classes is Count for all records. They conform to the tree.
func (p InLeaves) Classes(ctx context.Context, r *aggregate.Records) ([][]int, error) {
	leaves := &aggregate.Leaves{Trees: []*tree.Tree{p.Tree}}
	err := r.Pass(ctx, leaves)
	return leaves.Of(0), err
}

// Check refuses a decoded plan without a tree, or whose class is not a categorical column.
func (p InLeaves) Check() error {
	switch {
	case p.Tree == nil || len(p.Tree.Nodes) == 0:
		return errors.New("the tree is missing")
	case p.Tree.Class < 0 || p.Tree.Class >= len(p.Tree.Attrs) || p.Tree.Attrs[p.Tree.Class].Kind != table.Categorical:
		return errors.New("the class of the tree is not a categorical column")
	}
	return nil
}
