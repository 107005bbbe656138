package uma

import (
	"math"

	"github.com/dither-data/dither/internal/rank"
)

// The ways to group sorted values.
const (
	Optimal = "optimal" // groups of k to 2k-1 with the least sum of squares within groups
	Classic = "classic" // groups of k, of which the last takes the remainder
)

// Partition groups the known values of a column, at least k of them: order holds their positions, ascending by value and equal ones in
// order of position, and group g is order[ends[g-1]:ends[g]], the first from 0. Groups have k to 2k-1 values. Cost: that of rank.Order, and
// O(n k) for the optimal grouping.
func Partition(v []float64, k int, grouping string) (order []int32, ends []int) {
	order, known := rank.Order(v)
	order = order[:known]
	if grouping == Classic {
		return order, classic(known, k)
	}
	_, u := scaled(v, order)
	return order, optimal(known, k, squares(u))
}

// classic returns where the groups of n >= k sorted values end: groups of k, the last with the remainder.
func classic(n, k int) []int {
	ends := make([]int, n/k)
	for g := range ends {
		ends[g] = (g + 1) * k
	}
	ends[len(ends)-1] = n
	return ends
}

// costs is what a group of consecutive sorted values costs. A group of 2k or more is never cheaper than the same values in two.
type costs interface {
	// ending writes to dst[l] the cost of the l+1 values of which the j-th is the last, for l >= from.
	ending(j, from int, dst []float64)
}

// optimal returns where the groups of n >= k sorted values end that cost least: the shortest path from 0 to n along arcs over k to 2k-1
// values (Hansen & Mukherjee 2003). Of paths that cost the same it takes the one with the smaller last group. Cost: O(n k).
//
// Sums are compensated, so that one huge cost, of a group with an outlier, does not hide what the others cost.
func optimal(n, k int, c costs) []int {
	best, size := make([]sum, n+1), make([]int32, n+1)
	for i := range best {
		best[i].hi = math.Inf(1)
	}
	best[0].hi = 0
	cost := make([]float64, 2*k-1)
	for j := k; j <= n; j++ {
		reach := min(2*k-1, j)
		c.ending(j-1, k-1, cost[:reach])
		for l := k; l <= reach; l++ {
			if from := best[j-l]; from.hi < math.Inf(1) {
				if total := from.plus(cost[l-1]); total.less(best[j]) {
					best[j], size[j] = total, int32(l)
				}
			}
		}
	}
	groups := 0
	for j := n; j > 0; j -= int(size[j]) {
		groups++
	}
	ends := make([]int, groups)
	for j := n; j > 0; j -= int(size[j]) {
		groups--
		ends[groups] = j
	}
	return ends
}

// sum is a sum with what rounding took from it.
type sum struct{ hi, lo float64 }

// plus adds a number (Knuth's two-sum).
func (s sum) plus(c float64) sum {
	t := s.hi + c
	z := t - s.hi
	return sum{t, s.lo + ((s.hi - (t - z)) + (c - z))}
}

// less compares; nothing is less than itself.
func (s sum) less(o sum) bool {
	if math.IsInf(o.hi, 1) {
		return s.hi < o.hi
	}
	return (s.hi-o.hi)+(s.lo-o.lo) < 0
}

// squares are sorted values whose groups cost the sum of squares around their mean. Differences are from the group's last value: with range
// r a group of L costs r²/2 at least, and the sums it is the difference of are L r² at most, so some log2(2L) bits of 53 are lost, however
// far the values are from zero and from other groups.
type squares []float64

func (v squares) ending(j, from int, dst []float64) {
	last, s, q := v[j], 0.0, 0.0
	for l := range dst {
		d := last - v[j-l]
		s += d
		q += d * d
		if l >= from {
			dst[l] = max(0, q-s*s/float64(l+1))
		}
	}
}

// weighted are sorted values whose groups cost the weighted sum of squares around their weighted mean, updated value by value (West 1979).
type weighted struct{ v, w []float64 }

func (c weighted) ending(j, _ int, dst []float64) {
	mean, total, m2 := c.v[j], c.w[j], 0.0
	for l := range dst {
		if l > 0 {
			d, w := c.v[j-l]-mean, c.w[j-l]
			total += w
			mean += d * w / total
			m2 += w * d * (c.v[j-l] - mean)
		}
		dst[l] = m2
	}
}

// absolute are sorted codes whose groups cost the sum of distances from their median. Sums are of whole numbers, and exact.
type absolute struct {
	v    []float64
	upTo []float64 // upTo[i] is the sum of the first i codes
}

func newAbsolute(v []float64) absolute {
	c := absolute{v: v, upTo: make([]float64, len(v)+1)}
	for i, x := range v {
		c.upTo[i+1] = c.upTo[i] + x
	}
	return c
}

func (c absolute) ending(j, from int, dst []float64) {
	for l := from; l < len(dst); l++ {
		i := j - l
		m := (i + j) / 2
		dst[l] = c.upTo[j+1] - c.upTo[m+1] - c.v[m]*float64(j-m) + c.v[m]*float64(m-i) - (c.upTo[m] - c.upTo[i])
	}
}

// scaled returns the sorted known values less the smallest, times a power of two that brings them into [0, 1]: so their squares are finite,
// and differences of values that are whole numbers of steps stay exact.
func scaled(v []float64, order []int32) (s scale, u []float64) {
	u = make([]float64, len(order))
	if len(order) == 0 {
		return s, u
	}
	s.lo = v[order[0]]
	_, s.exponent = math.Frexp(v[order[len(order)-1]] - s.lo)
	for r, i := range order {
		u[r] = math.Ldexp(v[i]-s.lo, -s.exponent)
	}
	return s, u
}

// scale leads back from scaled values.
type scale struct {
	lo       float64
	exponent int
}

func (s scale) back(u float64) float64 { return s.lo + math.Ldexp(u, s.exponent) }
