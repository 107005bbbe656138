package kdpartition

import (
	"cmp"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/portable/exact"
)

// cut is a test of one column.
type cut struct {
	cut     float64
	attr    int32
	missing bool // missing values go to the low side
}

// low reports whether a value goes to the low side.
func (c *cut) low(v float64) bool { return v <= c.cut || v != v && c.missing }

// column is what a node's choice looks at.
type column struct {
	lo, hi       float64
	sum, squares exact.Whole // of the places of the values on a grid from 0 to fine
	variance     float64     // of the scaled values, divisor n
	known        int
	tried        bool
}

// fine is the last place of the grid that scaled values are rounded to for the sake of their sums.
const fine = 1 << 40

// worker chooses cuts; it belongs to one goroutine.
type worker struct {
	*builder
	cols   []column
	sorted []float64
}

func (b *builder) worker() *worker { return &worker{builder: b, cols: make([]column, b.p)} }

// choose returns the cut of the node of records lo to hi; false for a leaf.
func (w *worker) choose(lo, hi int) (cut, bool) {
	if hi-lo <= w.Largest {
		return cut{}, false
	}
	w.study(lo, hi)
	high := w.High != nil && w.High(lo, hi)
	if c, ok := w.attempt(lo, hi, func(j int) (float64, bool) { return w.wanted(lo, hi, j, high), true }); ok {
		return c, true
	}
	if hi-lo <= 2*w.Largest {
		return cut{}, false
	}
	return w.attempt(lo, hi, func(j int) (float64, bool) { return w.possible(lo, hi, j, w.wanted(lo, hi, j, high)) })
}

// attempt tries the columns by variance with a cut each, and returns the first that leaves enough on both sides.
func (w *worker) attempt(lo, hi int, at func(j int) (float64, bool)) (cut, bool) {
	for j := range w.cols {
		w.cols[j].tried = w.cols[j].lo >= w.cols[j].hi
	}
	for {
		best := -1
		for j := range w.cols {
			if x := &w.cols[j]; !x.tried && (best < 0 || x.variance > w.cols[best].variance*(1+1e-12)) {
				best = j
			}
		}
		if best < 0 {
			return cut{}, false
		}
		w.cols[best].tried = true
		if t, ok := at(best); ok {
			if c, ok := w.sides(lo, hi, cut{cut: t, attr: int32(best)}); ok {
				return c, true
			}
		}
	}
}

// study finds ranges and variances. Sums are of whole numbers, and so the same in any order of the records.
func (w *worker) study(lo, hi int) {
	for j := range w.cols {
		w.cols[j] = column{lo: math.Inf(1), hi: math.Inf(-1)}
	}
	for rows := w.rows[lo*w.p : hi*w.p]; len(rows) > 0; rows = rows[w.p:] {
		for j, v := range rows[:w.p] {
			if c := &w.cols[j]; v == v {
				c.lo, c.hi = min(c.lo, v), max(c.hi, v)
				place := uint64(0)
				if at := float64((v - w.base[j]) * w.unit[j]); at > 0 { // not NaN, of a range that is infinite
					place = uint64(int64(min(at, 1)*fine + 0.5))
				}
				c.sum = c.sum.Plus(exact.Whole{0, place})
				c.squares = c.squares.PlusProduct(place, place)
				c.known++
			}
		}
	}
	for j := range w.cols {
		if c := &w.cols[j]; c.known > 0 {
			c.variance = exact.Deviation(uint64(c.known), c.squares, c.sum, c.sum) / float64(c.known) / fine / fine
		}
	}
}

// wanted returns where column j, which has two values, is to be cut so that neither side is empty. What is equal to the
// median or the middle goes to the high side if high is set.
func (w *worker) wanted(lo, hi, j int, high bool) float64 {
	c := &w.cols[j]
	if w.Median {
		switch m := middle(w.ascending(lo, hi, j)); {
		case high && m > c.lo:
			return math.Nextafter(m, math.Inf(-1))
		case !high && m < c.hi:
			return m
		}
	}
	t := c.lo + (c.hi-c.lo)/2
	if t >= c.hi { // neighbouring numbers have none between
		return c.lo
	}
	if high && t > c.lo {
		return math.Nextafter(t, math.Inf(-1))
	}
	return t
}

// middle returns the median of sorted values.
func middle(v []float64) float64 {
	k := len(v) / 2
	if len(v)%2 == 1 {
		return v[k]
	}
	return v[k-1] + (v[k]-v[k-1])/2
}

// possible returns the cut of column j nearest to t that leaves known values of Smallest people on both sides; false if
// there is none.
func (w *worker) possible(lo, hi, j int, t float64) (float64, bool) {
	v := w.ascending(lo, hi, j)
	first, end, ok := w.ends(lo, hi, j, v)
	if !ok || first >= end {
		return 0, false
	}
	if t >= end {
		i, _ := slices.BinarySearch(v, end)
		t = v[i-1]
	}
	return max(t, first), true
}

// ends returns the value up to which and the one from which on Smallest people have known values of column j, given
// these ascending; false if there are not so many.
func (w *worker) ends(lo, hi, j int, v []float64) (first, end float64, ok bool) {
	if w.Whose == nil {
		if len(v) < 2*w.Smallest {
			return 0, 0, false
		}
		return v[w.Smallest-1], v[len(v)-w.Smallest], true
	}
	var order []int
	for i := lo; i < hi; i++ {
		if x := w.rows[i*w.p+j]; x == x {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(w.rows[a*w.p+j], w.rows[b*w.p+j]) })
	reach := func() (float64, bool) {
		in := headcount.Of(w.Whose)
		for _, i := range order {
			if in.Add(int(w.ids[i])) == w.Smallest {
				return w.rows[i*w.p+j], true
			}
		}
		return 0, false
	}
	if first, ok = reach(); ok {
		slices.Reverse(order)
		end, ok = reach()
	}
	return first, end, ok
}

// ascending returns the known values of column j, sorted; they are used again after the next call.
func (w *worker) ascending(lo, hi, j int) []float64 {
	w.sorted = w.sorted[:0]
	for i := lo; i < hi; i++ {
		if v := w.rows[i*w.p+j]; v == v {
			w.sorted = append(w.sorted, v)
		}
	}
	slices.Sort(w.sorted)
	return w.sorted
}

// sides completes a cut with the side of missing values; false if a side is left with too few.
func (w *worker) sides(lo, hi int, c cut) (cut, bool) {
	below := 0
	for i := lo; i < hi; i++ {
		if w.rows[i*w.p+int(c.attr)] <= c.cut {
			below++
		}
	}
	known := w.cols[c.attr].known
	c.missing = 2*below >= known
	if !w.parted(lo, hi, c, nil) {
		return c, false
	}
	for _, v := range w.Hold {
		if !w.parted(lo, hi, c, v) {
			return c, false
		}
	}
	return c, true
}

// parted reports whether both sides of a cut have records of Smallest people or, given values, known ones of so many or
// none.
func (w *worker) parted(lo, hi int, c cut, values []float64) bool {
	low, high := headcount.Of(w.Whose), headcount.Of(w.Whose)
	for i := lo; i < hi && (low.Size() < w.Smallest || high.Size() < w.Smallest); i++ {
		id := w.ids[i]
		switch {
		case values != nil && values[id] != values[id]:
		case c.low(w.rows[i*w.p+int(c.attr)]):
			low.Add(int(id))
		default:
			high.Add(int(id))
		}
	}
	enough := func(n int) bool { return n >= w.Smallest || n == 0 && values != nil }
	return enough(low.Size()) && enough(high.Size())
}
