package quest

import (
	"math"
	"math/bits"

	"github.com/dither-data/dither/internal/portable"
)

// alias draws numbers by given weights, each draw in one step (Walker 1977, in the form of Vose 1991).
type alias []side

// side is one of equally likely cells: a draw that falls into its part below the limit, in 2^-64 of the cell, is the
// cell's own number, the others are another's.
type side struct {
	limit uint64
	other int32
}

// newAlias takes the weights of 0, 1, ..., at least one of them positive.
func newAlias(weights []float64) alias {
	n, sum := len(weights), 0.0
	for _, w := range weights {
		sum += w
	}
	a, share := make(alias, n), make([]float64, n) // of a cell
	var small, large []int32
	for k, w := range weights {
		share[k] = float64(w / sum * float64(n))
		a[k] = side{math.MaxUint64, int32(k)}
		if share[k] < 1 {
			small = append(small, int32(k))
		} else {
			large = append(large, int32(k))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		a[s] = side{uint64(share[s] * 0x1p64), l}
		if share[l] -= 1 - share[s]; share[l] < 1 {
			large, small = large[:len(large)-1], append(small, l)
		}
	}
	return a
}

// draw returns the number that a random word stands for.
func (a alias) draw(word uint64) int {
	cell, within := bits.Mul64(word, uint64(len(a)))
	if s := a[cell]; within >= s.limit {
		return int(s.other)
	}
	return int(cell)
}

// poisson draws Poisson numbers with the given mean, at least 0; those beyond twelve standard deviations and 40 do not
// occur.
func poisson(mean float64) alias {
	weights := make([]float64, 1+int(mean+float64(12*math.Sqrt(mean))+40))
	for k := range weights {
		logGamma := portable.Lgamma(float64(k + 1))
		weights[k] = portable.Exp(float64(float64(k)*portable.Log(mean)) - mean - logGamma)
	}
	if mean == 0 {
		weights = []float64{1}
	}
	return newAlias(weights)
}
