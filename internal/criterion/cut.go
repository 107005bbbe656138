package criterion

import (
	"math"
	"slices"
)

// BestCut returns the cut of a numeric attribute with the largest information gain, and the measures of its split: values
// <= cut against larger ones. Cuts lie half way between neighbouring values; of gains within 1e-12 the smallest cut wins (Fletcher & Islam 2015,
// section 5). Classes holds the class of every value, from 0. Records whose value is NaN are left out; ok is false when fewer
// than two different values remain. Cost: O(n log n + d k) for n values, d different ones and k classes.
//
// C4.5 cuts at a value of the data and charges log2(tries)/n for the choice (package c45); this is the plain criterion.
func BestCut(values []float64, classes []int32) (cut float64, best Split, ok bool) {
	var order []int
	below, above := []float64{}, []float64{}
	for i, v := range values {
		if v != v {
			continue
		}
		order = append(order, i)
		for len(above) <= int(classes[i]) {
			below, above = append(below, 0), append(above, 0)
		}
		above[classes[i]]++
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	gain := math.Inf(-1)
	for k, i := range order {
		if k > 0 && values[order[k-1]] < values[i] {
			if s := Of([][]float64{below, above}); s.Gain > gain+1e-12 {
				gain, best, ok = s.Gain, s, true
				cut = values[order[k-1]] + (values[i]-values[order[k-1]])/2
			}
		}
		below[classes[i]]++
		above[classes[i]]--
	}
	return cut, best, ok
}
