package credal

import (
	"math"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/rank"
)

// point is a value of a numeric attribute and the class of its record.
type point struct {
	value float64
	class int32
}

// mdl cuts a numeric attribute by the minimum description length (Fayyad & Irani 1993).
type mdl struct {
	points  []point
	terms   []int64 // of 0, 1, ..., the number of points
	classes int
}

// cuts returns the cuts, ascending: half way between two values. Cost: a sort, and O(n) per level of cuts.
func (m *mdl) cuts() []float64 {
	values, points := make([]float64, len(m.points)), make([]point, len(m.points))
	for k, p := range m.points {
		values[k] = p.value
	}
	order, _ := rank.Order(values)
	for r, k := range order {
		points[r] = m.points[k]
	}
	m.points = points
	var out []float64
	var divide func(lo, hi int)
	divide = func(lo, hi int) {
		if at := m.best(m.points[lo:hi]); at > 0 {
			at += lo
			divide(lo, at)
			out = append(out, criterion.Midpoint(m.points[at-1].value, m.points[at].value))
			divide(at, hi)
		}
	}
	divide(0, len(m.points))
	return out
}

// best returns where to cut sorted points, the first of the cuts of largest gain; 0 where the gain does not pay for
// the description of the cut.
func (m *mdl) best(p []point) int {
	n := len(p)
	low, high := make([]int, m.classes), make([]int, m.classes)
	for i := range p {
		high[p[i].class]++
	}
	all := m.side(high, n)
	withinLow, withinHigh := int64(0), m.terms[n]-all.spread // sums of the terms of the class counts
	at, fewest := 0, int64(math.MaxInt64)
	for i := 1; i < n; i++ {
		c := p[i-1].class
		withinLow -= m.terms[low[c]]
		withinHigh -= m.terms[high[c]]
		low[c]++
		high[c]--
		withinLow += m.terms[low[c]]
		withinHigh += m.terms[high[c]]
		if p[i-1].value == p[i].value {
			continue
		}
		if after := m.terms[i] - withinLow + m.terms[n-i] - withinHigh; after < fewest {
			at, fewest = i, after
		}
	}
	if at == 0 {
		return 0
	}
	clear(low)
	clear(high)
	for i := range p {
		if i < at {
			low[p[i].class]++
		} else {
			high[p[i].class]++
		}
	}
	if l, h := m.side(low, at), m.side(high, n-at); !pays(all, l, h) {
		return 0
	}
	return at
}

// side is a set of points as the description length sees it.
type side struct {
	n, classes float64
	spread     int64 // entropy times n
}

func (m *mdl) side(counts []int, n int) side {
	s := side{n: float64(n), spread: m.terms[n]}
	for _, c := range counts {
		if c > 0 {
			s.classes++
		}
		s.spread -= m.terms[c]
	}
	return s
}

// entropy returns the entropy in bits.
func (s side) entropy() float64 { return criterion.Bits(s.spread) / s.n }

// pays reports whether a cut gains more than it costs to describe: log2(N-1) + log2(3^k-2) - (k H - k1 H1 - k2 H2)
// bits for N points of k classes (Fayyad & Irani 1993, section 3).
func pays(all, low, high side) bool {
	cost := portable.Log2(all.n-1) + float64(all.classes*portable.Log2(3)) +
		portable.Log1p(-2*portable.Pow(3, -all.classes))/math.Ln2
	cost -= float64(all.classes*all.entropy()) - float64(low.classes*low.entropy()) - float64(high.classes*high.entropy())
	return criterion.Bits(all.spread-low.spread-high.spread) > cost
}
