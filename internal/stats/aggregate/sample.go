package aggregate

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// drawing says which records a sample has.
type drawing struct {
	rows int
	fork string
	head bool
}

// Sample returns so many records, drawn without replacement, in their order; all of them where rows is 0 or there are
// no more. Which ones depends on their identities and the fork of the source alone (table.Table.Drawn). A sample that
// was drawn before is not drawn again.
func (r *Records) Sample(ctx context.Context, rows int, fork string) (*table.Table, error) {
	return r.some(ctx, Sample{Rows: rows, Fork: fork})
}

// Head returns the first records.
func (r *Records) Head(ctx context.Context, rows int) (*table.Table, error) {
	return r.some(ctx, Sample{Rows: rows, Head: true})
}

func (r *Records) some(ctx context.Context, s Sample) (*table.Table, error) {
	if s.Rows == 0 {
		s.Rows = r.Rows
	}
	if r.whole != nil && s.Rows >= r.Rows {
		return r.whole, nil
	}
	d := drawing{s.Rows, s.Fork, s.Head}
	if r.memo.drawn[d] == nil {
		if err := r.Pass(ctx, &s); err != nil {
			return nil, err
		}
		t, err := s.Table(r.Schema)
		if err != nil {
			return nil, err
		}
		for j, a := range r.Schema.Attrs() { // with roles, which parts may lack
			t = t.WithAttr(j, a)
		}
		r.memo.drawn[d] = t
	}
	return r.memo.drawn[d], nil
}

// Sample is the records that are drawn. It holds where they are in the parts that were added; Pack takes them out.
type Sample struct {
	Rows int    // records
	Fork string // of the source
	Head bool   // the first records, in place of records that are drawn

	// What Pack leaves: the records drawn so far, some more than Rows at most, in the order of their places.
	Drawn []Drawn
	Cols  []table.Column

	parts []*table.Table
	some  []found
	limit Drawn // where Rows records come before it, which is no longer looked for
	full  bool
}

// Drawn is by what a record is drawn.
type Drawn struct {
	Word  uint64 // its keyed hash, the smallest first
	ID    table.RecordID
	Place int // in the table
}

func (d Drawn) compare(o Drawn) int {
	return cmp.Or(cmp.Compare(d.Word, o.Word), cmp.Compare(d.ID, o.ID), cmp.Compare(d.Place, o.Place))
}

// slack is how many records more than twice those asked for are held before some are let go.
const slack = 64

// found is a record that may be in the sample.
type found struct {
	Drawn
	part, row int
}

// Fresh implements Aggregate.
func (s *Sample) Fresh() Aggregate { return &Sample{Rows: s.Rows, Fork: s.Fork, Head: s.Head} }

// Add implements Aggregate.
func (s *Sample) Add(p Part) error {
	part := len(s.parts)
	s.parts = append(s.parts, p.Table)
	take := func(i int, word uint64) {
		d := Drawn{word, p.ID(i), p.First + i}
		if s.full && d.compare(s.limit) >= 0 {
			return
		}
		if s.some = append(s.some, found{d, part, i}); len(s.some) > 2*s.Rows+slack {
			s.cut()
		}
	}
	if s.Head {
		for i := range min(p.Rows(), max(0, s.Rows-p.First)) {
			take(i, uint64(p.First+i))
		}
		return nil
	}
	ids, first := p.IDs()
	rng.FirstWords(table.OrderStream(p.Source.Fork(s.Fork)), p.Rows(), ids, first, take)
	return nil
}

// cut leaves the records that come first, no more than are asked for, in the order in which they are drawn.
func (s *Sample) cut() {
	slices.SortFunc(s.some, func(a, b found) int { return a.compare(b.Drawn) })
	if len(s.some) > s.Rows {
		s.some = s.some[:s.Rows]
		s.limit, s.full = s.some[s.Rows-1].Drawn, s.Rows > 0
	}
}

// Merge implements Aggregate.
func (s *Sample) Merge(from Aggregate) error {
	o, err := same[*Sample](from)
	if err == nil {
		err = cmp.Or(s.unpack(), o.unpack())
	}
	if err != nil {
		return err
	}
	s.cut()
	o.cut()
	for _, f := range o.some {
		f.part += len(s.parts)
		s.some = append(s.some, f)
	}
	s.parts = append(s.parts, o.parts...)
	return nil
}

// Table returns the records, in the order of their places.
func (s *Sample) Table(schema *table.Table) (*table.Table, error) {
	s.cut()
	slices.SortFunc(s.some, func(a, b found) int { return cmp.Compare(a.Place, b.Place) })
	var parts []*table.Table
	for lo := 0; lo < len(s.some); {
		var rows []int
		hi := lo
		for ; hi < len(s.some) && s.some[hi].part == s.some[lo].part; hi++ {
			rows = append(rows, s.some[hi].row)
		}
		parts = append(parts, s.parts[s.some[lo].part].Gather(rows))
		lo = hi
	}
	if len(parts) == 0 {
		return schema, nil
	}
	return table.Concat(parts...)
}

// Pack takes the records out of the parts that they are in, so that the aggregate can be sent. Whose they are is not
// sent.
func (s *Sample) Pack() error {
	if len(s.some) == 0 {
		return nil
	}
	t, err := s.Table(nil)
	if err != nil {
		return err
	}
	s.Drawn, s.Cols = nil, t.Columns()
	for _, f := range s.some {
		s.Drawn = append(s.Drawn, f.Drawn)
	}
	s.parts, s.some = nil, nil
	return nil
}

// unpack makes a part of the records that were sent.
func (s *Sample) unpack() error {
	if s.Drawn == nil {
		return nil
	}
	t, err := table.New(s.Cols...)
	if err != nil || t.Rows() != len(s.Drawn) {
		return errOther
	}
	ids := make([]table.RecordID, len(s.Drawn))
	for i, d := range s.Drawn {
		ids[i] = d.ID
		s.some = append(s.some, found{d, len(s.parts), i})
	}
	s.parts, s.Drawn, s.Cols = append(s.parts, t.Identified(ids)), nil, nil
	return nil
}
