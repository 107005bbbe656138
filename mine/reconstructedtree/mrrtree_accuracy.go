package reconstructedtree

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Accuracy estimates from disguised records how many of the original ones a tree predicts rightly, and the standard
// error of that. For one group the accuracy a solves a* = theta a + (1 - theta) a', where a* is that on the records as
// they are disguised and a' the share of original records whose exchanged values the tree predicts to have the
// exchanged class; the same equation with both sides exchanged gives a'. The estimate is unbiased, so it may lie
// outside [0, 1]. Records without a class do not count. Cost: 2^g predictions for g groups.
func (l *Learner) Accuracy(tr *tree.Tree, t *table.Table) (accuracy, deviation float64, err error) {
	groups, err := l.groups(t)
	if err != nil {
		return 0, 0, err
	}
	class := t.WithRole(table.Class)
	if class != tr.Class || class < 0 || t.Attr(class).Kind != table.Categorical {
		return 0, 0, fmt.Errorf("the class is not that of the tree, %q", tr.Attrs[tr.Class].Name)
	}
	score, predicted := make([]float64, t.Rows()), make([]int32, t.Rows())
	for s := range 1 << len(groups) {
		exchanged, weight := t, 1.0
		for k := range groups {
			bit := s >> k & 1
			weight = float64(weight * groups[k].Weights()[bit])
			for _, j := range groups[k].Columns {
				if bit == 1 {
					exchanged = exchanged.WithCat(j, others(t.Cat(j)))
				}
			}
		}
		tr.Predict(exchanged, predicted)
		for i, c := range exchanged.Cat(class) {
			if c == predicted[i] {
				score[i] += weight
			}
		}
	}
	return average(score, t.Cat(class))
}

// others returns the other one of two codes for each that is not missing.
func others(codes []int32) []int32 {
	out := slices.Clone(codes)
	for i, c := range out {
		if c >= 0 {
			out[i] = 1 - c
		}
	}
	return out
}

// average returns the mean of the scores of the records that have a class, and its standard error.
func average(score []float64, class []int32) (mean, deviation float64, err error) {
	var sum, squares exact.Sum
	n := 0
	for i, c := range class {
		if c >= 0 {
			n++
			sum.Add(score[i])
			squares.Add(float64(score[i] * score[i]))
		}
	}
	if n == 0 {
		return 0, 0, fmt.Errorf("no record has a class")
	}
	mean = sum.Mean(n)
	return mean, math.Sqrt(max(0, squares.Mean(n)-float64(mean*mean)) / float64(n)), nil
}
