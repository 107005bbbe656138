package aggregate

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/stats/moments"
)

// Extremes are the least and the largest number of columns.
type Extremes struct {
	Columns []int
	// Of the columns: how many values are not missing, and the ends, 0 and 0 without any.
	Known  []int
	Lo, Hi []float64
}

// Fresh implements Aggregate.
func (e *Extremes) Fresh() Aggregate { return &Extremes{Columns: e.Columns} }

// Add implements Aggregate.
func (e *Extremes) Add(p Part) error {
	e.room()
	for k, j := range e.Columns {
		for _, v := range p.Num(j) {
			if v == v {
				e.take(k, v, v, 1)
			}
		}
	}
	return nil
}

// Merge implements Aggregate.
func (e *Extremes) Merge(from Aggregate) error {
	o, err := same[*Extremes](from)
	if err != nil || o.Known == nil {
		return err
	}
	if len(o.Known) != len(e.Columns) {
		return errOther
	}
	e.room()
	for k, n := range o.Known {
		if n > 0 {
			e.take(k, o.Lo[k], o.Hi[k], n)
		}
	}
	return nil
}

func (e *Extremes) room() {
	if e.Known == nil {
		e.Known, e.Lo, e.Hi = make([]int, len(e.Columns)), make([]float64, len(e.Columns)), make([]float64, len(e.Columns))
	}
}

// take takes in n values from lo to hi.
func (e *Extremes) take(k int, lo, hi float64, n int) {
	if e.Known[k] == 0 {
		e.Lo[k], e.Hi[k] = lo, hi
	}
	e.Lo[k], e.Hi[k] = min(e.Lo[k], lo), max(e.Hi[k], hi)
	e.Known[k] += n
}

// Ranges returns the ends by column.
func (e *Extremes) Ranges() []moments.Range {
	e.room()
	out := make([]moments.Range, len(e.Columns))
	for k := range out {
		out[k] = moments.Range{Lo: e.Lo[k], Hi: e.Hi[k]}
	}
	return out
}

// Moments are exact sums, of values and of products (moments.Moments), of columns of numbers and of indicators of
// categories: for each column of Given as many as it has categories but the first (moments.Indicators).
type Moments struct {
	Columns []int
	Given   []int
	Ranges  []moments.Range // of the columns, and 0 to 1 of the indicators
	// Logs takes ln(max(x, Low) + Shift) of every number, by column, in place of x; the ranges are of these.
	Logs       bool
	Low, Shift []float64

	Of *moments.Moments // nil without records
}

// Fresh implements Aggregate.
func (m *Moments) Fresh() Aggregate {
	f := *m
	f.Of = nil
	return &f
}

// Add implements Aggregate.
func (m *Moments) Add(p Part) error {
	var cols [][]float64
	for k, j := range m.Columns {
		col := p.Num(j)
		if m.Logs {
			col = m.logs(k, col)
		}
		cols = append(cols, col)
	}
	for _, j := range m.Given {
		cols = append(cols, moments.Indicators(p.Space(), p.Cat(j), max(0, len(p.Attr(j).Labels)-1))...)
	}
	return m.All().Add(context.Background(), cols)
}

// logs returns the logarithms of numbers of the k-th column.
func (m *Moments) logs(k int, values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = m.Log(k, v)
	}
	return out
}

// Log returns the logarithm of a number of the k-th column.
func (m *Moments) Log(k int, v float64) float64 { return portable.Log(max(v, m.Low[k]) + m.Shift[k]) }

// All returns what is found, of no records too.
func (m *Moments) All() *moments.Moments {
	if m.Of == nil {
		m.Of = moments.New(m.Ranges)
	}
	return m.Of
}

// Merge implements Aggregate.
func (m *Moments) Merge(from Aggregate) error {
	o, err := same[*Moments](from)
	if err != nil || o.Of == nil {
		return err
	}
	if !slices.Equal(o.Ranges, m.Ranges) || o.Of.P != len(m.Ranges) {
		return errOther
	}
	m.All().Merge(o.Of)
	return nil
}

// Sums are exact sums of the numbers of columns or, where About is given by column, of their squared distances from
// that.
type Sums struct {
	Columns []int
	About   []float64

	Known []int // values that are not missing
	Sums  []exact.Sum
}

// Fresh implements Aggregate.
func (s *Sums) Fresh() Aggregate { return &Sums{Columns: s.Columns, About: s.About} }

// Add implements Aggregate.
func (s *Sums) Add(p Part) error {
	s.room()
	for k, j := range s.Columns {
		if s.About == nil {
			s.Known[k] += s.Sums[k].AddKnown(p.Num(j))
			continue
		}
		for _, v := range p.Num(j) {
			if d := v - s.About[k]; d == d {
				s.Sums[k].Add(float64(d * d))
				s.Known[k]++
			}
		}
	}
	return nil
}

func (s *Sums) room() {
	if s.Known == nil {
		s.Known, s.Sums = make([]int, len(s.Columns)), make([]exact.Sum, len(s.Columns))
	}
}

// Merge implements Aggregate.
func (s *Sums) Merge(from Aggregate) error {
	o, err := same[*Sums](from)
	if err != nil || o.Known == nil {
		return err
	}
	if len(o.Known) != len(s.Columns) {
		return errOther
	}
	s.room()
	for k := range s.Sums {
		s.Known[k] += o.Known[k]
		s.Sums[k].Merge(&o.Sums[k])
	}
	return nil
}

// Means returns the means of the values that columns have, NaN of none.
func (s *Sums) Means() []float64 {
	s.room()
	out := make([]float64, len(s.Columns))
	for k := range out {
		out[k] = s.Sums[k].Mean(s.Known[k])
	}
	return out
}

// Near counts the numbers of columns that are 0, and of the others those of which |x + Shift| is below Limit.
type Near struct {
	Columns      []int
	Shift, Limit []float64

	Known, Zero, Near []int
}

// Fresh implements Aggregate.
func (n *Near) Fresh() Aggregate { return &Near{Columns: n.Columns, Shift: n.Shift, Limit: n.Limit} }

// Add implements Aggregate.
func (n *Near) Add(p Part) error {
	n.room()
	for k, j := range n.Columns {
		for _, v := range p.Num(j) {
			switch {
			case v != v:
				continue
			case v == 0:
				n.Zero[k]++
			case math.Abs(v+n.Shift[k]) < n.Limit[k]:
				n.Near[k]++
			}
			n.Known[k]++
		}
	}
	return nil
}

func (n *Near) room() {
	if n.Known == nil {
		n.Known, n.Zero, n.Near = make([]int, len(n.Columns)), make([]int, len(n.Columns)), make([]int, len(n.Columns))
	}
}

// Merge implements Aggregate.
func (n *Near) Merge(from Aggregate) error {
	o, err := same[*Near](from)
	if err != nil || o.Known == nil {
		return err
	}
	if len(o.Known) != len(n.Columns) {
		return errOther
	}
	n.room()
	for k := range n.Known {
		n.Known[k] += o.Known[k]
		n.Zero[k] += o.Zero[k]
		n.Near[k] += o.Near[k]
	}
	return nil
}
