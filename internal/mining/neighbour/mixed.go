package neighbour

import (
	"context"
	"math/bits"
	"slices"
)

// Mixed is an index of records of numbers and categories, some of them missing: the same tree with another distance.
//
// The squared distance adds up, in order, the squares of the differences of numbers, and 0 for equal categories and 1
// for different ones. A value that either record lacks counts as 1, so numbers are best scaled to a mean square of 1. A
// number may be known as an interval only; its distance from a value is that of the nearer end, 0 inside. What is known
// to be missing (Missing) equals what is missing. Every answer is that of comparing with all records, to the last bit.
//
// Categories are codes from 0, whole numbers. Nodes are split by ranges of codes, so searches are quickest when the
// commonest categories have the lowest. Differing categories are counted first, eight at a time (codes), and where they
// alone are too many, nothing else is looked at.
//
// An index made by BuildGower has the distance of Gower (1971) instead: numbers add their absolute differences, and
// what is said of squared distances holds for it.
type Mixed struct {
	x        *Index
	nominal  []bool
	straight bool // numbers add differences, not their squares
}

const (
	gone     = 1e150 // stands for a missing value; numbers are kept within 1e100 of 0
	anything = 1e200 // the ends of an interval that holds every value
)

// Missing in a question is at distance 0 from a missing value and 1 from all others. NaN, of which nothing is known, is
// at 1 from every value.
const Missing = gone

// BuildMixed returns the index of records of len(nominal) attributes, at least one; nominal says which hold codes of
// categories. Points holds record after record, below 2^31 of them, and is not kept; NaN is missing and numbers are
// within 1e100 of 0. Cost: as Build.
func BuildMixed(points []float64, nominal []bool) *Mixed {
	return buildMixed(points, nominal, 32, false)
}

// BuildGower is BuildMixed for the distance of Gower: the sum of absolute differences of numbers, which are scaled by
// their ranges, and of differing categories. Cost: as Build.
func BuildGower(points []float64, nominal []bool) *Mixed {
	return buildMixed(points, nominal, 32, true)
}

// ListMixed is BuildMixed for few questions: the records stand in one leaf, in their order, and all are compared. Cost:
// O(n dims).
func ListMixed(points []float64, nominal []bool) *Mixed {
	return buildMixed(points, nominal, max(1, len(points)), false)
}

func buildMixed(points []float64, nominal []bool, bucket int, straight bool) *Mixed {
	points = slices.Clone(points)
	for i, v := range points {
		if v != v {
			points[i] = gone
		}
	}
	m := &Mixed{nominal: nominal, straight: straight}
	m.x = build(points, len(nominal), bucket, m.telling)
	m.x.codes = newCodes(m.x, nominal)
	return m
}

// telling returns the attribute that keeps most of a node's records at a distance from a question when they are split
// by it. For categories that is how often two records differ. Of numbers, a question is at a mean square of their
// variance from the cut, and spares half of the records: a quarter of the mean square of a difference.
func (m *Mixed) telling(x *Index, lo, hi, widest int) int {
	best, most, n := widest, 0.0, min(sample/2, (hi-lo)/2)
	for d, nominal := range m.nominal {
		sum := 0.0
		for k := range n {
			at, _ := bits.Mul64(uint64(k+1)*0x9e3779b97f4a7c15, uint64(hi-lo)) // spread as in cut
			a, b := x.points[(lo+k*(hi-lo)/n)*x.dims+d], x.points[(lo+int(at))*x.dims+d]
			sum += m.part(a, a, b, b, nominal)
		}
		if !nominal {
			sum /= 4
		}
		if sum > most {
			best, most = d, sum
		}
	}
	return best
}

// Len returns the number of records that are not removed.
func (m *Mixed) Len() int { return m.x.Len() }

// Remove takes a record out of the index, under the terms of Index.Remove.
func (m *Mixed) Remove(record int) { m.x.Remove(record) }

// Each calls ask for every question, on all cores, those that fall into one leaf after one another: i is the number of
// the question, known its values, s the search of the calling goroutine. What ask writes must belong to question i
// alone. Questions of 2*dims values follow one another.
func (m *Mixed) Each(ctx context.Context, questions []float64, ask func(s *MixedSearch, i int, known []float64)) error {
	p := 2 * len(m.nominal)
	n := len(questions) / p
	order := make([]uint64, n) // the leaf's position, then the question
	err := spread(ctx, n, m.Search, func(s *MixedSearch, i int) {
		order[i] = uint64(s.leaf(questions[i*p:i*p+p]))<<32 | uint64(i)
	})
	if err != nil {
		return err
	}
	slices.Sort(order)
	return spread(ctx, n, m.Search, func(s *MixedSearch, k int) {
		i := int(uint32(order[k]))
		ask(s, i, questions[i*p:i*p+p])
	})
}

// part returns what attribute d adds to the squared distance of a value that may be gone, for a question from lo to hi.
// Of a box it is the least part: low and high are its ends, which are both the value for a single one.
func (m *Mixed) part(lo, hi, low, high float64, nominal bool) float64 {
	e := max(low-hi, lo-high, 0)
	if !m.straight {
		e = float64(e * e) // no fused multiply-add: the same on every machine
	}
	if e > 1 && (nominal || high == gone || lo == gone) {
		return 1
	}
	return e
}

// near returns a number that no squared distance of a record of node n is below, or where that is beyond a limit a
// number that is, too.
func (s *MixedSearch) near(n int32, limit float64) float64 {
	x := s.m.x
	sum := s.unknown
	if x.codes != nil {
		sum += float64(s.asked.outside(x.codes, n))
	}
	if sum > limit {
		return sum
	}
	low, high := x.box(n)
	return float64(s.asked.slack * s.asked.apart(sum, low, high, limit))
}

// beyond reports whether the record at a position is farther than a limit for certain, from its categories and then its
// numbers.
func (s *MixedSearch) beyond(at int, record []float64, limit float64) bool {
	c := s.m.x.codes
	if c == nil {
		return false
	}
	sum := s.unknown + float64(s.asked.differing(c, at))
	return sum > limit || s.asked.slack*s.asked.from(sum, record, limit) > limit
}

// distance returns the squared distance of a record, or where it is beyond a limit a number that is, too.
func (s *MixedSearch) distance(record []float64, limit float64) float64 {
	p := len(s.lo)
	record, hi, nominal := record[:p], s.hi[:p], s.m.nominal[:p]
	sum := s.unknown
	for d, lo := range s.lo {
		if sum += s.m.part(lo, hi[d], record[d], record[d], nominal[d]); sum > limit {
			break
		}
	}
	return sum
}
