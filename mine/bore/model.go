package bore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/table"
)

// Model holds the counts that ranks are made of. It is plain data and as confidential as the table's counts.
type Model struct {
	Attrs   []table.Attribute `json:"attributes"`
	Class   int               `json:"class"` // column
	Sizes   []int             `json:"sizes"` // records of every class
	Columns []Column          `json:"columns"`
}

// Column is a ranked attribute.
type Column struct {
	Attribute int     `json:"attribute"`      // column of the table
	Cuts      Cuts    `json:"cuts,omitempty"` // of a numeric one
	Counts    [][]int `json:"counts"`         // by class and value
}

// Values returns how many values are ranked: categories, or bins.
func (c *Column) Values() int {
	if len(c.Counts) == 0 {
		return 0
	}
	return len(c.Counts[0])
}

// Rank returns the rank of a value for a class, given the number of records with a class: in [0, 1], 0 where the class
// lacks the value.
func (c *Column) Rank(class, value, records int) float64 {
	best := float64(c.Counts[class][value])
	if best == 0 {
		return 0
	}
	all := 0
	for k := range c.Counts {
		all += c.Counts[k][value]
	}
	return best * best / (float64(all) * float64(records))
}

// Records returns the number of records with a class.
func (m *Model) Records() int {
	n := 0
	for _, s := range m.Sizes {
		n += s
	}
	return n
}

// Ranks returns the ranks of the values of the k-th column for a class.
func (m *Model) Ranks(k, class int) []float64 {
	out, n := make([]float64, m.Columns[k].Values()), m.Records()
	for v := range out {
		out[v] = m.Columns[k].Rank(class, v, n)
	}
	return out
}

// Critical returns the critical value of the k-th column for a class, -1 where the class has no known value there.
func (m *Model) Critical(k, class int) int32 {
	a := &m.Attrs[m.Columns[k].Attribute]
	best, highest := int32(-1), 0.0
	for v, r := range m.Ranks(k, class) {
		if r > highest || r == highest && r > 0 && before(a, int32(v), best) {
			best, highest = int32(v), r
		}
	}
	return best
}

// before reports whether a value wins a tie against another of a higher code.
func before(a *table.Attribute, v, best int32) bool {
	return a.Kind == table.Categorical && !a.Ordered && a.Labels[v] < a.Labels[best]
}

// Condition writes "attribute = value" of the k-th column, or the interval of a bin.
func (m *Model) Condition(k int, value int32) string {
	c := &m.Columns[k]
	return c.Cuts.Condition(&m.Attrs[c.Attribute], value)
}

// Text writes the rule of every class: the critical values, those of the highest rank first.
func (m *Model) Text() string {
	var b strings.Builder
	for class, label := range m.Attrs[m.Class].Labels {
		fmt.Fprintf(&b, "%.60s = %.60s (%d records):\n", m.Attrs[m.Class].Name, label, m.Sizes[class])
		for _, r := range m.rule(class) {
			fmt.Fprintf(&b, "  %-60s rank %.4f\n", m.Condition(r.column, r.value), r.rank)
		}
	}
	return b.String()
}

// part is the critical value of one column.
type part struct {
	column int
	value  int32
	rank   float64
}

// rule returns the critical values of a class, the highest rank first.
func (m *Model) rule(class int) (out []part) {
	for k := range m.Columns {
		if v := m.Critical(k, class); v >= 0 {
			out = append(out, part{k, v, m.Columns[k].Rank(class, int(v), m.Records())})
		}
	}
	slices.SortStableFunc(out, func(a, b part) int {
		switch {
		case a.rank > b.rank:
			return -1
		case a.rank < b.rank:
			return 1
		}
		return 0
	})
	return out
}
