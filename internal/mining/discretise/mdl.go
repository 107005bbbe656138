// Package discretise cuts numbers into ranges: by the minimum description length of a class (Fayyad & Irani 1993), into
// ranges of equal width or of equally many records, and so that a share of the records is above or below.
package discretise

import (
	"math"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/rank"
)

// Point is a value of a numeric attribute and the class of its record.
type Point struct {
	Value float64
	Class int32
}

// MDL cuts a numeric attribute by the minimum description length (Fayyad & Irani 1993).
type MDL struct {
	Points  []Point // in any order; Cuts sorts them
	Terms   []int64 // of 0, 1, ..., the number of points (criterion.Terms)
	Classes int
}

// Cuts returns the cuts, ascending: half way between two values. Cost: a sort, and O(n) per level of cuts.
func (m *MDL) Cuts() []float64 {
	values, points := make([]float64, len(m.Points)), make([]Point, len(m.Points))
	for k, p := range m.Points {
		values[k] = p.Value
	}
	order, _ := rank.Order(values)
	for r, k := range order {
		points[r] = m.Points[k]
	}
	m.Points = points
	var out []float64
	var divide func(lo, hi int)
	divide = func(lo, hi int) {
		if at := m.best(m.Points[lo:hi]); at > 0 {
			at += lo
			divide(lo, at)
			out = append(out, criterion.Midpoint(m.Points[at-1].Value, m.Points[at].Value))
			divide(at, hi)
		}
	}
	divide(0, len(m.Points))
	return out
}

// best returns where to cut sorted points, the first of the cuts of largest gain; 0 where the gain does not pay for
// the description of the cut.
func (m *MDL) best(p []Point) int {
	n := len(p)
	low, high := make([]int, m.Classes), make([]int, m.Classes)
	for i := range p {
		high[p[i].Class]++
	}
	all := m.side(high, n)
	withinLow, withinHigh := int64(0), m.Terms[n]-all.spread // sums of the terms of the class counts
	at, fewest := 0, int64(math.MaxInt64)
	for i := 1; i < n; i++ {
		c := p[i-1].Class
		withinLow -= m.Terms[low[c]]
		withinHigh -= m.Terms[high[c]]
		low[c]++
		high[c]--
		withinLow += m.Terms[low[c]]
		withinHigh += m.Terms[high[c]]
		if p[i-1].Value == p[i].Value {
			continue
		}
		if after := m.Terms[i] - withinLow + m.Terms[n-i] - withinHigh; after < fewest {
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
			low[p[i].Class]++
		} else {
			high[p[i].Class]++
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

func (m *MDL) side(counts []int, n int) side {
	s := side{n: float64(n), spread: m.Terms[n]}
	for _, c := range counts {
		if c > 0 {
			s.classes++
		}
		s.spread -= m.Terms[c]
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
