package uma

import (
	"math"

	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// column is one attribute to be grouped.
type column struct {
	scale
	ordered bool      // codes of an ordered categorical attribute
	order   []int32   // positions of the known values, ascending
	u       []float64 // the known values, ascending, scaled
	w       []float64 // their weights, in (0, 1]; nil where all are the same
	who     []int32   // whose they are; nil where every record is a person's
}

// gather sorts a column of a table whose records are in the order of their identities. Equal values stand in the order
// of their keys, or of position without keys. Weights and whose may be nil.
func gather(values []float64, ordered bool, weights, keys []float64, whose []int32) *column {
	c := &column{ordered: ordered}
	order, known := rank.Order(values)
	c.order = order[:known]
	if keys != nil && tied(values, c.order) {
		c.order = byKeys(values, keys)[:known]
	}
	c.scale, c.u = scaled(values, c.order)
	if weights != nil {
		c.w = make([]float64, known)
		for r, i := range c.order {
			c.w[r] = weights[i]
		}
	}
	if whose != nil {
		c.who = make([]int32, known)
		for r, i := range c.order {
			c.who[r] = whose[i]
		}
	}
	return c
}

// tied reports whether two sorted values are equal.
func tied(v []float64, order []int32) bool {
	for r := 1; r < len(order); r++ {
		if v[order[r]] == v[order[r-1]] {
			return true
		}
	}
	return false
}

// byKeys returns the positions of the values in ascending order, equal ones in that of their keys: sorted by key, and
// then by value.
func byKeys(v, keys []float64) []int32 {
	first, _ := rank.Order(keys)
	dealt := make([]float64, len(v))
	for r, i := range first {
		dealt[r] = v[i]
	}
	order, _ := rank.Order(dealt)
	for r, i := range order {
		order[r] = first[i]
	}
	return order
}

// keysOf returns a random key for every record.
func keysOf(t *table.Table, src rng.Source) []float64 {
	blocks, keys := make([]rng.Block, t.Rows()), make([]float64, t.Rows())
	ids, first := t.IDs()
	rng.Blocks(src.Stream(), blocks, ids, first)
	for i, b := range blocks {
		keys[i] = rng.Unit(b.A)
	}
	return keys
}

// people returns of how many people the known values are.
func (c *column) people() int {
	if c.who == nil {
		return len(c.order)
	}
	return headcount.All(c.who).Size()
}

// bounds says which groups there may be: of k values or, where people have several, of values of k people.
func (c *column) bounds(k int) bounds {
	if c.who == nil {
		return records(k)
	}
	return peopled(c.u, c.who, k)
}

// costs returns what groups of the column cost.
func (c *column) costs() costs {
	switch {
	case c.ordered:
		return newAbsolute(c.u)
	case c.w != nil:
		return weighted{c.u, c.w}
	}
	return squares(c.u)
}

// centre returns what stands for the values lo..hi-1: their mean or, of an ordered category, their lower median.
func (c *column) centre(lo, hi int) float64 {
	if c.ordered {
		return c.u[(lo+hi-1)/2]
	}
	s, total := 0.0, 0.0
	for r := lo; r < hi; r++ {
		w := 1.0
		if c.w != nil {
			w = c.w[r]
		}
		s += float64(w * (c.u[r] - c.u[lo]))
		total += w
	}
	return min(c.u[lo]+s/total, c.u[hi-1])
}

// spread returns the sum of squares of the values lo..hi-1 around their centre or, of an ordered category, of distances
// from it.
func (c *column) spread(lo, hi int) float64 {
	centre, s := c.centre(lo, hi), 0.0
	for r := lo; r < hi; r++ {
		switch d := c.u[r] - centre; {
		case c.ordered:
			s += math.Abs(d)
		case c.w != nil:
			s += float64(c.w[r] * d * d)
		default:
			s += float64(d * d)
		}
	}
	return s
}

// lost returns the share of the spread of the column that is within its groups: SSE/SST. It is 0 where there is none.
func (c *column) lost(ends []int) float64 {
	within, lo := 0.0, 0
	for _, hi := range ends {
		within += c.spread(lo, hi)
		lo = hi
	}
	if within == 0 {
		return 0
	}
	return within / c.spread(0, len(c.u))
}

// release calls set for every known value, with its position and what is released for it.
func (c *column) release(ends []int, set func(i int32, v float64)) {
	lo := 0
	for _, hi := range ends {
		v := c.back(c.centre(lo, hi))
		for _, i := range c.order[lo:hi] {
			set(i, v)
		}
		lo = hi
	}
}
