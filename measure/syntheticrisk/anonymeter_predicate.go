package syntheticrisk

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// op is how a condition compares a value.
type op uint8

const (
	equal op = iota
	unequal
	anonymeterAtMost
	atLeast
	below
	above
	absent // there is no value
)

// condition is one on a value of a column; a category's is its code.
type condition struct {
	column int // among those that are looked at
	op     op
	value  float64
}

// sorted is the records of a table by the values of each column, those without one last.
type sorted struct {
	rows    int
	columns []byColumn
}

type byColumn struct {
	order  []int32   // records
	place  []int32   // by record: its place in the order
	values []float64 // in the order, of the records that have one
}

// once returns the columns that are looked at and the records of a table, each of equal ones once, in an order of their
// identities. Cost: O(n) for a column, and O(n log n).
func once(ctx context.Context, t *table.Table) (*table.Table, error) {
	known := nearest.Everything(t)
	c, err := classes.Of(ctx, known, false, t)
	if err != nil {
		return nil, err
	}
	columns := make([]int, len(known))
	for k := range known {
		columns[k] = known[k].Column
	}
	seen, rows := make([]bool, c.Len()), []int(nil)
	for _, i := range t.Order(rng.New([32]byte{}).Fork("singling out")) {
		if class := c.Of[0][i]; !seen[class] {
			seen[class], rows = true, append(rows, i)
		}
	}
	return t.Gather(rows).Select(columns...), nil
}

// sort sorts the records by every column. Cost: O(n log n) for a column.
func sort(ctx context.Context, t *table.Table) (*sorted, error) {
	s := &sorted{rows: t.Rows(), columns: make([]byColumn, t.Width())}
	return s, parallel.Each(ctx, t.Width(), func(j int) error {
		n := t.Rows()
		c := byColumn{order: make([]int32, 0, n), place: make([]int32, n)}
		type one struct {
			value float64
			row   int32
		}
		var known []one
		for i := range n {
			if v, ok := anonymeterValue(t, j, i); ok {
				known = append(known, one{v, int32(i)})
			}
		}
		slices.SortFunc(known, func(a, b one) int {
			switch {
			case a.value < b.value:
				return -1
			case a.value > b.value:
				return 1
			}
			return int(a.row) - int(b.row)
		})
		for _, k := range known {
			c.order, c.values = append(c.order, k.row), append(c.values, k.value)
		}
		for i := range n {
			if _, ok := anonymeterValue(t, j, i); !ok {
				c.order = append(c.order, int32(i))
			}
		}
		for at, row := range c.order {
			c.place[row] = int32(at)
		}
		s.columns[j] = c
		return nil
	})
}

// anonymeterValue returns the number, or the code of the category, that a record has in a column.
func anonymeterValue(t *table.Table, j, i int) (v float64, ok bool) {
	if c := t.Cat(j); c != nil {
		return float64(c[i]), c[i] >= 0
	}
	v = t.Num(j)[i]
	return v, v == v
}

// span is the places of the records that meet a condition, or of those that do not.
type span struct {
	column   int
	from, to int32
	not      bool
}

func (s *sorted) span(c condition) span {
	b := &s.columns[c.column]
	from, _ := slices.BinarySearch(b.values, c.value)
	to := from
	if c.op != below && c.op != atLeast {
		to, _ = slices.BinarySearchFunc(b.values, c.value, func(v, at float64) int {
			if v <= at {
				return -1
			}
			return 1
		})
	}
	out := span{column: c.column, from: int32(from), to: int32(to)}
	switch c.op {
	case equal:
	case unequal:
		out.not = true
	case anonymeterAtMost:
		out.from = 0
	case below:
		out.from, out.to = 0, int32(from)
	case atLeast:
		out.to = int32(len(b.values))
	case above:
		out.from, out.to = int32(to), int32(len(b.values))
	case absent:
		out.from, out.to = int32(len(b.values)), int32(s.rows)
	}
	return out
}

func (p span) has(place int32) bool { return (place >= p.from && place < p.to) != p.not }

// each calls visit with the records that meet all conditions until it returns false. It looks at the fewest that one of
// them leaves.
func (s *sorted) each(conditions []condition, visit func(row int32) bool) {
	var room [8]span
	spans, fewest := room[:0], -1
	for k, c := range conditions {
		p := s.span(c)
		if spans = append(spans, p); !p.not && (fewest < 0 || p.to-p.from < spans[fewest].to-spans[fewest].from) {
			fewest = k
		}
	}
	all := spans[0].column
	from, to := int32(0), int32(s.rows)
	if fewest >= 0 {
		all, from, to = spans[fewest].column, spans[fewest].from, spans[fewest].to
	}
next:
	for _, row := range s.columns[all].order[from:to] {
		for k := range spans {
			if k != fewest && !spans[k].has(s.columns[spans[k].column].place[row]) {
				continue next
			}
		}
		if !visit(row) {
			return
		}
	}
}

// one reports whether exactly one record meets all conditions.
func (s *sorted) one(conditions []condition) bool {
	n := 0
	s.each(conditions, func(int32) bool { n++; return n < 2 })
	return n == 1
}

// firstTwo returns the two first records that meet all conditions, by their order; the number of records where there is
// none.
func (s *sorted) firstTwo(conditions []condition) (first, second int) {
	a, b := int32(s.rows), int32(s.rows)
	s.each(conditions, func(row int32) bool {
		switch {
		case row < a:
			a, b = row, a
		case row < b:
			b = row
		}
		return true
	})
	return int(a), int(b)
}
