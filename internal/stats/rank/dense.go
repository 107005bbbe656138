package rank

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/table"
)

// narrow is how far apart whole numbers may be that are looked up in a list.
const narrow = 1 << 16

// A table of hashes tells apart up to a handful of different numbers; at most half of its places are taken.
const (
	placeBits = 13
	handful   = 1 << (placeBits - 1)
)

// Dense returns the position of every number among the different ones, -1 for a missing one, and these, ascending.
// Minus zero is zero. Cost: O(n) for whole numbers that are close together and for some thousand different ones, else
// that of Order.
func Dense(v []float64) (ranks []int32, distinct []float64) {
	ranks = make([]int32, len(v))
	lo, hi := table.Range(v)
	if whole := !slices.ContainsFunc(v, func(x float64) bool { return x == x && x != math.Trunc(x) }); whole &&
		hi-lo < narrow {
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
	if distinct, ok := told(v, ranks); ok {
		return ranks, arrange(ranks, distinct)
	}
	order, known := Order(v)
	for k, i := range order {
		switch {
		case k >= known:
			ranks[i] = -1
			continue
		case k == 0 || v[i] != distinct[len(distinct)-1]:
			distinct = append(distinct, v[i]+0)
		}
		ranks[i] = int32(len(distinct) - 1)
	}
	return ranks, distinct
}

// told numbers different values in the order in which they come. It gives up, and says so, where they are more than a
// handful.
func told(v []float64, numbers []int32) (distinct []float64, ok bool) {
	var places [1 << placeBits]int32 // by hash: the number and 1
	for i, x := range v {
		if x != x {
			numbers[i] = -1
			continue
		}
		// the top bits of a product depend on all bits of the number
		at := (math.Float64bits(x+0) * 0x9e3779b97f4a7c15) >> (64 - placeBits)
		for places[at] != 0 && distinct[places[at]-1] != x {
			at = (at + 1) % (1 << placeBits)
		}
		if places[at] == 0 {
			if len(distinct) == handful {
				return nil, false
			}
			distinct = append(distinct, x+0)
			places[at] = int32(len(distinct))
		}
		numbers[i] = places[at] - 1
	}
	return distinct, true
}

// arrange makes ranks of numbers, and the order of the values.
func arrange(numbers []int32, distinct []float64) []float64 {
	order, _ := Order(distinct)
	ascending, rank := make([]float64, len(distinct)), make([]int32, len(distinct))
	for r, k := range order {
		ascending[r], rank[k] = distinct[k], int32(r)
	}
	for i, k := range numbers {
		if k >= 0 {
			numbers[i] = rank[k]
		}
	}
	return ascending
}

// Ascending returns the numbers that are not missing, ascending; minus zero is zero, so that it is the same in any
// order of the records. Cost: that of Dense.
func Ascending(v []float64) []float64 {
	if len(v) <= few {
		return ascending(make([]float64, 0, len(v)), v)
	}
	ranks, distinct := Dense(v)
	starts := Starts(ranks, len(distinct))
	out := make([]float64, starts[len(distinct)])
	for k, x := range distinct {
		for i := starts[k]; i < starts[k+1]; i++ {
			out[i] = x
		}
	}
	return out
}

// AscendingIn is Ascending with all that is as long as the numbers in a space. Cost: on the heap that of Ascending,
// else that of slices.Sort.
func AscendingIn(in *mmap.Space, v []float64) []float64 {
	if in == nil {
		return Ascending(v)
	}
	return ascending(mmap.Make[float64](in, len(v))[:0], v)
}

// ascending appends the known numbers to an empty slice and sorts them.
func ascending(out, v []float64) []float64 {
	for _, x := range v {
		if x == x {
			out = append(out, x+0)
		}
	}
	slices.Sort(out)
	return out
}

// Starts returns where each of so many ranks begins when those of all records stand in order, and where the last ends.
func Starts(ranks []int32, distinct int) []int {
	starts := make([]int, distinct+1)
	for _, r := range ranks {
		if r >= 0 {
			starts[r+1]++
		}
	}
	for k := range distinct {
		starts[k+1] += starts[k]
	}
	return starts
}
