package rank

import (
	"math"
	"slices"

	"github.com/dither-data/dither/table"
)

// narrow is how far apart whole numbers may be that are looked up in a list.
const narrow = 1 << 16

// Dense returns the position of every number among the different ones, -1 for a missing one, and these, ascending. Cost: O(n) for whole numbers that
// are close together, else that of Order.
func Dense(v []float64) (ranks []int32, distinct []float64) {
	ranks = make([]int32, len(v))
	lo, hi := table.Range(v)
	if whole := !slices.ContainsFunc(v, func(x float64) bool { return x == x && x != math.Trunc(x) }); whole && hi-lo < narrow {
		at := make([]int32, int(hi-lo)+1) // 1 where a number occurs, then its rank
		for _, x := range v {
			if x == x {
				at[int(x-lo)] = 1
			}
		}
		for k, n := range at {
			if n > 0 {
				at[k] = int32(len(distinct))
				distinct = append(distinct, lo+float64(k))
			}
		}
		for i, x := range v {
			if ranks[i] = -1; x == x {
				ranks[i] = at[int(x-lo)]
			}
		}
		return ranks, distinct
	}
	order, known := Order(v)
	for k, i := range order {
		switch {
		case k >= known:
			ranks[i] = -1
			continue
		case k == 0 || v[i] != distinct[len(distinct)-1]:
			distinct = append(distinct, v[i])
		}
		ranks[i] = int32(len(distinct) - 1)
	}
	return ranks, distinct
}
