package sullivanfuller

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// codes is the way back from Column.Numbers.
func codes(v []float64) []int32 {
	out := make([]int32, len(v))
	for i, c := range v {
		if out[i] = -1; c == c {
			out[i] = int32(c)
		}
	}
	return out
}

// scores returns the normal scores Phi^-1(F) of ranked values, NaN where missing. F is (rank - 1/2) / n. Of a value
// that occurs several times, the rank is the middle one or, given places, F is uniform, by the record's block, on the
// cell of these ranks. Cost: about 30 ns a value.
func scores(r *rank.Ranks, rows int, places []rng.Block) []float64 {
	z := make([]float64, rows)
	if len(r.Order) < rows {
		for i := range z {
			z[i] = math.NaN()
		}
	}
	n := float64(len(r.Order))
	for a := 0; a < len(r.Order); {
		b := a + 1
		for b < len(r.Order) && r.Sorted[b] == r.Sorted[a] {
			b++
		}
		if places == nil || b == a+1 {
			middle := quantile(float64(a+b) / (2 * n))
			for _, i := range r.Order[a:b] {
				z[i] = middle
			}
		} else {
			for _, i := range r.Order[a:b] {
				z[i] = quantile((float64(a) + float64(float64(b-a)*rng.Unit(places[i].A))) / n)
			}
		}
		a = b
	}
	return z
}

// inverse returns the inverse of the distribution that the scores are taken from; for categories, a category that
// occurs.
func inverse(r *rank.Ranks, kind table.Kind, ties string) func(u float64) float64 {
	switch {
	case kind == table.Categorical:
		return rank.Marginal(r.Sorted).Step
	case ties == cell:
		return rank.Marginal(r.Sorted).Linear
	}
	return rank.NewSmoothed(r).Inverse
}

// quantile is Phi^-1; outside 2^-53 to 1-2^-53 it is as at these ends, some eight standard deviations.
func quantile(u float64) float64 {
	return float64(math.Sqrt2 * portable.Erfinv(2*min(max(u, 0x1p-53), 1-0x1p-53)-1))
}

// probability is Phi.
func probability(z float64) float64 { return portable.Erfc(-z/math.Sqrt2) / 2 }
