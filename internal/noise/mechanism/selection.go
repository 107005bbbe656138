package mechanism

import (
	"errors"
	"slices"

	"github.com/dither-data/dither/internal/portable"
)

// Selection chooses among candidates by scores of which one unit changes each by a sensitivity at most, in any
// direction: a candidate is worth the weight exp(-epsilon (best - score)/(2 sensitivity)). It is
// epsilon-differentially private, and epsilon^2/8-zero-concentrated by the exponential mechanism (Rogers & Steinke
// 2021).
type Selection struct {
	num, den wide // the exponent of a gap of one
}

// NewSelection returns the choice of an epsilon for scores of a sensitivity, at least 1.
func NewSelection(epsilon Ratio, sensitivity uint64) (Selection, error) {
	if epsilon.Num == 0 || sensitivity == 0 {
		return Selection{}, errors.New("epsilon and the sensitivity of a score must be positive")
	}
	return Selection{wide{0, epsilon.Num}, product(2*epsilon.Den, sensitivity)}, nil
}

// PermuteAndFlip returns a candidate: they are asked in random order, and the first that its coin accepts wins
// (McKenna & Sheldon 2020). Its expected score is never below that of Exponential. There must be a candidate. Cost:
// O(candidates).
func (s Selection) PermuteAndFlip(w Words, scores []int64) int {
	best, order := slices.Max(scores), make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	for i := range order {
		j := i + int(below(w, uint64(len(order)-i)))
		order[i], order[j] = order[j], order[i]
		if s.accepts(w, best, scores[order[i]]) {
			return order[i]
		}
	}
	panic("mechanism: a candidate with the best score is always accepted")
}

// Exponential returns a candidate with a probability proportional to its weight (McSherry & Talwar 2007). There must be
// a candidate. Expected cost: O(candidates) at most.
func (s Selection) Exponential(w Words, scores []int64) int {
	best := slices.Max(scores)
	for {
		if i := int(below(w, uint64(len(scores)))); s.accepts(w, best, scores[i]) {
			return i
		}
	}
}

// accepts throws the coin of a candidate: exp(-gap num/den).
func (s Selection) accepts(w Words, best, score int64) bool {
	gap := uint64(best) - uint64(score)
	return gap == 0 || expMinusWide(w, product(gap, s.num.lo), s.den)
}

// Weights returns the weights of candidates, at most 1.
func (s Selection) Weights(scores []int64) []float64 {
	best, out := slices.Max(scores), make([]float64, len(scores))
	rate := float64(s.num.lo) / (float64(s.den.hi)*0x1p64 + float64(s.den.lo))
	for i, score := range scores {
		out[i] = portable.Exp(-float64(float64(uint64(best)-uint64(score)) * rate))
	}
	return out
}

// ExponentialLaw returns the probabilities with which Exponential chooses.
func (s Selection) ExponentialLaw(scores []int64) []float64 {
	out, sum := s.Weights(scores), 0.0
	for _, v := range out {
		sum += v
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// PermuteAndFlipLaw returns the probabilities with which PermuteAndFlip chooses. A candidate of weight v wins with
// probability v times the integral over u in [0, 1] of the product of 1 - u v' over the others: u is the share of the
// others that are asked before it. In the basis u^k (1-u)^(m-k) all terms are positive. Cost: O(candidates^3).
func (s Selection) PermuteAndFlipLaw(scores []int64) []float64 {
	weights := s.Weights(scores)
	out := make([]float64, len(weights))
	for i, weight := range weights {
		passes := []float64{1} // by k: the sum over sets of k others of the products of 1 - v'
		for j, v := range weights {
			if j == i {
				continue
			}
			passes = append(passes, 0)
			for k := len(passes) - 1; k > 0; k-- {
				passes[k] += float64(passes[k-1] * (1 - v))
			}
		}
		m, ways := float64(len(passes)-1), 1.0
		for k, p := range passes { // the integral of u^k (1-u)^(m-k) is 1 over (m+1) binomial(m, k)
			out[i] += weight * p / float64((m+1)*ways)
			ways = ways * (m - float64(k)) / float64(k+1)
		}
	}
	return out
}
