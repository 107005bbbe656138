package mechanism

import (
	"fmt"
	"slices"
)

// Quantile chooses, by permute-and-flip, the candidate that is nearest to the quantile num/den of values, which are
// sorted: its score is minus the size of (den - num) L - num R, with L values below the candidate and R at it or above,
// which one value more changes by max(num, den-num) at most. The candidates are ascending and must not be taken from
// the values. All that lie beyond the values are alike to the score, so each step of the candidates away from zero
// takes a factor e from the weight: that does not depend on the values. It returns the candidate's place. There must be
// a candidate. Cost: O(candidates log values).
func Quantile(w Words, values, candidates []float64, num, den uint64, epsilon Ratio) (int, error) {
	if num >= den || den > 1<<20 {
		return 0, fmt.Errorf("no quantile %d/%d", num, den)
	}
	unit := max(num, den-num)
	s, err := NewSelection(epsilon, unit)
	if err != nil {
		return 0, err
	}
	step := int64(2*unit*epsilon.Den/epsilon.Num) + 1
	if step <= 0 || step > 1<<40 {
		return 0, fmt.Errorf("an epsilon of %v is too small for a quantile", epsilon)
	}
	zero, _ := slices.BinarySearch(candidates, 0)
	scores := make([]int64, len(candidates))
	for k, c := range candidates {
		below, _ := slices.BinarySearch(values, c)
		off, away := int64(den-num)*int64(below)-int64(num)*int64(len(values)-below), int64(k-zero)
		scores[k] = -max(off, -off) - step*max(away, -away)
	}
	return s.PermuteAndFlip(w, scores), nil
}
