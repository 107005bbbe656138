package selectmeasure

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/stats/graphical"
	"github.com/dither-data/dither/rng"
)

// Segments are parts of the records by conditions on single columns, which are known without looking at the records:
// the leaves of a private tree.
type Segments struct {
	Of []int32 // by record
	// Allowed holds by segment, column and value whether records of the segment may have it; nil for a column without
	// conditions in the segment.
	Allowed [][][]bool
	Inside  []int // columns that are drawn given the segment, those without conditions: the class
}

// Tested reports whether a segment has a condition on a column.
func (s *Segments) Tested(column int) bool {
	return slices.ContainsFunc(s.Allowed, func(allowed [][]bool) bool { return allowed[column] != nil })
}

// FitInside is Fit for records that are drawn segment by segment: the segment is an attribute of its own, drawn first.
// Columns with conditions, and those that are to be drawn inside, have it among their parents, and of the values that
// it does not allow the probability is 0, so a record never leaves the segment it is drawn for. For other columns it is
// a parent like any other, or none.
//
// Of d columns d choices and d+1 tables are paid for, that of the segments among them. What Segments say is taken as
// known: the caller has paid for it. A column that must be given the segment is measured with it even where that table
// has more cells than Cells and Usefulness let others have, so memory grows with segments times values. Cost: as of Fit
// for one column more.
func (b PrivBayes) FitInside(ctx context.Context, t *Table, s *Segments, p Promise, src rng.Source) (*Law, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	d := len(t.Domain)
	wide := &Table{Domain: append(graphical.Domain{len(s.Allowed)}, t.Domain...), Columns: append([][]int32{s.Of},
		t.Columns...)}
	if err := wide.check(); err != nil {
		return nil, fmt.Errorf("segments: %w", err)
	}
	a, err := b.begin(t, p, d, d+1, src)
	if err != nil {
		return nil, err
	}
	c := chooser{table: wide, most: a.most, pick: a.pick,
		bound: func(v int) bool { return s.Tested(v-1) || slices.Contains(s.Inside, v-1) }}
	network, err := c.choose(ctx, []int{0}, nil)
	if err != nil {
		return nil, err
	}
	network = append([]parenthood{{child: 0}}, network...)
	all, err := a.measure(wide, network)
	if err != nil {
		return nil, err
	}
	for k := range all {
		s.clear(wide.Domain, all[k].Scope, all[k].Counts)
	}
	l, err := b.law(ctx, wide.Domain, network, all, a.records, true)
	if err != nil {
		return nil, err
	}
	for k := range l.Network {
		s.confine(wide.Domain, &l.Network[k])
	}
	l.Columns = l.Columns[1:]
	return l, nil
}

// clear sets the cells of a table to 0 in which no record can be.
func (s *Segments) clear(d graphical.Domain, scope []int, counts []float64) {
	if scope[0] != 0 {
		return
	}
	for k, v := range scope[1:] {
		after := int(d.Cells(scope[k+2:]))
		segment := len(counts) / d[0]
		for i := range counts {
			if allowed := s.Allowed[i/segment][v-1]; allowed != nil && !allowed[i/after%d[v]] {
				counts[i] = 0
			}
		}
	}
}

// confine takes the probability of values that a segment does not allow, of a law that is given the segment. Where
// nothing is left all that are allowed are as likely.
func (s *Segments) confine(d graphical.Domain, c *graphical.Conditional) {
	at := slices.Index(c.Given, 0)
	if at < 0 {
		return
	}
	after, size := int(d.Cells(c.Given[at+1:])), d[c.Of]
	for cell := range len(c.Law) / size {
		allowed := s.Allowed[cell/after%d[0]][c.Of-1]
		if allowed == nil {
			continue
		}
		law, sum, n := c.Law[cell*size:(cell+1)*size], 0.0, 0.0
		for x, ok := range allowed {
			if ok {
				sum, n = sum+law[x], n+1
			}
		}
		for x, ok := range allowed {
			switch {
			case !ok:
				law[x] = 0
			case sum > 0:
				law[x] /= sum
			default:
				law[x] = 1 / n
			}
		}
	}
}
