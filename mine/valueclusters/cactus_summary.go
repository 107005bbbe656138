package valueclusters

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// Expected returns how many of n records have two given values of attributes with a and b values, when all pairs are
// equally likely.
func Expected(n, a, b int) float64 { return float64(n) / (float64(a) * float64(b)) }

// Strong reports whether so many records make two values strongly connected: at least delta times those expected, up to
// rounding.
func Strong(count, expected, delta float64) bool {
	return count > 0 && count >= delta*expected*(1-1e-12)
}

// column is an attribute with the values that occur, numbered in the order of their codes.
type column struct {
	name   string
	labels []string // by number
	codes  []int32  // the number of every record's value, -1 where it is missing
}

func load(t *table.Table, j int) *column {
	a := t.Attr(j)
	c := &column{name: a.Name, codes: make([]int32, t.Rows())}
	to := slices.Repeat([]int32{-1}, len(a.Labels))
	for _, v := range t.Cat(j) {
		if v >= 0 {
			to[v] = 0
		}
	}
	for v, seen := range to {
		if seen == 0 {
			to[v] = int32(len(c.labels))
			c.labels = append(c.labels, a.Labels[v])
		}
	}
	for i, v := range t.Cat(j) {
		c.codes[i] = -1
		if v >= 0 {
			c.codes[i] = to[v]
		}
	}
	return c
}

// summary is what CACTUS keeps of the records: the pairs of values, counted, and which are strongly connected.
type summary struct {
	*CACTUSLearner
	rows  int
	cols  []*column
	pairs map[[2]*column]*counts
	rel   [][][]set // rel[i][j][a]: the values of column j that value a of column i is strongly connected to
	notes []string
}

func (s *summary) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// counts are the records of every pair of values of two columns, a value of the first by row.
type counts struct {
	known int
	of    []int32
}

// count counts the pairs of values of all pairs of columns.
func (s *summary) count(ctx context.Context) error {
	var keys [][2]*column
	for i, a := range s.cols {
		for _, b := range s.cols[i+1:] {
			keys = append(keys, [2]*column{a, b})
		}
	}
	found := make([]*counts, len(keys))
	err := parallel.Each(ctx, len(keys), func(k int) error {
		a, b := keys[k][0], keys[k][1]
		c := &counts{of: make([]int32, len(a.labels)*len(b.labels))}
		width := int32(len(b.labels))
		for i, v := range a.codes {
			if w := b.codes[i]; v >= 0 && w >= 0 {
				c.of[v*width+w]++
				c.known++
			}
		}
		found[k] = c
		return nil
	})
	s.pairs = make(map[[2]*column]*counts, len(keys))
	for k, key := range keys {
		s.pairs[key] = found[k]
	}
	return err
}

// drop leaves out the columns that are independent of each other column.
func (s *summary) drop() {
	related := map[*column]bool{}
	for key, c := range s.pairs {
		if c.dependence(len(key[1].labels)) < 0.001/float64(len(s.cols)-1) {
			related[key[0]], related[key[1]] = true, true
		}
	}
	s.cols = slices.DeleteFunc(s.cols, func(c *column) bool {
		if !related[c] {
			s.note("column %q is independent of each other column: it is left out", c.name)
		}
		return !related[c]
	})
}

// dependence returns how likely counts so far from independence are, by Pearson's chi-squared test: 1 when one of the
// columns has a single value.
func (c *counts) dependence(width int) float64 {
	if c.known == 0 {
		return 1
	}
	rows, cols := make([]float64, len(c.of)/width), make([]float64, width)
	for k, n := range c.of {
		rows[k/width] += float64(n)
		cols[k%width] += float64(n)
	}
	sum := 0.0
	for k, n := range c.of {
		if n > 0 {
			sum += float64(n) * float64(n) / (rows[k/width] * cols[k%width])
		}
	}
	occur := func(margin []float64) (n float64) {
		for _, v := range margin {
			if v > 0 {
				n++
			}
		}
		return n
	}
	free := float64((occur(rows) - 1) * (occur(cols) - 1))
	if free == 0 {
		return 1
	}
	return portable.ChiSquaredUpper(free, float64(c.known)*(sum-1))
}

// connect finds the strongly connected values of all pairs of columns.
func (s *summary) connect() {
	s.rel = make([][][]set, len(s.cols))
	for i := range s.cols {
		s.rel[i] = make([][]set, len(s.cols))
	}
	for i, a := range s.cols {
		for j := i + 1; j < len(s.cols); j++ {
			b := s.cols[j]
			c := s.pairs[[2]*column{a, b}]
			expected := Expected(c.known, len(a.labels), len(b.labels))
			if s.Delta*expected <= 1 && c.known > 0 {
				s.note("columns %q and %q have so many values that a single record makes a strong connection", a.name, b.name)
			}
			s.rel[i][j], s.rel[j][i] = sets(len(a.labels), len(b.labels)), sets(len(b.labels), len(a.labels))
			for k, n := range c.of {
				if Strong(float64(n), expected, s.Delta) {
					v, w := k/len(b.labels), k%len(b.labels)
					s.rel[i][j][v].add(w)
					s.rel[j][i][w].add(v)
				}
			}
		}
	}
}
