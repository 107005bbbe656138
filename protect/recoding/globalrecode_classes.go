package recoding

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/table"
)

// classes cuts a numeric or ordered column into n classes, fewer where it has not as many values. Ends says that the
// limits tell the ends of an observed domain.
func classes(c *table.Column, n int, cut string) (h *hierarchy.Hierarchy, ends bool, err error) {
	switch c.Kind {
	case table.Numeric:
	case table.Categorical:
		return runs(c, n, cut), false, nil
	case table.SetValued:
		return nil, false, fmt.Errorf("column %q is %s and has no classes", c.Name, c.Kind)
	}
	var limits []float64
	if cut == Frequency {
		limits = equalSize(c.Num, n, func(lo, hi float64) float64 {
			if c.Dates != "" {
				return betweenDates(lo, hi, c.Dates)
			}
			return between(lo, hi)
		})
	} else {
		limits, ends = equalWidth(c, n)
	}
	h, err = hierarchy.Cut(&c.Attribute, limits)
	return h, ends, err
}

// starts returns where classes begin, but the first, when so many sorted records are cut into n: at the beginning of a
// run of equal values that is the nearest to i/n of the records. Run returns the beginning and the end of the run that
// a record is in.
func starts(records, n int, run func(r int) (from, to int)) []int {
	var out []int
	for i := 1; i < n; i++ {
		ideal := float64(i) * float64(records) / float64(n)
		at, to := run(min(int(ideal), records-1))
		if float64(to)-ideal < ideal-float64(at) {
			at = to
		}
		if at > 0 && at < records && (len(out) == 0 || at > out[len(out)-1]) {
			out = append(out, at)
		}
	}
	return out
}

// equalSize returns limits between classes of about the same number of records; between chooses one above a number and
// not above another.
func equalSize(v []float64, n int, between func(lo, hi float64) float64) []float64 {
	order, known := rank.Order(v)
	if known == 0 {
		return nil
	}
	at := func(r int) float64 { return v[order[r]] }
	var limits []float64
	for _, r := range starts(known, n, func(r int) (from, to int) {
		x := at(r)
		from = r - run(r, func(d int) bool { return at(r-1-d) == x })
		return from, r + 1 + run(known-r-1, func(d int) bool { return at(r+1+d) == x })
	}) {
		limits = append(limits, between(at(r-1), at(r)))
	}
	return limits
}

// run returns how many of the first n positions satisfy same, which holds up to a position and not beyond, by doubling
// and halving.
func run(n int, same func(d int) bool) int {
	lo, hi := 0, 1
	for hi <= n && same(hi-1) {
		lo, hi = hi, 2*hi
	}
	for hi = min(hi, n+1); hi-lo > 1; {
		if mid := (lo + hi) / 2; same(mid - 1) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// between returns a number above lo and not above hi with as few decimals as can be, so that a limit is as round as the
// gap that it is in allows.
func between(lo, hi float64) float64 {
	gap := hi - lo
	if !(gap > 0) || math.IsInf(gap, 0) {
		return hi
	}
	for e := int(math.Floor(portable.Log10(gap))) + 1; e > -300 && e > int(math.Floor(portable.Log10(gap)))-3; e-- {
		step := math.Pow10(e)
		if e < 0 {
			step = 1 / math.Pow10(-e)
		}
		if v := table.Snap(float64(math.Floor(hi/step)*step), step); v > lo && v <= hi {
			return v + 0
		}
	}
	return hi
}

// betweenDates is between for dates: the beginning of the longest part of the calendar that begins there.
func betweenDates(lo, hi float64, n calendar.Notation) float64 {
	for _, l := range slices.Backward(calendar.Levels) {
		if v := n.FromDays(float64(l.First(l.At(n.DayOf(hi))))); v > lo {
			return v
		}
	}
	return hi
}

// equalWidth returns limits between equally wide classes of the domain, on the grid of the column; observed says that
// the domain is not declared.
func equalWidth(c *table.Column, n int) (limits []float64, observed bool) {
	lo, hi := c.Domain.Lo, c.Domain.Hi
	if observed = !c.Declared || math.IsInf(hi-lo, 0); observed {
		lo, hi = table.Range(c.Num)
	}
	if !(hi > lo) || math.IsInf(hi-lo, 0) {
		return nil, false
	}
	for i := 1; i < n; i++ {
		exact := lo + (hi-lo)*float64(i)/float64(n)
		v := c.Snap(exact)
		if v < exact-float64(1e-9*c.Step) {
			v = c.Snap(v + c.Step) // every value of the grid from the exact limit on is in the upper class
		}
		if v > lo && v <= hi && (len(limits) == 0 || v > limits[len(limits)-1]) {
			limits = append(limits, v+0)
		}
	}
	return limits, observed
}

// runs cuts the labels of an ordered column into runs that have about as many records, or as many labels, each.
func runs(c *table.Column, n int, cut string) *hierarchy.Hierarchy {
	total := make([]int, len(c.Labels)+1) // records, or labels, below each label
	for _, code := range c.Cat {
		if cut == Frequency && code >= 0 {
			total[code+1]++
		}
	}
	for k := range c.Labels {
		if cut == Width {
			total[k+1] = 1
		}
		total[k+1] += total[k]
	}
	records := total[len(c.Labels)]
	label := func(r int) int { // the label of a sorted record
		k, _ := slices.BinarySearch(total, r+1)
		return k - 1
	}
	ends := []int{}
	if records > 0 {
		for _, r := range starts(records, n, func(r int) (from, to int) { k := label(r); return total[k], total[k+1] }) {
			ends = append(ends, label(r))
		}
	}
	group, from := make([]string, len(c.Labels)), 0
	for _, to := range append(ends, len(c.Labels)) {
		name := hierarchy.Top
		if to-from < len(c.Labels) {
			name = hierarchy.Run(c.Labels[from:to])
		}
		for k := from; k < to; k++ {
			group[k] = name
		}
		from = to
	}
	return hierarchy.Join(c.Name, c.Labels, group)
}
