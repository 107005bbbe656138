package swapping

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ranked is the values of a column with their ranks.
type ranked struct {
	v     []float64
	order []int32 // positions of the known values, ascending
	reach int     // largest distance of swapped ranks
}

// newRanked ranks values, of which p per cent are the reach.
func newRanked(v []float64, p float64) *ranked {
	order, known := rank.Order(v)
	return &ranked{v: v, order: order[:known], reach: max(1, int(p*float64(known)/100))}
}

// numbers returns a copy of a column as numbers: of categories their codes.
func numbers(t *table.Table, j int) []float64 {
	c := t.Column(j)
	if c.Kind == table.Numeric {
		return slices.Clone(c.Num)
	}
	return c.Numbers()
}

// labels returns numbers as codes, rounded.
func labels(v []float64) []int32 {
	codes := make([]int32, len(v))
	for i, x := range v {
		if codes[i] = -1; x == x {
			codes[i] = int32(math.Round(x))
		}
	}
	return codes
}

// kept returns how many records keep their value for certain: those whose neighbours in reach all have the same.
func (r *ranked) kept() (n int) {
	last := len(r.order) - 1
	for i, at := range r.order {
		if r.v[r.order[max(0, i-r.reach)]] == r.v[at] && r.v[r.order[min(last, i+r.reach)]] == r.v[at] {
			n++
		}
	}
	return n
}

// ends replaces the lowest and the highest values, in per cent, by their means.
func (r *ranked) ends(bottom, top float64) {
	n := float64(len(r.order))
	low, high := int(bottom*n/100), int(top*n/100)
	r.level(r.order[:low])
	r.level(r.order[len(r.order)-high:])
}

// level replaces values by their mean.
func (r *ranked) level(at []int32) {
	if len(at) == 0 {
		return
	}
	values := make([]float64, len(at))
	for k, i := range at {
		values[k] = r.v[i] / float64(len(at)) // divided first, so that the sum is finite
	}
	mean := exact.Of(values)
	for _, i := range at {
		r.v[i] = mean
	}
}

// rankDraws is how often a partner is drawn before those left are listed.
const rankDraws = 16

// swap lets values change places, from the lowest rank up.
func (r *ranked) swap(random *rand.Rand) {
	n := len(r.order)
	done := make([]bool, n)
	for a := range max(0, n-1) {
		if done[a] {
			continue
		}
		window := done[a+1 : min(n, a+1+r.reach)]
		b := partner(window, random)
		if b < 0 {
			continue
		}
		window[b] = true
		i, j := r.order[a], r.order[a+1+b]
		r.v[i], r.v[j] = r.v[j], r.v[i]
	}
}

// partner draws one of the places that are not done, each as likely; -1 where there is none.
func partner(window []bool, random *rand.Rand) int {
	for range rankDraws {
		if b := rng.Below(random.Uint64(), len(window)); !window[b] {
			return b
		}
	}
	var free []int
	for b, done := range window {
		if !done {
			free = append(free, b)
		}
	}
	if len(free) == 0 {
		return -1
	}
	return free[rng.Below(random.Uint64(), len(free))]
}
