package quantile

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What is counted is what sorting finds.
func TestOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.SliceOfN(rapid.Float64(), 1, 30).Draw(t, "numbers")
		values := append(
			slices.Clone(some),
			rapid.SliceOf(rapid.SampledFrom(append(some, math.NaN(), math.Inf(-1), 0, -1e-300, 5e-324))).Draw(t, "more")...)
		was := slices.Clone(values)
		known := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
		slices.Sort(known)
		places := rapid.SliceOfN(rapid.IntRange(0, len(known)-1), 1, 3).Draw(t, "places")
		for i, got := range Ordered(values, places...) {
			if got != known[places[i]] {
				t.Fatalf("place %d holds %v, want %v", places[i], got, known[places[i]])
			}
		}
		if !slices.EqualFunc(was, values, func(a, b float64) bool { return a == b || a != a && b != b }) {
			t.Fatal("the values were moved")
		}
	})
}
