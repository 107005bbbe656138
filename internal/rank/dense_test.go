package rank

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Ranks are the positions among the different numbers, whether these are whole and close together or not; missing ones have none.
func TestDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom([]float64{1, 0.25, 1e5, 1e17}).Draw(t, "scale")
		v := make([]float64, rapid.IntRange(0, 30).Draw(t, "rows"))
		for i := range v {
			if v[i] = scale * float64(rapid.IntRange(-9, 9).Draw(t, "value")); v[i] == 9*scale {
				v[i] = math.NaN()
			}
		}
		ranks, distinct := Dense(v)
		if len(ranks) != len(v) || !slices.IsSorted(distinct) || len(slices.Compact(slices.Clone(distinct))) != len(distinct) {
			t.Fatalf("%d ranks of %d values, the distinct ones are %v", len(ranks), len(v), distinct)
		}
		used := make([]bool, len(distinct))
		for i, r := range ranks {
			if r < 0 && v[i] == v[i] || r >= 0 && distinct[r] != v[i] {
				t.Fatalf("%v has rank %d of %v", v[i], r, distinct)
			}
			if r >= 0 {
				used[r] = true
			}
		}
		if slices.Contains(used, false) {
			t.Fatalf("%v has distinct values %v that do not occur", v, distinct)
		}
	})
}
