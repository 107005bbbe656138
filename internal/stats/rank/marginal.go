package rank

import "math"

// Marginal is the empirical distribution of a column: its known values, ascending.
type Marginal []float64

// MarginalOf returns the empirical distribution of the known values. Cost: that of Order.
func MarginalOf(v []float64) Marginal {
	order, known := Order(v)
	m := make(Marginal, known)
	for k, i := range order[:known] {
		m[k] = v[i] + 0 // minus zero is zero
	}
	return m
}

// Linear returns the value at u in [0, 1] of the line through the sorted values, of which the i-th of n lies at (i -
// 0.5) / n; outside, the smallest or largest. It is NaN without values.
func (m Marginal) Linear(u float64) float64 {
	n := len(m)
	t := float64(u*float64(n)) - 0.5
	switch {
	case n == 0 || u != u:
		return missing
	case t <= 0:
		return m[0]
	case t >= float64(n-1):
		return m[n-1]
	}
	k := int(t)
	return between(m[k], m[k+1], t-float64(k))
}

// Step returns the smallest value that a share u or more of the values do not exceed, the inverse of the distribution
// function: always a value that occurs. It is NaN without values.
func (m Marginal) Step(u float64) float64 {
	n := len(m)
	if n == 0 || u != u {
		return missing
	}
	return m[int(min(max(math.Ceil(u*float64(n))-1, 0), float64(n-1)))]
}

// between returns the point a share t in [0, 1] of the way from a to b, never outside them; of two that are infinitely
// far apart, the nearer.
func between(a, b, t float64) float64 {
	w := b - a
	if !(w <= math.MaxFloat64) {
		if t < 0.5 {
			return a
		}
		return b
	}
	return min(max(a+float64(t*w), a), b)
}

// Smoothed is the smoothed empirical distribution of a column (Sullivan & Fuller 1989): continuous, linear between its
// distinct values, and at each of them the share of the smaller values and half of the equal ones. F of a value of the
// column is (mid-rank - 0.5) / n.
type Smoothed struct {
	values []float64 // distinct, ascending
	f      []float64 // F at each
	guide  []int32   // guide[k] is the last knot with F <= k/len(guide), at least 0 (Chen & Asau 1974)
}

// NewSmoothed returns the smoothed distribution of the ranked values.
func NewSmoothed(r *Ranks) *Smoothed {
	s := &Smoothed{}
	n := 2 * float64(len(r.Order))
	r.runs(func(a, b int) {
		s.values, s.f = append(s.values, r.Sorted[a]), append(s.f, float64(a+b)/n)
	})
	s.guide = make([]int32, len(s.f))
	last := 0
	for k := range s.guide {
		for last+1 < len(s.f) && s.f[last+1] <= float64(k)/float64(len(s.guide)) {
			last++
		}
		s.guide[k] = int32(last)
	}
	return s
}

// Inverse returns the value at which the distribution function is u in [0, 1]; outside its range, the smallest or
// largest value. It is NaN without values. Cost: O(1) for a random u.
func (s *Smoothed) Inverse(u float64) float64 {
	n := len(s.values)
	if n == 0 || u != u {
		return missing
	}
	k := int(s.guide[int(min(max(u*float64(n), 0), float64(n-1)))])
	for k+1 < n && s.f[k+1] <= u {
		k++
	}
	if k+1 == n || u <= s.f[k] {
		return s.values[k]
	}
	return between(s.values[k], s.values[k+1], (u-s.f[k])/(s.f[k+1]-s.f[k]))
}
