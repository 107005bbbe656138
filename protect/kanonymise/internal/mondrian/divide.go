package mondrian

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// grow divides records, which it reorders; the parts of the first regions, so many deep, are grown on all cores.
func (g *grower) grow(rows []int32, deep int) *branch {
	d := &divider{grower: g, allowed: func([]int32) bool { return true }}
	if g.goal.Rule != nil {
		d.allowed = g.goal.Rule()
	}
	return d.grow(rows, deep)
}

// divider is one core's memory.
type divider struct {
	*grower
	allowed func(rows []int32) bool
	sorted  []int32
	wide    []int
	width   []float64
}

func (d *divider) grow(rows []int32, deep int) *branch {
	b := &branch{axis: -1}
	if len(rows) < 2*d.goal.K || d.ctx.Err() != nil {
		return b
	}
	d.widest(rows)
	for _, k := range slices.Clone(d.wide) {
		rank, n := d.halve(rows, k)
		if rank == 0 {
			continue
		}
		b.axis, b.cut = k, d.limit(k, rows, rank)
		parts := [2][]int32{rows[:n], rows[n:]}
		if deep == 0 {
			b.kids = [2]*branch{d.grow(parts[0], 0), d.grow(parts[1], 0)}
			return b
		}
		parallel.Do(2, func(i int) { b.kids[i] = d.grower.grow(parts[i], deep-1) })
		return b
	}
	return b
}

// widest sets the axes along which the records differ, the widest first, by their share of the whole.
func (d *divider) widest(rows []int32) {
	d.wide, d.width = d.wide[:0], slices.Grow(d.width[:0], len(d.ranks))[:len(d.ranks)]
	for k, ranks := range d.ranks {
		lo, hi := ranks[rows[0]], ranks[rows[0]]
		for _, i := range rows {
			lo, hi = min(lo, ranks[i]), max(hi, ranks[i])
		}
		if lo == hi {
			continue
		}
		at := d.at[k]
		d.width[k] = (at[hi] - at[lo]) / (at[len(at)-1] - at[0])
		d.wide = append(d.wide, k)
	}
	slices.SortStableFunc(d.wide, func(a, b int) int { return cmp.Compare(d.width[b], d.width[a]) })
}

// halve finds the cut of an axis nearest to the median, of the two around it, that leaves both parts with the goals
// met. It moves the first part to the front and returns the lowest rank of the second one and the size of the first; 0
// when there is none.
func (d *divider) halve(rows []int32, k int) (rank int32, n int) {
	ranks := d.ranks[k]
	d.sorted = d.sorted[:0]
	for _, i := range rows {
		d.sorted = append(d.sorted, ranks[i])
	}
	slices.Sort(d.sorted)
	middle := d.sorted[len(rows)/2]
	below, _ := slices.BinarySearch(d.sorted, middle)
	above, _ := slices.BinarySearch(d.sorted, middle+1)
	cuts := [2]int{below, above}
	if 2*above-len(rows) < len(rows)-2*below {
		cuts = [2]int{above, below}
	}
	first := [2]int32{middle, middle}
	for c, n := range cuts {
		if n < len(rows) {
			first[c] = d.sorted[n]
		}
	}
	for c, n := range cuts {
		if n < d.goal.K || len(rows)-n < d.goal.K {
			continue
		}
		rank := first[c]
		d.divide(rows, ranks, rank)
		if d.allowed(rows[:n]) && d.allowed(rows[n:]) {
			return rank, n
		}
	}
	return 0, 0
}

// divide moves the records below a rank to the front; the order within both parts stays.
func (d *divider) divide(rows, ranks []int32, rank int32) {
	d.sorted = d.sorted[:len(rows)]
	low, high := 0, len(rows)
	for _, i := range rows {
		if ranks[i] < rank {
			rows[low] = i
			low++
		} else {
			high--
			d.sorted[high] = i
		}
	}
	for k := range rows[low:] {
		rows[low+k] = d.sorted[len(rows)-1-k]
	}
}

// limit returns where numbers are cut, on the grid half-way between the largest of the first part and the smallest of
// the second one; of categories the rank.
func (d *divider) limit(k int, rows []int32, rank int32) float64 {
	a := &d.columns[k]
	switch a.Kind {
	case table.Numeric:
	case table.Categorical:
		return float64(rank)
	case table.SetValued: // is not among the columns
	}
	last := int32(-1)
	for _, i := range rows {
		if r := d.ranks[k][i]; r < rank {
			last = max(last, r)
		}
	}
	lo, hi := d.at[k][last], d.at[k][rank]
	if cut := a.Snap(lo/2 + hi/2); cut > lo && cut < hi {
		return cut
	}
	return hi
}
