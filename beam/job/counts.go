package job

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// Result is what is known of a release: whole numbers, which add up to the same in any order of the shards, and
// measures.
type Result struct {
	Method  string
	Records int
	Shards  int
	Columns []Change
	// Certificate counts the records that stayed in their segments; nil where the plan has no segments of its own.
	Certificate *Certificate `json:",omitempty"`
	// Judged is what dither protect --json prints of the release: its verdict, and what was measured for it.
	Judged json.RawMessage `json:",omitempty"`
	// Measures are those that were asked for, as dither evaluate documents them; Measured is what it says of them.
	Measures []desk.MeasureDocument `json:",omitempty"`
	Measured string                 `json:"-"`

	Notes      []string `json:"-"` // what is told on the way to the verdict
	Text, Line string   `json:"-"` // what dither protect prints, and its last line
	Report     []byte   `json:"-"` // in HTML, where one is made
}

// Change is what became of a column.
type Change struct {
	Name    string
	Records int
	// values that differ from the original's; -1 where the release generalises, and has other values than the original
	Changed  int
	Lost     int // values that are missing in the release alone
	Invented int // values that are missing in the original alone
	// Moved is the sum over the records of the distance between the original and the released number, in units of Unit;
	// nil of what is no number in both.
	Moved *big.Int `json:",omitempty"`
	Unit  float64  `json:",omitempty"` // the grid of the column or, where it has none, the part 2^-40 of its domain
}

// Mean is the mean distance between original and released numbers, NaN where it is not known.
func (c *Change) Mean() float64 {
	if c.Moved == nil || c.Records == 0 {
		return math.NaN()
	}
	sum, _ := new(big.Float).SetInt(c.Moved).Float64()
	return sum * c.Unit / float64(c.Records)
}

// Certificate counts, of all records, those that are still in the segment of their original, and values that are not as
// they should be.
type Certificate struct {
	Records, Stayed, OffGrid, Outside, Missing int
	LeftBy                                     map[string]int // records that a column's values alone take out
	Segments                                   []uint64       // that hold a record, ascending
}

// Holds reports whether every record stayed in its segment, with values on their grid and in their domain.
func (c *Certificate) Holds() bool {
	return c.Stayed == c.Records && c.OffGrid == 0 && c.Outside == 0 && c.Missing == 0
}

// counts are those of a shard.
type counts struct {
	Columns     []Change
	Certificate *Certificate
}

// counted compares a shard with its release.
func counted(ctx context.Context, p protect.Plan, original, released *table.Table) (*counts, error) {
	c := &counts{}
	for j := range original.Width() {
		k := released.Find(original.Attr(j).Name)
		if k < 0 {
			return nil, fmt.Errorf("the plan loses column %q", original.Attr(j).Name)
		}
		was, is := original.Column(j), released.Column(k)
		c.Columns = append(c.Columns, change(&was, &is))
	}
	s, ok := p.(protect.Segmented)
	if !ok || s.Segmentation() == nil {
		return c, nil
	}
	by := s.Segmentation()
	d, err := segments.Certify(ctx, by, original, released)
	if err != nil {
		return nil, err
	}
	c.Certificate = &Certificate{
		Records: d.Records,
		Stayed:  d.Stayed,
		OffGrid: d.OffGrid,
		Outside: d.Outside,
		Missing: d.Missing,
		LeftBy:  d.LeftBy,
	}
	before, err := original.Conform(by.Attrs(), false)
	if err != nil {
		return nil, err
	}
	of := make([]uint64, before.Rows())
	if err := by.Route(before, of); err != nil {
		return nil, err
	}
	slices.Sort(of)
	c.Certificate.Segments = slices.Compact(of)
	return c, nil
}

// change compares a column with its release.
func change(was, is *table.Column) Change {
	c := Change{Name: was.Name, Records: was.Len()}
	for i := range was.Len() {
		switch a, b := was.MissingAt(i), is.MissingAt(i); {
		case b && !a:
			c.Lost++
		case a && !b:
			c.Invented++
		}
	}
	switch {
	case was.Kind != is.Kind, was.Kind == table.Categorical && !slices.Equal(was.Labels, is.Labels):
		c.Changed = -1
		return c
	case was.Kind == table.Numeric:
		c.Moved, c.Unit = moved(was, is)
	}
	c.Changed = was.Differ(is)
	return c
}

// moved adds up by how much numbers differ. Each difference is rounded to a whole number of units, so the sum is exact
// in any order.
func moved(was, is *table.Column) (*big.Int, float64) {
	unit := was.Step
	if unit == 0 {
		if unit = (was.Domain.Hi - was.Domain.Lo) * 0x1p-40; !(unit > 0) || math.IsInf(unit, 0) {
			unit = 0x1p-40
		}
	}
	all, some := new(big.Int), int64(0)
	for i, v := range was.Num {
		switch x := math.Round(math.Abs(is.Num[i]-v) / unit); {
		case x < 1<<31:
			some += int64(x) // no chunk of a file has 2^32 records
		case x == x && !math.IsInf(x, 0):
			far, _ := big.NewFloat(x).Int(nil)
			all.Add(all, far)
		}
	}
	all.Add(all, big.NewInt(some))
	return all, unit
}

// add adds what was counted of other records.
func (c *counts) add(o *counts) {
	for j := range c.Columns {
		a, b := &c.Columns[j], &o.Columns[j]
		a.Records, a.Lost, a.Invented = a.Records+b.Records, a.Lost+b.Lost, a.Invented+b.Invented
		if a.Changed >= 0 && b.Changed >= 0 {
			a.Changed += b.Changed
		} else {
			a.Changed = -1
		}
		if a.Moved != nil && b.Moved != nil {
			a.Moved.Add(a.Moved, b.Moved)
		}
	}
	if a, b := c.Certificate, o.Certificate; a != nil && b != nil {
		a.Records, a.Stayed, a.OffGrid, a.Outside, a.Missing = a.Records+b.Records, a.Stayed+b.Stayed, a.OffGrid+b.OffGrid,
			a.Outside+b.Outside, a.Missing+b.Missing
		for name, n := range b.LeftBy {
			if a.LeftBy == nil {
				a.LeftBy = map[string]int{}
			}
			a.LeftBy[name] += n
		}
		a.Segments = slices.Concat(a.Segments, b.Segments)
		slices.Sort(a.Segments)
		a.Segments = slices.Compact(a.Segments)
	}
}

// counted adds up what was counted of the shards.
func (q *Job) counted(folder string) (*counts, error) {
	var all *counts
	for k := range q.Shards {
		c, err := read[counts](folder, countsFile(k))
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = &c
		} else {
			all.add(&c)
		}
	}
	return all, nil
}

// Finish adds up what was counted of the shards.
func Finish(_ context.Context, folder string) error {
	q, _, method, _, err := planned(folder)
	if err != nil {
		return err
	}
	all, err := q.counted(folder)
	if err != nil {
		return err
	}
	r := Result{Method: method, Shards: len(q.Shards), Columns: all.Columns, Certificate: all.Certificate}
	r.Records = all.Columns[0].Records
	return write(folder, resultFile, r)
}

// Outcome reads what Judge, Measure and Finish left. A release that is withheld comes with a *desk.Broken.
func Outcome(folder string) (*Result, error) {
	r, err := read[Result](folder, resultFile)
	if err != nil {
		return nil, err
	}
	q, err := read[Job](folder, jobFile)
	if err != nil {
		return nil, err
	}
	v, err := read[verdict](folder, verdictFile)
	if err != nil {
		return nil, err
	}
	r.Judged, r.Notes, r.Text, r.Line, r.Report = v.Document, v.Notes, v.Text, v.Line, v.Report
	if len(q.Measures) > 0 {
		m, err := read[measures](folder, measuresFile)
		if err != nil {
			return nil, err
		}
		r.Measures, r.Measured = m.Documents, m.Text
	}
	if v.Broken != nil {
		return &r, v.Broken
	}
	return &r, nil
}
