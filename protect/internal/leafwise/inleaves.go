package leafwise

import (
	"context"
	"errors"
	"fmt"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// InLeaves is the part that all leaf plans share: the tree, whose schema is the plan's.
type InLeaves struct {
	Tree *tree.Tree `json:"tree"`
}

// Segment returns the leaves of the tree handed over, or of one grown for the class. The tree must have been fitted on
// the attributes of t.
func (l *Leaves) Segment(ctx context.Context, t *table.Table, src rng.Source) (InLeaves, error) {
	if err := ctx.Err(); err != nil {
		return InLeaves{}, err
	}
	tr, err := l.Grow(ctx, t, src)
	if err != nil {
		return InLeaves{}, err
	}
	if err := protect.Conforms(t, tr.Attrs); err != nil {
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
	counts := p.none()
	p.count(t, leaf, counts)
	return counts
}

// Classes is Count for records whose leaves are not known yet. They are routed some at a time.
func (p InLeaves) Classes(t *table.Table) ([][]int, error) {
	if err := protect.Conforms(t, p.Tree.Attrs); err != nil {
		return nil, err
	}
	const some = 1 << 16
	counts, leaf := p.none(), make([]int32, min(some, t.Rows()))
	for lo := 0; lo < t.Rows(); lo += some {
		part := t.Slice(lo, min(lo+some, t.Rows()))
		p.Tree.Route(part, leaf[:part.Rows()])
		p.count(part, leaf, counts)
	}
	return counts, nil
}

// none returns counts of nothing.
func (p InLeaves) none() [][]int {
	counts := make([][]int, len(p.Tree.Leaves()))
	for l := range counts {
		counts[l] = make([]int, len(p.Tree.ClassLabels()))
	}
	return counts
}

func (p InLeaves) count(t *table.Table, leaf []int32, counts [][]int) {
	for i, c := range t.Cat(p.Tree.Class) {
		if c >= 0 {
			counts[leaf[i]][c]++
		}
	}
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
