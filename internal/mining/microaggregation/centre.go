package microaggregation

import (
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
)

// centre keeps the centre of records while they leave.
type centre struct {
	kinds  []Kind
	n      int
	sums   []exact.Sum // of numbers
	counts []counts    // of the others
}

// newCentre returns the centre of all records.
func newCentre(points []float64, kinds []Kind) *centre {
	dims := len(kinds)
	c := &centre{kinds: kinds, n: len(points) / dims, sums: make([]exact.Sum, dims), counts: make([]counts, dims)}
	for d, kind := range kinds {
		if kind == Number {
			for i := range c.n {
				c.sums[d].Add(points[i*dims+d])
			}
			continue
		}
		values := make([]float64, c.n)
		for i := range values {
			values[i] = points[i*dims+d]
		}
		c.counts[d] = count(values)
	}
	return c
}

// remove takes a record out.
func (c *centre) remove(row []float64) {
	c.n--
	for d, v := range row {
		if c.kinds[d] == Number {
			c.sums[d].Add(-v)
		} else {
			c.counts[d].remove(v)
		}
	}
}

// append appends the centre of the records that are left, of which there is one at least, to a point.
func (c *centre) append(point []float64) []float64 {
	for d, kind := range c.kinds {
		switch kind {
		case Number:
			point = append(point, c.sums[d].Float64()/float64(c.n))
		case Ordinal:
			point = append(point, c.counts[d].median(c.n))
		case Nominal:
			point = append(point, c.counts[d].mode())
		}
	}
	return point
}

// counts is how often values occur.
type counts struct {
	values []float64 // ascending
	n      []int
}

func count(values []float64) counts {
	slices.Sort(values)
	var c counts
	for i, v := range values {
		if i == 0 || v != values[i-1] {
			c.values, c.n = append(c.values, v), append(c.n, 0)
		}
		c.n[len(c.n)-1]++
	}
	return c
}

func (c *counts) remove(v float64) {
	k, _ := slices.BinarySearch(c.values, v)
	c.n[k]--
}

// median returns the lower median of the n values that are counted.
func (c *counts) median(n int) float64 {
	below := 0
	for k, v := range c.values {
		if below += c.n[k]; 2*below >= n {
			return v
		}
	}
	return 0
}

// mode returns the value that occurs most often, the lowest of several.
func (c *counts) mode() float64 {
	best := 0
	for k, n := range c.n {
		if n > c.n[best] {
			best = k
		}
	}
	return c.values[best]
}
