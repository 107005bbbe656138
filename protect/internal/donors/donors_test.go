package donors

import (
	"math"
	"slices"
	"testing"
)

// TestValues: of equal values one is kept, the same in any order of the records, so of two zeros the positive one.
func TestValues(t *testing.T) {
	nan, minus := math.NaN(), math.Copysign(0, -1)
	for _, v := range [][]float64{{3, minus, nan, 0, -1, 3}, {0, 3, 3, -1, minus, nan}} {
		got := valuesOf(v)
		if !slices.Equal(got, []float64{-1, 0, 3}) || math.Signbit(got[1]) {
			t.Errorf("%v: %v", v, got)
		}
	}
}
