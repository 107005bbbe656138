package nearest

import (
	"context"
	"math"
	"math/bits"

	"github.com/dither-data/dither/internal/portable"
)

// Pattern is how a pair of records agrees: bit j of Agree is set where both have attribute j and agree in it, bit j of
// Known where both have it.
type Pattern struct{ Agree, Known uint64 }

// Counted is how many pairs have a pattern.
type Counted struct {
	Pattern
	Pairs float64
}

// Model is the law of the patterns of matching and of other pairs (Fellegi & Sunter 1969): attributes agree
// independently of each other, with probability M[j] where both records are the same person's and U[j] where they are
// not. Pi is the share of matching pairs.
type Model struct {
	Pi         float64
	M, U       []float64
	Iterations int

	agree, differ []float64 // what agreeing, or not, adds to a weight
}

const (
	rarely    = 1e-6 // probabilities are kept so far from 0 and 1
	iteration = 200  // at most
	settled   = 1e-9 // largest change of a probability in the last iteration
)

// Fit estimates the model of p attributes from the patterns of pairs by expectation and maximisation (Jaro 1989). At
// most matches of the pairs are taken to match: a person has one record at most, so Pi is kept below matches over
// pairs. It starts there, with U as often as all pairs agree and M = 0.9, or halfway from U to 1 where that is more.
// Attributes that no pair has agree by the toss of a coin. Cost: O(patterns p) for each of at most 200 iterations.
func Fit(ctx context.Context, patterns []Counted, p int, matches float64) (*Model, error) {
	pairs := 0.0
	for _, c := range patterns {
		pairs += c.Pairs
	}
	m := &Model{M: make([]float64, p), U: make([]float64, p)}
	most := inside(matches / max(pairs, 1))
	m.Pi = most
	s := newShares(p)
	for _, c := range patterns {
		s.add(c.Pattern, c.Pairs)
	}
	s.divide(m.U)
	for j, u := range m.U {
		m.M[j] = inside(max(0.9, (1+u)/2))
	}
	m.weigh()
	match, other := newShares(p), newShares(p)
	next := &Model{M: make([]float64, p), U: make([]float64, p)}
	for m.Iterations < iteration && ctx.Err() == nil {
		match.reset()
		other.reset()
		matching := 0.0
		for _, c := range patterns {
			z := float64(m.Matching(c.Pattern) * c.Pairs)
			match.add(c.Pattern, z)
			other.add(c.Pattern, c.Pairs-z)
			matching += z
		}
		next.Pi = min(most, inside(matching/max(pairs, 1)))
		match.divide(next.M)
		other.divide(next.U)
		change := math.Abs(next.Pi - m.Pi)
		for j := range p {
			change = max(change, math.Abs(next.M[j]-m.M[j]), math.Abs(next.U[j]-m.U[j]))
		}
		next.Iterations = m.Iterations + 1
		next.weigh()
		m, next = next, m
		if change < settled {
			break
		}
	}
	return m, ctx.Err()
}

// weigh sets what attributes add to weights.
func (m *Model) weigh() {
	m.agree, m.differ = m.agree[:0], m.differ[:0]
	for j, p := range m.M {
		m.agree = append(m.agree, portable.Log2(p/m.U[j]))
		m.differ = append(m.differ, portable.Log2((1-p)/(1-m.U[j])))
	}
}

// inside keeps a probability away from 0 and 1.
func inside(p float64) float64 { return min(max(p, rarely), 1-rarely) }

// Weight returns log2 of how many times likelier the pattern is between records of the same person than between others.
// What either record lacks says nothing.
func (m *Model) Weight(g Pattern) float64 {
	w := 0.0
	for known := g.Known; known != 0; known &= known - 1 {
		j := bits.TrailingZeros64(known)
		if g.Agree>>j&1 != 0 {
			w += m.agree[j]
		} else {
			w += m.differ[j]
		}
	}
	return w
}

// Matching returns the probability that a pair of the pattern matches.
func (m *Model) Matching(g Pattern) float64 {
	odds := float64(m.Pi / (1 - m.Pi) * portable.Exp2(m.Weight(g)))
	if math.IsInf(odds, 1) {
		return 1
	}
	return odds / (1 + odds)
}

// shares counts, attribute by attribute, the pairs that have it and those that agree.
type shares struct{ agree, known []float64 }

func newShares(p int) *shares { return &shares{make([]float64, p), make([]float64, p)} }

func (s *shares) reset() {
	clear(s.agree)
	clear(s.known)
}

func (s *shares) add(g Pattern, pairs float64) {
	for known := g.Known; known != 0; known &= known - 1 {
		j := bits.TrailingZeros64(known)
		s.known[j] += pairs
		if g.Agree>>j&1 != 0 {
			s.agree[j] += pairs
		}
	}
}

// divide sets p to the shares, kept away from 0 and 1.
func (s *shares) divide(p []float64) {
	for j := range p {
		p[j] = 0.5
		if s.known[j] > 0 {
			p[j] = inside(s.agree[j] / s.known[j])
		}
	}
}
