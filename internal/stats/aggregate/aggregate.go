// Package aggregate takes what a plan is fitted from of a table that nobody holds as a whole: figures that are taken of
// every part of it and merged, in any order, into those of the table, bit by bit. Sums are exact, counts are whole
// numbers, and records are drawn by keyed hashes of their identities.
//
// Who fits a plan asks a Records for one set of aggregates after the other, each by a pass over all records, and ends
// with the plan. A table on one machine answers each at once (Over): it is taken in stretches, on all cores. Where the
// records are in shards, on many machines, a pass is a stage: the holder of a shard adds it to a fresh aggregate, and
// these are merged (New). So there is one way to fit a technique, whatever the table is kept in.
package aggregate

import (
	"context"
	"errors"
	"slices"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Aggregate is a figure of records. What it is of (columns, trees, limits) stands in its fields from the start; what is
// found is added.
type Aggregate interface {
	// Fresh returns the aggregate of no records that is of the same.
	Fresh() Aggregate
	// Add takes records in. They stay readable and unchanged as long as the aggregate is in use.
	Add(p Part) error
	// Merge takes in the records of another aggregate of the same; its order does not matter. The other one must not be
	// used any more.
	Merge(o Aggregate) error
}

// Part is a run of the records of a table.
type Part struct {
	*table.Table
	First int // place in the table of its first record
	// Units are by record the unit that it is of in the whole table (table.Table.People); nil where each is its own.
	Units  []int32
	Source rng.Source // that of the fit
}

// Kinds returns one of every kind of aggregate, for who sends them from machine to machine.
func Kinds() []Aggregate {
	return []Aggregate{&Cells{}, &Categories{}, &Extremes{}, &Leaves{}, &Moments{}, &Near{}, &Sample{},
		&Segments{}, &Spans{}, &Sums{}}
}

// Records are all records of a table.
type Records struct {
	// Schema has the attributes and no record. It tells whether the table says whose its records are.
	Schema *table.Table
	Rows   int
	Source rng.Source // that the fit draws from

	whole *table.Table // nil where nobody holds it
	pass  func(context.Context, []Aggregate) error
	memo  *memo
}

// memo is what was found, so that it is not asked again.
type memo struct {
	drawn   map[drawing]*table.Table
	ends    *Extremes   // of all numbers
	counts  *Categories // of all categories
	ladders map[int]*Ladder
}

// New returns the records of a table that is in parts: of the schema, which has no records. Pass takes aggregates,
// which are of no records yet, of all parts.
func New(
	schema *table.Table,
	rows int,
	src rng.Source,
	pass func(ctx context.Context, of []Aggregate) error,
) *Records {
	m := &memo{drawn: map[drawing]*table.Table{}, ladders: map[int]*Ladder{}}
	return &Records{Schema: schema, Rows: rows, Source: src, pass: pass, memo: m}
}

// stretch is how many records of a table on one machine are added at a time.
const stretch = 1 << 14

// Over returns the records of a table on one machine, in memory or in files that are mapped into it. Cost: a pass takes
// what the aggregates take for a record each, on all cores.
func Over(t *table.Table, src rng.Source) *Records {
	r := New(t.Slice(0, 0), t.Rows(), src, nil)
	r.whole = t
	units, _ := t.People()
	r.pass = func(ctx context.Context, of []Aggregate) error {
		fresh := func() []Aggregate { return freshOf(of) }
		own, err := parallel.With(ctx, (t.Rows()+stretch-1)/stretch, fresh, func(own []Aggregate, k int) error {
			lo, hi := k*stretch, min((k+1)*stretch, t.Rows())
			p := Part{Table: t.Slice(lo, hi), First: lo, Source: src}
			if units != nil {
				p.Units = units[lo:hi]
			}
			return Add(own, p)
		})
		for _, o := range own {
			if err == nil {
				err = Merge(of, o)
			}
		}
		return err
	}
	return r
}

// Mapped reports whether the table is larger than memory and in files of one machine.
func (r *Records) Mapped() bool { return r.whole != nil && r.whole.Space() != nil }

// WithAttr returns the records with another description of column j in their schema; samples may have either.
func (r *Records) WithAttr(j int, a table.Attribute) *Records {
	n := *r
	n.Schema = r.Schema.WithAttr(j, a)
	return &n
}

// Pass takes aggregates of all records. Each is of none before.
func (r *Records) Pass(ctx context.Context, of ...Aggregate) error {
	if err := ctx.Err(); err != nil || len(of) == 0 {
		return err
	}
	return r.pass(ctx, of)
}

// known takes the ends of all numbers and the counts of all categories, once.
func (r *Records) known(ctx context.Context) error {
	if r.memo.ends != nil {
		return nil
	}
	ends, counts := &Extremes{}, &Categories{}
	for j := range r.Schema.Width() {
		switch r.Schema.Attr(j).Kind {
		case table.Numeric:
			ends.Columns = append(ends.Columns, j)
		case table.Categorical:
			counts.Columns = append(counts.Columns, j)
		case table.SetValued:
		}
	}
	err := r.Pass(ctx, ends, counts)
	if err == nil {
		r.memo.ends, r.memo.counts = ends, counts
	}
	return err
}

// Ranges returns the least and the largest value of columns of numbers, 0 and 0 of one without any, and how many values
// they have. It takes a pass the first time, whatever the columns.
func (r *Records) Ranges(ctx context.Context, columns []int) (ranges []moments.Range, known []int, err error) {
	if err := r.known(ctx); err != nil {
		return nil, nil, err
	}
	e := r.memo.ends
	all := e.Ranges()
	for _, j := range columns {
		k := slices.Index(e.Columns, j)
		ranges, known = append(ranges, all[k]), append(known, e.Known[k])
	}
	return ranges, known, nil
}

// Counts returns how many records have each category of columns of categories. It takes a pass with Ranges.
func (r *Records) Counts(ctx context.Context, columns []int) ([][]int, error) {
	if err := r.known(ctx); err != nil {
		return nil, err
	}
	out, c := make([][]int, len(columns)), r.memo.counts
	for k, j := range columns {
		out[k] = c.Of(slices.Index(c.Columns, j), len(r.Schema.Attr(j).Labels))
	}
	return out, nil
}

// Told reports whether the table says that some records are of one unit.
func (r *Records) Told() bool { return r.Schema.Owners() != nil || r.Schema.Households() != nil }

// Common returns the categories of all columns that have any, and which of them so many units have. It takes the pass
// of Ranges or, where the table says whose its records are, one of its own.
func (r *Records) Common(ctx context.Context, units int) (*Categories, error) {
	if err := r.known(ctx); err != nil {
		return nil, err
	}
	c := &Categories{Columns: r.memo.counts.Columns, Enough: units, Counts: r.memo.counts.Counts}
	if !r.Told() {
		return c, nil
	}
	c.Counts = nil
	return c, r.Pass(ctx, c)
}

func freshOf(of []Aggregate) []Aggregate {
	out := make([]Aggregate, len(of))
	for k, a := range of {
		out[k] = a.Fresh()
	}
	return out
}

// Add adds a part to aggregates.
func Add(to []Aggregate, p Part) error {
	for _, a := range to {
		if err := a.Add(p); err != nil {
			return err
		}
	}
	return nil
}

// Merge merges aggregates into others of the same.
func Merge(to, from []Aggregate) error {
	if len(to) != len(from) {
		return errOther
	}
	for k, a := range to {
		if err := a.Merge(from[k]); err != nil {
			return err
		}
	}
	return nil
}

var errOther = errors.New("the aggregates are of something else: a worker is of another version")

// same returns an aggregate as one of a kind.
func same[A Aggregate](o Aggregate) (A, error) {
	a, ok := o.(A)
	if !ok {
		return a, errOther
	}
	return a, nil
}
