package trees

import (
	"maps"
	"math"
	"slices"
)

// SiMI's limits: an intersection of fewer records than small is merged while more than enough are left; likeness weighs
// distance against correlation.
const small, enough, likeness = 25, 5, 0.7

// merging merges the intersections of leaves.
type merging struct {
	f    *filling
	l    *learned
	rows [][]int
	keys [][]uint64
	sums []sums
}

// sums are those of a part: of the records that have all numbers, and of the categories.
type sums struct {
	n     float64
	first []float64   // by number
	cross []float64   // lower triangle
	count [][]float64 // by category column and code
}

// merging begins with the records of every intersection.
func (f *filling) merging(l *learned, at map[uint64][]int) *merging {
	m := &merging{f: f, l: l}
	for _, key := range slices.Sorted(maps.Keys(at)) {
		m.rows, m.keys = append(m.rows, at[key]), append(m.keys, []uint64{key})
		m.sums = append(m.sums, m.sum(at[key]))
	}
	return m
}

func (m *merging) sum(rows []int) sums {
	p := len(m.f.Numbers)
	s := sums{first: make([]float64, p), cross: make([]float64, p*(p+1)/2), count: make([][]float64, len(m.f.Codes))}
	x := make([]float64, p)
	for _, i := range rows {
		whole := true
		for k, j := range m.f.Numbers {
			// on a grid of 2^-20 of the range sums of up to 2^12 squares are exact, so their order is of little matter
			x[k] = math.Round(m.f.Scale[k].of(m.l.t.Num(j)[i])*(1<<20)) / (1 << 20)
			whole = whole && x[k] == x[k]
		}
		if !whole {
			continue
		}
		s.n++
		for k := range x {
			s.first[k] += x[k]
			for l := 0; l <= k; l++ {
				s.cross[k*(k+1)/2+l] += float64(x[k] * x[l])
			}
		}
	}
	for k, j := range m.f.Codes {
		s.count[k] = make([]float64, len(m.l.t.Attr(j).Labels))
		for _, i := range rows {
			if c := m.l.t.Cat(j)[i]; c >= 0 {
				s.count[k][c]++
			}
		}
	}
	return s
}

func added(a, b *sums) sums {
	add := func(x, y []float64) []float64 {
		out := slices.Clone(x)
		for k := range y {
			out[k] += y[k]
		}
		return out
	}
	s := sums{n: a.n + b.n, first: add(a.first, b.first), cross: add(a.cross, b.cross)}
	for k := range a.count {
		s.count = append(s.count, add(a.count[k], b.count[k]))
	}
	return s
}

// run merges until the smallest part is large enough, or few are left and each is of enough people.
func (m *merging) run() {
	for len(m.rows) > 1 && m.l.ctx.Err() == nil {
		least := 0
		for k := range m.rows {
			if len(m.rows[k]) < len(m.rows[least]) {
				least = k
			}
		}
		few := slices.IndexFunc(m.rows, func(rows []int) bool { return !m.l.enough(rows, few) })
		switch {
		case len(m.rows[least]) < m.f.least():
		case few >= 0:
			least = few
		case len(m.rows[least]) >= small || len(m.rows) <= enough:
			return
		}
		best, most := -1, math.Inf(-1)
		for k := range m.rows {
			if k == least {
				continue
			}
			if s := m.score(least, k); s > most {
				best, most = k, s
			}
		}
		lo, hi := min(least, best), max(least, best)
		m.sums[lo] = added(&m.sums[lo], &m.sums[hi])
		m.rows[lo], m.keys[lo] = slices.Concat(m.rows[lo], m.rows[hi]), slices.Concat(m.keys[lo], m.keys[hi])
		m.sums, m.rows, m.keys = slices.Delete(m.sums, hi, hi+1), slices.Delete(m.rows, hi, hi+1),
			slices.Delete(m.keys, hi, hi+1)
	}
}

// score is how good it is to merge two parts.
func (m *merging) score(a, b int) float64 {
	both := added(&m.sums[a], &m.sums[b])
	return float64(likeness*(1-m.apart(&m.sums[a], &m.sums[b]))) + float64((1-likeness)*both.correlated())
}

// apart is the mean distance of two parts over the columns: of means, and whether the commonest category is another.
func (m *merging) apart(a, b *sums) float64 {
	sum, n := 0.0, 0
	if a.n > 0 && b.n > 0 {
		for k := range a.first {
			sum, n = sum+min(math.Abs(a.first[k]/a.n-b.first[k]/b.n), 1), n+1
		}
	}
	for k := range a.count {
		n++
		if most(a.count[k]) != most(b.count[k]) {
			sum++
		}
	}
	return sum / float64(max(n, 1))
}

// most is the position of the largest number, the first of equal ones.
func most(x []float64) (best int) {
	for k, v := range x {
		if v > x[best] {
			best = k
		}
	}
	return best
}

// correlated is the square root of the sum of the squared correlations above the diagonal, by the square of the number
// of columns.
func (s *sums) correlated() float64 {
	p := len(s.first)
	if p < 2 || s.n < 2 {
		return 0
	}
	cov := func(k, l int) float64 { return s.cross[k*(k+1)/2+l] - float64(s.first[k]*s.first[l])/s.n }
	sum := 0.0
	for k := range p {
		for l := range k {
			if v := float64(cov(k, k) * cov(l, l)); v > 1e-18 {
				c := cov(k, l)
				sum += float64(c*c) / v
			}
		}
	}
	return math.Sqrt(sum) / float64(p*p)
}
