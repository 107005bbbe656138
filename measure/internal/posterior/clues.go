package posterior

import (
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/segment"
)

// Clues is what an intruder knows taken apart: how likely every released value is of one known attribute, or of several
// whose noise depends on each other. Who looks for the best subset of what is known multiplies those of a subset.
type Clues struct {
	All   []Clue
	How   message.Sentence // where the law of the noise comes from
	Notes []message.Sentence
	m     *Matcher
}

// Clue is one piece of evidence.
type Clue struct {
	Columns []int   // of the table, ascending
	Codes   []int32 // by released record: what it shows; nil where every record shows its own
	Values  int     // different codes
	of      evidence
}

// NewClues takes an intruder's knowledge apart, after the intruder has grown trees on the release. It fails as Match
// does. Cost: O(n log n) per known attribute for n released records.
func NewClues(r *measure.Release, view *intruder.View, trees Trees, o Options) (*Clues, error) {
	m := &Matcher{release: r, view: view, guide: trees.Guide, trees: trees, options: o}
	facts, joints, err := m.gather()
	if err != nil {
		return nil, err
	}
	c := &Clues{How: m.how, Notes: m.notes, m: m}
	for k, f := range facts {
		f.at = k
		c.All = append(c.All, Clue{[]int{f.known.Column}, f.code, len(f.values), f})
	}
	for _, j := range joints {
		c.All = append(c.All, Clue{j.columns, nil, r.Released.Rows(), j})
	}
	return c, nil
}

// Targets returns what is needed to ask about persons, by their rows in the original. Every goroutine needs its own
// Reader of it.
func (c *Clues) Targets(rows []int) (*Targets, error) {
	b, err := c.m.batch(rows)
	return &Targets{c, b}, err
}

// Targets are persons whom clues are asked about.
type Targets struct {
	clues *Clues
	b     *batch
}

// Reader asks clues about persons.
type Reader struct {
	t     *Targets
	w     *worker
	point Point
}

// Reader returns one for a goroutine.
func (t *Targets) Reader() *Reader { return &Reader{t: t, w: newWorker(t.clues.m, t.b)} }

// Likelihoods returns how likely everything is that released records show of a clue, by code, for the person at place
// k, up to a factor; nil when the person has nothing to compare. With whole, the noise is not taken to keep anybody
// inside a segment. It is valid until the next call.
func (r *Reader) Likelihoods(clue, k int, whole bool) []float64 {
	s := &r.t.b.segments[r.t.b.of[k]]
	if whole {
		s = &segment.Segment{}
	}
	return r.t.clues.All[clue].of.likelihoods(r.w, r.t.b.rows[k], s)
}
