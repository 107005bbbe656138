// Package margins compares the margins of one, two and three columns of two tables.
package margins

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Bins is in how many ranges of equal width a number is cut for its margins.
const Bins = 20

// Of returns the mean error of the margins of one, two and three columns of a release: total variation, from 0 to
// 1, over all columns, pairs and triples that it shares with the original by name. Numbers are cut over the range of
// the original; a missing value is a value of its own. Cost: O(columns³ records).
func Of(original, release *table.Table) (out [3]float64) {
	var cols []coded
	for j := range original.Width() {
		if k := release.Find(original.Attr(j).Name); k >= 0 && original.Attr(j).Kind.Scalar() {
			cols = append(cols, code(original, j, release, k))
		}
	}
	var sum tally
	for i := range cols {
		sum.add(0, cols[i])
		for j := range i {
			sum.add(1, cols[i], cols[j])
			for k := range j {
				sum.add(2, cols[i], cols[j], cols[k])
			}
		}
	}
	for k := range out {
		out[k] = sum.total[k] / float64(sum.n[k])
	}
	return out
}

// coded is a column of the original and of the release, by the same codes from 0 to size-1.
type coded struct {
	a, b []int
	size int
}

// code codes column j of the original and k of the release.
func code(original *table.Table, j int, release *table.Table, k int) coded {
	of := numbers(original, j)
	if original.Attr(j).Kind != table.Numeric || release.Attr(k).Kind != table.Numeric {
		codes := map[string]int{}
		of = func(t *table.Table, i, j int) int {
			text := shownAs(t, i, j)
			if _, ok := codes[text]; !ok {
				codes[text] = len(codes)
			}
			return codes[text]
		}
	}
	c := coded{a: make([]int, original.Rows()), b: make([]int, release.Rows())}
	for i := range c.a {
		c.a[i] = of(original, i, j)
	}
	for i := range c.b {
		c.b[i] = of(release, i, k)
	}
	c.size = 1 + max(slices.Max(c.a), slices.Max(c.b))
	return c
}

// shownAs is a value as text: "" is missing.
func shownAs(t *table.Table, i, j int) string {
	switch {
	case t.MissingAt(i, j):
		return ""
	case t.Attr(j).Kind == table.Numeric:
		return fmt.Sprint(t.Num(j)[i])
	}
	return t.Attr(j).Labels[t.Cat(j)[i]]
}

// numbers returns the code of a number: its range, or what follows the ranges where it is missing.
func numbers(t *table.Table, j int) func(t *table.Table, i, j int) int {
	if t.Attr(j).Kind != table.Numeric {
		return nil
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range t.Num(j) {
		if v == v {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return func(t *table.Table, i, j int) int {
		v := t.Num(j)[i]
		switch {
		case v != v:
			return Bins
		case hi <= lo:
			return 0
		}
		return int(min(max(Bins*(v-lo)/(hi-lo), 0), Bins-1))
	}
}

// tally sums the errors of margins of one, two and three columns.
type tally struct {
	total  [3]float64
	n      [3]int
	counts []float64 // by cell of the margin in hand; zeros between margins
}

// add adds the error of a margin.
func (y *tally) add(k int, cols ...coded) {
	cells := 1
	for _, c := range cols {
		cells *= c.size
	}
	y.counts = slices.Grow(y.counts[:0], cells)[:cells]
	var seen []int
	count := func(of func(coded) []int, weight float64) {
		for i := range of(cols[0]) {
			cell := 0
			for _, c := range cols {
				cell = cell*c.size + of(c)[i]
			}
			if y.counts[cell] == 0 {
				seen = append(seen, cell)
			}
			y.counts[cell] += weight / float64(len(of(cols[0])))
		}
	}
	count(func(c coded) []int { return c.a }, 1)
	count(func(c coded) []int { return c.b }, -1)
	for _, cell := range seen {
		y.total[k] += math.Abs(y.counts[cell]) / 2
		y.counts[cell] = 0 // a cell may be listed twice
	}
	y.n[k]++
}

// Halves returns the error of the margins of one half of the records, drawn at random, beside the other.
func Halves(t *table.Table, src rng.Source) [3]float64 {
	rows := src.Rand().Perm(t.Rows())
	return Of(t.Gather(rows[:t.Rows()/2]), t.Gather(rows[t.Rows()/2:]))
}

// Independent returns the error of the margins where every column is permuted by itself.
func Independent(t *table.Table, src rng.Source) [3]float64 {
	cols := t.Columns()
	for j := range cols {
		cols[j] = t.Gather(src.Fork(t.Attr(j).Name).Rand().Perm(t.Rows())).Column(j)
	}
	alone, err := t.WithColumns(cols)
	if err != nil {
		panic("margins: " + err.Error()) // the columns are its own
	}
	return Of(t, alone)
}
