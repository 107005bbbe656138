package protect

import (
	"fmt"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Described is a plan that says in a few words what it does to the columns it changes, for a report:
// "noise inside the leaf's sub-domain (LINFAPT)".
type Described interface {
	Plan
	Describe() message.Sentence
}

// Segmented is a plan that may segment the records by the intersections of the leaves of a forest, which for one tree
// are its leaves; without segments it returns nil.
type Segmented interface {
	Plan
	Segmentation() *tree.Forest
}

// Noted is a plan with remarks for the custodian, such as which attributes it could not treat as asked. They name
// columns and counts, never values.
type Noted interface {
	Plan
	Notes() []message.Sentence
}

// LeafPlan is a plan that works inside the leaves of one tree: its segmentation, if any, is a forest of one. A
// composite routes the records once and hands the leaves to all of its steps.
type LeafPlan interface {
	Segmented
	// ApplyLeaves is Apply for records whose leaf numbers are known: leaf[i] is that of row i of the chunk.
	ApplyLeaves(chunk *table.Table, leaf []int32, src rng.Source) (*table.Table, error)
}

// Dealer is a LeafPlan that deals the values of a leaf out anew among its records: they must meet, any may get any of
// the values, and nothing of a record is read but its leaf, its identity and the columns that are changed. So nothing
// else need be brought together, which a table larger than the memory bears in one pass over each column, and what one
// record of a person gets may serve the person's others.
type Dealer interface {
	LeafPlan
	Grouper
	// Deals says that this is so.
	Deals()
}

// Gatherer is a LeafPlan whose records meet by their leaves: those of some leaves that stand side by side, and nothing
// of a record is read but its leaf, its identity and some columns. So nothing else need be brought together, as for a
// Dealer, whose records meet leaf by leaf. ApplyLeaves returns new memory for the columns that are changed.
type Gatherer interface {
	LeafPlan
	Grouper
	// Gathers returns, by leaf, the first of those whose records meet with its own, and the names of the columns that are
	// read or changed.
	Gathers() (with []int32, columns []string)
}

// Gathers returns that of a Gatherer or a Dealer; ok is false for other plans, and where there are no leaves.
func Gathers(p Plan) (with []int32, columns []string, ok bool) {
	l, leaves := p.(LeafPlan)
	if !leaves || l.Segmentation() == nil {
		return nil, nil, false
	}
	switch g := p.(type) {
	case Gatherer:
		with, columns = g.Gathers()
		return with, columns, true
	case Dealer:
		with = make([]int32, len(l.Segmentation().Trees[0].Leaves()))
		for k := range with {
			with[k] = int32(k)
		}
		return with, g.Changes(), true
	}
	return nil, nil, false
}

// Divided is a plan whose guarantee is a segment: every record is released inside the segment of its original. What the
// segments are may depend on the records at hand, as groups of similar ones do.
type Divided interface {
	Plan
	// Divide returns the segmentation of the records of a table that the plan is applied to, in the schema of the release;
	// nil where the plan has none. The table conforms to Schema.
	Divide(t *table.Table) (segment.Segmentation, error)
}

// SegmentsOf returns the segments by which a plan releases the records of a table; nil where it has none.
func SegmentsOf(p Plan, t *table.Table) (segment.Segmentation, error) {
	if s, ok := p.(Segmented); ok {
		if f := s.Segmentation(); f != nil {
			return f, nil
		}
	}
	if d, ok := p.(Divided); ok {
		s, err := d.Divide(t)
		if err != nil {
			return nil, fmt.Errorf("the segments of the plan: %w", err)
		}
		return s, nil
	}
	return nil, nil
}
