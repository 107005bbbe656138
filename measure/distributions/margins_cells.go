package distributions

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// bins is how many cells of equal width the domain of a number has.
const bins = 20

// coded is the two tables of a release in cells.
type coded struct {
	names   []string
	size    []int // by column: its cells, of which the last holds what is missing
	columns []int // in the tables
	tables  [2][][]int32
	rows    [2]int
	halves  []int64 // by record of the original: what it adds to the difference of two halves
}

// marginsCells returns the columns of a release but identifiers and weights in cells: a category, or one of bins of
// equal width of the domain of a number, whose end ones hold what is outside. Where the custodian declared no domain it
// is that of the original. The result is shared by the measures of the package.
func marginsCells(ctx context.Context, r *measure.Release) (*coded, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if r.Original.Rows() == 0 || r.Released.Rows() == 0 {
		return nil, errors.New("a table has no records")
	}
	return measure.PerRelease(r, "cells of margins", func(r *measure.Release) (*coded, error) {
		c := &coded{rows: [2]int{r.Original.Rows(), r.Released.Rows()}}
		for j := range r.Original.Width() {
			if a := r.Original.Attr(j); a.Kind.Scalar() && a.Role&(table.Identifier|table.Weight) == 0 {
				c.columns, c.names = append(c.columns, j), append(c.names, a.Name)
				c.size = append(c.size, 1+width(r.Original, j))
			}
		}
		if len(c.columns) == 0 {
			return nil, errors.New("there is no column to compare: identifiers and weights are left out")
		}
		for k, t := range []*table.Table{r.Original, r.Released} {
			c.tables[k] = make([][]int32, len(c.columns))
			err := parallel.Each(ctx, len(c.columns), func(j int) error {
				c.tables[k][j] = codes(r.Original, t, c.columns[j], c.size[j]-1)
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
		half := c.rows[0] / 2
		c.halves = slices.Repeat([]int64{-int64(half)}, c.rows[0])
		for _, i := range r.Original.Drawn(half, rng.New([32]byte{}).Fork("halves")) {
			c.halves[i] = int64(c.rows[0] - half)
		}
		return c, nil
	})
}

// width returns how many cells the values of a column have.
func width(t *table.Table, j int) int {
	if t.Attr(j).Kind == table.Numeric {
		return bins
	}
	return len(t.Attr(j).Labels)
}

// codes returns the cells of a column's values, of which so many are not for missing ones.
func codes(original, t *table.Table, j, cells int) []int32 {
	out := make([]int32, t.Rows())
	if c := t.Cat(j); c != nil {
		for i, v := range c {
			if out[i] = v; v < 0 {
				out[i] = int32(cells)
			}
		}
		return out
	}
	lo, hi := domain(original, j)
	for i, v := range t.Num(j) {
		switch {
		case v != v:
			out[i] = int32(cells)
		case v >= hi:
			out[i] = int32(cells) - 1
		case v > lo:
			out[i] = min(int32((v-lo)/(hi-lo)*float64(cells)), int32(cells)-1)
		}
	}
	return out
}

// domain returns the ends of the domain of a number: as declared, where they are finite, else those of the original.
func domain(original *table.Table, j int) (lo, hi float64) {
	a := original.Attr(j)
	if d := a.Domain; a.Declared && !math.IsInf(d.Lo, 0) && !math.IsInf(d.Hi, 0) {
		return d.Lo, d.Hi
	}
	return table.Range(original.Num(j))
}

// denseCells is up to how many cells counts are kept in a list.
const denseCells = 1 << 20

// block is how many records are put into cells at a time.
const block = 4096

// counter counts records in the cells of several columns. It is of one goroutine.
type counter struct {
	cells [block]int
	// by cell: shares of the original less those of the release, and those of a half of the original less those of the
	// other, in units of 1 over the product of the numbers of records
	far, floor marginsTally
}

// marginsTally is a count by cell, in a list where there are few cells.
type marginsTally struct {
	dense  []int64
	sparse map[int]int64
}

func (t *marginsTally) clear(number int) {
	if t.sparse = nil; number > denseCells {
		t.sparse = map[int]int64{}
		return
	}
	t.dense = slices.Grow(t.dense[:0], number)[:number]
	clear(t.dense)
}

// variation returns half the sum of the absolute counts over n m. Sums are of whole numbers, so they do not depend on
// the order.
func (t *marginsTally) variation(n, m int) float64 {
	sum := int64(0)
	if t.sparse != nil {
		for _, d := range t.sparse {
			sum += max(d, -d)
		}
	} else {
		for _, d := range t.dense {
			sum += max(d, -d)
		}
	}
	return min(1, float64(sum)/2/(float64(n)*float64(m)))
}

func (t *marginsTally) add(cells []int, d int64) {
	if t.sparse != nil {
		for _, cell := range cells {
			t.sparse[cell] += d
		}
		return
	}
	for _, cell := range cells {
		t.dense[cell] += d
	}
}

func (t *marginsTally) addEach(cells []int, d []int64) {
	if t.sparse != nil {
		for k, cell := range cells {
			t.sparse[cell] += d[k]
		}
		return
	}
	for k, cell := range cells {
		t.dense[cell] += d[k]
	}
}

// compare returns the total variation distance of the release from the original in the cells of columns, half the sum
// of the differences of the shares, and that of the halves of the original. Cost: O(n) for the records of both
// tables, and the cells where these are few.
func (n *counter) compare(c *coded, set []int) (far, floor float64) {
	number := 1
	for _, j := range set {
		number = min(number, denseCells) * c.size[j]
	}
	n.far.clear(number)
	n.floor.clear(number)
	for table, rows := range c.rows {
		for from := 0; from < rows; from += block {
			cells := n.cells[:min(block, rows-from)]
			clear(cells)
			for _, j := range set {
				size := c.size[j]
				for k, code := range c.tables[table][j][from : from+len(cells)] {
					cells[k] = cells[k]*size + int(code)
				}
			}
			if table == 1 {
				n.far.add(cells, -int64(c.rows[0]))
				continue
			}
			n.far.add(cells, int64(c.rows[1]))
			n.floor.addEach(cells, c.halves[from:from+len(cells)])
		}
	}
	far = n.far.variation(c.rows[0], c.rows[1])
	if half := c.rows[0] / 2; half > 0 {
		floor = n.floor.variation(half, c.rows[0]-half)
	}
	return far, floor
}

// sets returns the sets of so many of n columns, or so many of them drawn by a public seed, the same for every release.
// All says that none is left out. Cost: O(most).
func sets(n, k, most int) (out [][]int, all bool) {
	if total := choose(n, k); total <= most {
		set := make([]int, k)
		var grow func(at, from int)
		grow = func(at, from int) {
			if at == k {
				out = append(out, append([]int(nil), set...))
				return
			}
			for j := from; j < n; j++ {
				set[at] = j
				grow(at+1, j+1)
			}
		}
		grow(0, 0)
		return out, true
	}
	r, seen := rng.New([32]byte{}).Fork(fmt.Sprintf("sets of %d columns", k)).Rand(), map[[3]int]bool{}
	for len(out) < most {
		var key [3]int
		set := draw(r.IntN, n, k)
		copy(key[:], set)
		if !seen[key] {
			seen[key], out = true, append(out, set)
		}
	}
	return out, false
}

// draw returns k different numbers below n, ascending.
func draw(below func(int) int, n, k int) []int {
	for {
		set := make([]int, k)
		for at := range set {
			set[at] = below(n)
		}
		ascending := true
		for at := 1; at < k; at++ {
			ascending = ascending && set[at-1] < set[at]
		}
		if ascending {
			return set
		}
	}
}

// choose returns how many sets of k of n there are, for k up to 3.
func choose(n, k int) int {
	switch k {
	case 1:
		return n
	case 2:
		return n * (n - 1) / 2
	}
	return n * (n - 1) * (n - 2) / 6
}
