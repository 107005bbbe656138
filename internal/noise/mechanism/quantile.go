package mechanism

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// Quantile chooses quantiles of values on a public grid (Smith 2011, by permute-and-flip).
type Quantile struct {
	choice   Selection
	num, den uint64
	records  float64 // by which the rank of a choice is off in units of the score, per record
	epsilon  float64
}

// mostParts is the largest denominator of a quantile.
const mostParts = 1 << 20

// NewQuantile returns the choice of the quantile num/den, above 0 and below 1, for an epsilon. The score of a candidate
// is minus by how many records its rank is off, times den: with L values below it and M at it or below, of n, it is off
// by L - n num/den, or by n num/den - M, or by nothing. One value more changes that by max(num, den-num)/den records at
// most.
func NewQuantile(num, den uint64, epsilon Ratio) (*Quantile, error) {
	if num == 0 || num >= den || den > mostParts {
		return nil, fmt.Errorf("no quantile %d/%d: expected one above 0 and below 1, of at most %d parts", num, den,
			mostParts)
	}
	unit := max(num, den-num)
	s, err := NewSelection(epsilon, unit)
	if err != nil {
		return nil, err
	}
	return &Quantile{choice: s, num: num, den: den, records: float64(unit) / float64(den), epsilon: epsilon.Float()}, nil
}

// Choose returns the place of a candidate: counts are how many values each has, in their order. There must be a
// candidate, and fewer than 2^40 values. Cost: O(candidates).
func (q *Quantile) Choose(w Words, counts []int64) int {
	var n, below int64
	for _, c := range counts {
		n += c
	}
	scores := make([]int64, len(counts))
	for k, c := range counts {
		upTo := below + c
		scores[k] = -max(int64(q.den)*below-int64(q.num)*n, int64(q.num)*n-int64(q.den)*upTo, 0)
		below = upTo
	}
	return q.choice.PermuteAndFlip(w, scores)
}

// Within returns by how many records the rank of a choice among so many candidates is off at most, with a probability:
// (2 max(q, 1-q)/epsilon) ln(candidates/(1-level)), the bound of the exponential mechanism, which permute-and-flip
// keeps.
func (q *Quantile) Within(candidates int, level float64) float64 {
	return math.Ceil(float64(2*q.records/q.epsilon) * portable.Log(float64(candidates)/(1-level)))
}
