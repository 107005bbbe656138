package c45

import (
	"math"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/sorting"
)

// rank replaces numbers by their rank among the distinct ones, from 0; NaN becomes -1. It also returns the distinct
// numbers, ascending; both are in a space. Numbers on a grid of few points are ranked by marking the points, others by
// a radix sort: O(n) both.
func rank(in *mmap.Space, v []float64, step float64) (distinct []float64, codes []int32) {
	codes = mmap.Make[int32](in, len(v))
	lo, hi, whole := math.Inf(1), math.Inf(-1), true
	for _, x := range v {
		if x < lo {
			lo = x
		}
		if x > hi {
			hi = x
		}
		whole = whole && (x == math.Trunc(x) || x != x)
	}
	if whole {
		step = 1
	}
	if lo > hi { // all missing
		for i := range codes {
			codes[i] = -1
		}
		return nil, codes
	}
	if points := (hi-lo)/step + 1; step > 0 && points < float64(4*len(v)+1<<16) {
		if distinct, ok := rankGrid(in, v, lo, 1/step, int(points+1.5), codes); ok {
			return distinct, codes
		}
	}
	return rankSort(in, v, codes), codes
}

// rankGrid ranks numbers that lie on the points lo + k/inverse, k < points. It gives up when two different numbers
// share a point.
func rankGrid(in *mmap.Space, v []float64, lo, inverse float64, points int, codes []int32) ([]float64, bool) {
	at := mmap.Make[float64](in, points)
	defer mmap.Free(in, at)
	for k := range at {
		at[k] = math.NaN()
	}
	for i, x := range v {
		if x != x {
			codes[i] = -1
			continue
		}
		k := int32(float64((x-lo)*inverse) + 0.5)
		codes[i] = k
		if at[k] != x {
			if at[k] == at[k] {
				return nil, false
			}
			at[k] = x + 0 // no negative zero
		}
	}
	order := mmap.Make[int32](in, points)
	defer mmap.Free(in, order)
	occur := 0
	for _, x := range at {
		if x == x {
			occur++
		}
	}
	distinct := mmap.Make[float64](in, occur)[:0]
	for k, x := range at {
		if x == x {
			order[k] = int32(len(distinct))
			distinct = append(distinct, x)
		}
	}
	for i, k := range codes {
		if k >= 0 {
			codes[i] = order[k]
		}
	}
	return distinct, true
}

type ranked struct {
	key uint64
	row int32
}

func rankSort(in *mmap.Space, v []float64, codes []int32) (distinct []float64) {
	a := mmap.Make[ranked](in, len(v))[:0]
	var or, and uint64 = 0, math.MaxUint64
	for i, x := range v {
		codes[i] = -1
		if x == x {
			k := sorting.Key(x)
			or, and = or|k, and&k
			a = append(a, ranked{k, int32(i)})
		}
	}
	b := mmap.Make[ranked](in, len(v))[:len(a)]
	const digit = 11
	for shift := 0; shift < 64; shift += digit {
		if (or^and)>>shift&(1<<digit-1) == 0 {
			continue // all keys agree in this digit
		}
		var start [1 << digit]int32
		for i := range a {
			start[a[i].key>>shift&(1<<digit-1)]++
		}
		offsets(start[:])
		for i := range a {
			d := a[i].key >> shift & (1<<digit - 1)
			b[start[d]] = a[i]
			start[d]++
		}
		a, b = b, a
	}
	occur := 0
	for i := range a {
		if i == 0 || a[i].key != a[i-1].key {
			occur++
		}
		codes[a[i].row] = int32(occur - 1)
	}
	distinct = mmap.Make[float64](in, occur)[:0]
	for i := range a {
		if i == 0 || a[i].key != a[i-1].key {
			distinct = append(distinct, v[a[i].row]+0)
		}
	}
	mmap.Free(in, a)
	mmap.Free(in, b)
	return distinct
}

// offsets turns counts into the offsets where each group starts.
func offsets(count []int32) {
	at := int32(0)
	for d, n := range count {
		count[d] = at
		at += n
	}
}
