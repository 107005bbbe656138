package relation

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// readable makes a relation of a vector of the null space: first the constant, then the columns.
func (f *finder) readable(cols []int, v []uint64) (r Relation, ok bool) {
	var terms []int
	var c []float64
	for k, x := range v[1:] {
		if x == 0 {
			continue
		}
		num, den, ok := rational(x)
		if !ok || len(terms) == mostTerms {
			return r, false
		}
		terms, c = append(terms, cols[k]), append(c, float64(num)/float64(den)/f.cols[cols[k]].unit())
	}
	num, den, ok := rational(v[0])
	if !ok || len(terms) < 2 {
		return r, false
	}
	target := f.derived(terms, c, num != 0)
	r = Relation{Kind: Linear, Constant: digits12(-float64(num) / float64(den) / c[target])}
	order := make([]int, len(terms))
	for k := range order {
		order[k] = k
	}
	by := c[target]
	slices.SortFunc(order, func(a, b int) int { // the target, what is added, what is taken away; each by position
		rank := func(k int) int {
			switch {
			case k == target:
				return 0
			case c[k]*by < 0:
				return 1
			}
			return 2
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(terms[a], terms[b]))
	})
	for _, k := range order {
		p, q, ok := small(c[k] / by)
		if !ok {
			return r, false
		}
		r.Columns = append(r.Columns, f.cols[terms[k]].a.Name)
		r.Coefficients = append(r.Coefficients, float64(p)/float64(q))
	}
	return r, true
}

// derived returns which of the columns whose multiples sum to a constant is to be written as what follows from the
// others: the only number beside dates; else the only one on its side, where there is no constant, as a total or a mean
// is of its parts; else the last of the columns in terms of which the others have the largest coefficients.
func (f *finder) derived(terms []int, c []float64, constant bool) int {
	dates, number, positive := 0, 0, 0
	least := math.Inf(1)
	for k, t := range terms {
		if f.cols[t].date() {
			dates++
		} else {
			number = k
		}
		if c[k] > 0 {
			positive++
		}
		least = min(least, math.Abs(c[k]))
	}
	if dates == len(terms)-1 && dates > 1 {
		return number
	}
	if len(terms) > 2 && !constant && (positive == 1 || positive == len(terms)-1) {
		return slices.IndexFunc(c, func(x float64) bool { return (x > 0) == (positive == 1) })
	}
	last := -1
	for k, t := range terms {
		if math.Abs(c[k]) <= least*(1+1e-9) && (last < 0 || t > terms[last]) {
			last = k
		}
	}
	return last
}

// wholes are the numerators and denominators of coefficients that people use.
var wholes = []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 24, 60, 100, 1000, 1440, 3600, 10_000, 86_400, 100_000,
	1_000_000}

// small returns a number as a ratio of wholes.
func small(x float64) (num, den int64, ok bool) {
	for _, q := range wholes {
		p := math.Round(x * q)
		if math.Abs(p-float64(x*q)) <= 1e-9*math.Abs(p) && slices.Contains(wholes, math.Abs(p)) {
			return int64(p), int64(q), true
		}
	}
	return 0, 1, false
}

// digits12 rounds a number to twelve digits.
func digits12(x float64) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	return v + 0 // no negative zero
}

// rational returns the ratio of small numbers that is a number modulo prime (Wang 1981): at most one has a numerator
// below 2^39 and a denominator below 2^20.
func rational(v uint64) (num, den int64, ok bool) {
	r0, r1 := int64(prime), int64(v)
	s0, s1 := int64(0), int64(1)
	for r1 >= 1<<39 {
		q := r0 / r1
		r0, r1 = r1, r0-q*r1
		s0, s1 = s1, s0-q*s1
	}
	if s1 < 0 {
		r1, s1 = -r1, -s1
	}
	return r1, s1, s1 > 0 && s1 < 1<<20
}
