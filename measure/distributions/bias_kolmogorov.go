package distributions

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/table"
)

const (
	fewest = 4096 // values, below which sorting them is as fast as counting
	// values a cell, on average: few beside the difference of two samples of one law, about the root of their size
	density   = 16
	mostCells = 1 << 16 // whose counts stay in the second cache
)

// kolmogorovSmirnov returns the largest difference of the distribution functions of two samples, of the values that are
// there: NaN when x has none and 1 when y has none. What is sorted is in the space. Cost: O(n), or a sort of both
// samples where their distributions are all but the same.
func kolmogorovSmirnov(x, y []float64, room *mmap.Space) float64 {
	n, m := present(x), present(y)
	switch {
	case n == 0:
		return math.NaN()
	case m == 0:
		return 1
	}
	lo, hi := table.Range(x)
	a, b := table.Range(y)
	lo, hi = min(lo, a), max(hi, b)
	number := min((n+m)/density, mostCells)
	// no cells of that width
	if n+m < fewest || math.IsInf(hi-lo, 0) || hi > lo && math.IsInf(float64(number)/(hi-lo), 0) {
		all := func(float64) bool { return true }
		p, q := sorted(x, n, all, room), sorted(y, m, all, room)
		defer mmap.Free(room, p)
		defer mmap.Free(room, q)
		return biasFarthest(p, q, 0, 0, float64(n), float64(m))
	}
	return newCells(x, y, lo, hi, number).distance(x, y, float64(n), float64(m), room)
}

// present counts the values that are there.
func present(v []float64) int {
	n := 0
	for _, w := range v {
		if w == w {
			n++
		}
	}
	return n
}

// biasFarthest returns the largest difference of two distribution functions at the values of two sorted runs, of
// samples of n and m values, of which i and j are below the runs. Where a run has ended the functions differ most at
// the end of the other or before.
func biasFarthest(x, y []float64, i, j, n, m float64) float64 {
	far := 0.0
	for len(x) > 0 && len(y) > 0 {
		v := min(x[0], y[0])
		for len(x) > 0 && x[0] == v {
			x, i = x[1:], i+1
		}
		for len(y) > 0 && y[0] == v {
			y, j = y[1:], j+1
		}
		far = max(far, math.Abs(i/n-j/m))
	}
	return far
}

// biasCells counts the values of two samples in cells of equal width, in ascending order. The distribution functions
// are known at the ends of the cells; inside a cell they can differ by more only as far as its counts allow.
type biasCells struct {
	lo, scale float64
	all       []cell
}

type cell struct {
	value float64  // of either sample, NaN when there is none
	count [2]int32 // by sample
	mixed bool     // there are other values than value
	sort  bool     // inside, the functions may differ by more than at any end
}

func newCells(x, y []float64, lo, hi float64, number int) *biasCells {
	c := &biasCells{lo: lo, all: make([]cell, number)}
	if hi > lo {
		c.scale = float64(number) / (hi - lo)
	}
	for k := range c.all {
		c.all[k].value = math.NaN()
	}
	for s, sample := range [2][]float64{x, y} {
		for _, v := range sample {
			if v != v {
				continue
			}
			a := c.of(v)
			a.count[s]++
			if a.value != a.value {
				a.value = v
			} else if a.value != v {
				a.mixed = true
			}
		}
	}
	return c
}

// of returns the cell of a value.
func (c *biasCells) of(v float64) *cell { return &c.all[min(int((v-c.lo)*c.scale), len(c.all)-1)] }

// distance returns the largest difference of the distribution functions of the two samples, which have n and m values.
// It sorts the values of those cells only inside which the functions may differ by more than at the end of any.
func (c *biasCells) distance(x, y []float64, n, m float64, room *mmap.Space) float64 {
	far := 0.0
	c.walk(func(_ *cell, _, _, i, j float64) { far = max(far, math.Abs(i/n-j/m)) })
	var sizes [2]int
	c.walk(func(a *cell, i0, j0, i, j float64) {
		if a.sort = a.mixed && max(i/n-j0/m, j/m-i0/n) > far; a.sort {
			sizes[0] += int(a.count[0])
			sizes[1] += int(a.count[1])
		}
	})
	chosen := func(v float64) bool { return c.of(v).sort }
	p, q := sorted(x, sizes[0], chosen, room), sorted(y, sizes[1], chosen, room)
	defer mmap.Free(room, p)
	defer mmap.Free(room, q)
	c.walk(func(a *cell, i0, j0, _, _ float64) {
		if a.sort {
			far = max(far, biasFarthest(p[:a.count[0]], q[:a.count[1]], i0, j0, n, m))
			p, q = p[a.count[0]:], q[a.count[1]:]
		}
	})
	return far
}

// walk calls do for every cell with the numbers of values of the two samples below it, i0 and j0, and up to its end, i
// and j.
func (c *biasCells) walk(do func(a *cell, i0, j0, i, j float64)) {
	i0, j0 := 0.0, 0.0
	for k := range c.all {
		a := &c.all[k]
		i, j := i0+float64(a.count[0]), j0+float64(a.count[1])
		do(a, i0, j0, i, j)
		i0, j0 = i, j
	}
}

// sorted returns those of the values that are there and chosen, so many, in ascending order.
func sorted(v []float64, n int, chosen func(float64) bool, room *mmap.Space) []float64 {
	out := mmap.Make[float64](room, n)[:0]
	for _, w := range v {
		if w == w && chosen(w) {
			out = append(out, w)
		}
	}
	if room == nil {
		return rank.MarginalOf(out)
	}
	slices.Sort(out)
	return out
}
