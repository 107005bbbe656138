package quantile_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/internal/testkit/long"
)

// Nth finds what sorting puts there, of values that repeat or not and in any order, and leaves the others on their
// sides; Median is At of sorted values.
func TestNth(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int{1, 3, 1000}).Draw(t, "most")
		values := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, most), func(v int) float64 { return float64(v) }), 1,
			200).Draw(t, "values")
		switch rapid.IntRange(0, 3).Draw(t, "order") {
		case 0:
			slices.Sort(values)
		case 1:
			slices.Sort(values)
			slices.Reverse(values)
		}
		k := rapid.IntRange(0, len(values)-1).Draw(t, "k")
		sorted := slices.Sorted(slices.Values(values))
		if got := quantile.Median(slices.Clone(values)); got != quantile.At(sorted, 0.5) {
			t.Fatalf("median %v, expected %v", got, quantile.At(sorted, 0.5))
		}
		if got := quantile.Nth(values, k); got != sorted[k] || values[k] != got {
			t.Fatalf("%v at %d, expected %v", got, k, sorted[k])
		}
		if slices.Max(values[:k+1]) > values[k] || slices.Min(values[k:]) < values[k] {
			t.Fatalf("not divided at %d: %v", k, values)
		}
		slices.Sort(values)
		if !slices.Equal(values, sorted) {
			t.Fatalf("values %v, expected %v", values, sorted)
		}
	})
	if v := quantile.Median(nil); !math.IsNaN(v) {
		t.Errorf("the median of nothing is %v", v)
	}
}
