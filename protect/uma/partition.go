package uma

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/stats/rank"
)

// The ways to group sorted values.
const (
	Optimal = "optimal" // groups of k to 2k-1 with the least sum of squares within groups
	Classic = "classic" // groups of k, of which the last takes the remainder
)

// Partition groups the known values of a column, at least k of them: order holds their positions, ascending by value
// and equal ones in order of position, and group g is order[ends[g-1]:ends[g]], the first from 0. Groups have k to 2k-1
// values. Cost: that of rank.Order, and O(n k) for the optimal grouping.
func Partition(v []float64, k int, grouping string) (order []int32, ends []int) {
	order, known := rank.Order(v)
	order = order[:known]
	if grouping == Classic {
		return order, classic(known, records(k))
	}
	_, u := scaled(v, order)
	return order, optimal(known, records(k), squares(u))
}

// bounds says where the groups may begin that end before a value, as a position among the sorted values.
type bounds interface {
	// starts returns the first and the last start of a group that ends before the j-th value; last is below 0 where there
	// is none. A group that begins earlier is never cheaper than the same values in two.
	starts(j int) (first, last int)
}

// records bounds groups of so many values: k to 2k-1.
type records int

func (k records) starts(j int) (first, last int) { return max(0, j-2*int(k)+1), j - int(k) }

// people bounds groups of k people: by end, where the shortest group begins, or -1. Equal values are in one group.
type people []int32

// peopled returns the bounds of groups of k people in sorted values. Who says by value whose it is.
func peopled(u []float64, who []int32, k int) people {
	last, in := make(people, len(u)+1), headcount.Of(who)
	from, next := -1, 0 // values from next on are of fewer than k people, those from from on are not
	last[0] = -1
	for j := 1; j <= len(u); j++ {
		in.Add(j - 1)
		if last[j] = -1; j < len(u) && u[j] == u[j-1] {
			continue
		}
		for in.Size() >= k {
			from = next
			for next < j && u[next] == u[from] {
				in.Remove(next)
				next++
			}
		}
		last[j] = int32(from)
	}
	return last
}

func (last people) starts(j int) (first, shortest int) {
	s := int(last[j])
	if s < 0 {
		return 0, s
	}
	return int(last[s]) + 1, s
}

// classic returns where the groups of n sorted values end: as short as can be, the last with the remainder. There is a
// group.
func classic(n int, b bounds) []int {
	var ends []int
	from := 0
	for j := 1; j <= n; j++ {
		if _, last := b.starts(j); last >= from {
			ends, from = append(ends, j), j
		}
	}
	ends[len(ends)-1] = n
	return ends
}

// costs is what a group of consecutive sorted values costs. A group is never cheaper than the same values in two.
type costs interface {
	// ending writes to dst[l] the cost of the l+1 values of which the j-th is the last, for l >= from.
	ending(j, from int, dst []float64)
}

// optimal returns where the groups of n sorted values end that cost least: the shortest path from 0 to n along arcs
// over k to 2k-1 values, or so many people (Hansen & Mukherjee 2003). Of paths that cost the same it takes the one with
// the smaller last group. There is a path. Cost: O(n k), or O(n w) for the w values of 2k-1 people beside each other.
//
// Sums are compensated, so that one huge cost, of a group with an outlier, does not hide what the others cost.
func optimal(n int, b bounds, c costs) []int {
	best, size := make([]sum, n+1), make([]int32, n+1)
	for i := range best {
		best[i].hi = math.Inf(1)
	}
	best[0].hi = 0
	var cost []float64
	for j := 1; j <= n; j++ {
		first, last := b.starts(j)
		if last < 0 {
			continue
		}
		reach := j - first
		cost = slices.Grow(cost[:0], reach)[:reach]
		c.ending(j-1, j-last-1, cost)
		for l := j - last; l <= reach; l++ {
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

// squares are sorted values whose groups cost the sum of squares around their mean. Differences are from the group's
// last value: with range r a group of L costs r²/2 at least, and the sums it is the difference of are L r² at most, so
// some log2(2L) bits of 53 are lost, however far the values are from zero and from other groups.
type squares []float64

func (v squares) ending(j, from int, dst []float64) {
	last, s, q := v[j], 0.0, 0.0
	for l := range dst {
		d := last - v[j-l]
		s += d
		q += float64(d * d)
		if l >= from {
			dst[l] = max(0, q-s*s/float64(l+1))
		}
	}
}

// weighted are sorted values whose groups cost the weighted sum of squares around their weighted mean, updated value by
// value (West 1979).
type weighted struct{ v, w []float64 }

func (c weighted) ending(j, _ int, dst []float64) {
	mean, total, m2 := c.v[j], c.w[j], 0.0
	for l := range dst {
		if l > 0 {
			d, w := c.v[j-l]-mean, c.w[j-l]
			total += w
			mean += d * w / total
			m2 += float64(w * d * (c.v[j-l] - mean))
		}
		dst[l] = m2
	}
}

// absolute are sorted codes whose groups cost the sum of distances from their median. Sums are of whole numbers, and
// exact.
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
		dst[l] = c.upTo[j+1] - c.upTo[m+1] - float64(c.v[m]*float64(j-m)) + float64(c.v[m]*float64(m-i)) -
			(c.upTo[m] - c.upTo[i])
	}
}

// scaled returns the sorted known values less the smallest, times a power of two that brings them into [0, 1]: so their
// squares are finite, and differences of values that are whole numbers of steps stay exact.
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
