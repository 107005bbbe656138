package perturbationtree

import (
	"math"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Replace writes to y the mean of its group for every known value of x; missing values stay. group[i], below groups, is
// the group of value i. Means are weighted unless weights is nil; in a group with a weight that is missing or not
// positive they are not. They lie between the smallest and the largest value of the group. Cost: O(n + groups).
func Replace(y, x, weights []float64, group []int32, groups int) {
	replace(y, x, weights, group, groups, func(s *tally) float64 { return s.mean() })
}

// replace is Replace with means rounded as a function says.
func replace(y, x, weights []float64, group []int32, groups int, round func(*tally) float64) {
	sums := make([]tally, groups)
	for g := range sums {
		sums[g].lo, sums[g].hi = math.Inf(1), math.Inf(-1)
	}
	for i, v := range x {
		if v == v {
			w := 1.0
			if weights != nil {
				w = weights[i]
			}
			sums[group[i]].add(v, w)
		}
	}
	means := make([]float64, groups)
	for g := range means {
		means[g] = round(&sums[g])
	}
	for i, v := range x {
		if y[i] = v; v == v {
			y[i] = means[group[i]]
		}
	}
}

// tally is what is known of the values of a group.
type tally struct {
	lo, hi   float64
	sum      float64
	weighted float64 // sum of weight times value
	weight   float64 // sum of weights; NaN where one is not a positive number
	n        float64
}

func (s *tally) add(v, w float64) {
	if !(w > 0) {
		w = math.NaN()
	}
	s.lo, s.hi = min(s.lo, v), max(s.hi, v)
	s.sum += v
	s.weighted += float64(w * v)
	s.weight += w
	s.n++
}

// mean returns the mean, which rounding errors do not lead past a value of the group.
func (s *tally) mean() float64 {
	m := s.weighted / s.weight
	if math.IsNaN(m) || math.IsInf(m, 0) {
		m = s.sum / s.n
	}
	return s.between(m)
}

func (s *tally) between(m float64) float64 { return min(max(m, s.lo), s.hi) }

// rounded returns the rule that brings means onto the grid of an attribute and keeps them between the values of the
// group. On a grid, on which the values lie as well, rounding cannot lead past them; a continuous attribute has values
// beside its implied grid.
func rounded(a *table.Attribute) func(*tally) float64 {
	d := wrap.On(a.Domain, a.Step)
	if a.Step > 0 {
		return func(s *tally) float64 { return d.Clip(s.mean()) }
	}
	return func(s *tally) float64 { return s.between(d.Clip(s.mean())) }
}
