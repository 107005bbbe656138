// Package mine is the contract of the miners: what learns from a table, and the segment, the idea the house stands on.
//
// A segment is a conjunction of sub-domains together with the records inside it: a leaf of a decision tree, a cell of a
// perturbation tree, a class, the whole table. A technique segments the records and perturbs inside the segment.
package mine

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Segment is a conjunction of sub-domains. An attribute that has an entry is influential in the segment (a LINFA of Islam 2007);
// one without is innocent (a LINNA) and ranges over its whole domain. Keys are column positions of the schema the
// segmentation was fitted on.
type Segment struct {
	Num map[int]table.Interval
	Cat map[int][]int32 // allowed codes, ascending
}

// Influential reports whether the segment constrains column j.
func (s *Segment) Influential(j int) bool {
	if _, ok := s.Num[j]; ok {
		return true
	}
	_, ok := s.Cat[j]
	return ok
}

// Miner is a catalogue entry.
type Miner struct {
	card.Card
	New func() Learner
}

// Learner fits a model. A value serves one fit at a time.
type Learner interface {
	Params() param.Set
	Fit(ctx context.Context, t *table.Table, src rng.Source) (Model, error)
}

// Model is what a learner found. What it can do is asked for by assertion: Classifier, Segmenter.
type Model any

// Classifier predicts the class of records.
type Classifier interface {
	// Predict writes the code of the predicted class of every record of t into dst, which has length t.Rows(). The table must
	// conform to the schema the model was fitted on (table.Conform).
	Predict(t *table.Table, dst []int32)
}

// Segmenter assigns every record to exactly one segment.
type Segmenter interface {
	// Segments returns the segments; a segment's number is its position.
	Segments() []Segment
	// Route writes the number of every record's segment into dst, which has length t.Rows(). The table must conform to
	// the schema the model was fitted on.
	Route(t *table.Table, dst []int32)
}
