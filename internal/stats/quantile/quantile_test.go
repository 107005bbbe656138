package quantile_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/internal/testkit/long"
)

func TestSummary(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   quantile.Summary
	}{
		{[]float64{7}, quantile.Summary{7, 7, 7, 7}},
		{[]float64{3, 1}, quantile.Summary{2, 1.5, 2, 2.5}},
		{[]float64{5, 1, 2, 4, 3}, quantile.Summary{3, 2, 3, 4}},
		{[]float64{1, 2, 3, 10}, quantile.Summary{4, 1.75, 2.5, 4.75}},
	} {
		if got := quantile.Of(c.values); got != c.want {
			t.Errorf("%v: %+v, expected %+v", c.values, got, c.want)
		}
	}
	if got := quantile.Of(nil); !math.IsNaN(got.Mean) || !math.IsNaN(got.Median) {
		t.Errorf("no values: %+v", got)
	}
}

// TestQuantilesAreMonotone and lie between neighbours at position (n-1)p.
func TestQuantilesAreMonotone(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		v, sum := make([]float64, n), 0.0
		for i := range v {
			sum += rapid.Float64Range(0, 5).Draw(t, "gap")
			v[i] = sum
		}
		p, q := rapid.Float64Range(0, 1).Draw(t, "p"), rapid.Float64Range(0, 1).Draw(t, "q")
		a, b := quantile.At(v, min(p, q)), quantile.At(v, max(p, q))
		if a > b || quantile.At(v, 0) != v[0] || quantile.At(v, 1) != v[n-1] {
			t.Fatalf("%v: %v at %v, %v at %v", v, a, min(p, q), b, max(p, q))
		}
		k := int(float64(n-1) * p)
		if x := quantile.At(v, p); x < v[k] || x > v[min(k+1, n-1)] {
			t.Fatalf("%v: %v at %v", v, x, p)
		}
	})
}

func TestCuts(t *testing.T) {
	for _, c := range []struct {
		values []float64
		bins   int
		want   []float64
	}{
		{[]float64{1, 2, 3, 4}, 2, []float64{2}},
		{[]float64{1, 2, 3, 4, 5}, 2, []float64{3}},
		{[]float64{1, 2, 3}, 9, []float64{1, 2}},
		{[]float64{1, 1, 1, 2}, 2, []float64{1}},
		{[]float64{1, 2, 2, 2}, 2, nil},
		{[]float64{0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5}, 3, []float64{0, 3}},
		{[]float64{5, 5, 5}, 10, nil}, {[]float64{1, 2, 3}, 1, nil}, {nil, 10, nil},
	} {
		if got := quantile.Cuts(c.values, c.bins); !slices.Equal(got, c.want) {
			t.Errorf("%d bins of %v: cuts %v, expected %v", c.bins, c.values, got, c.want)
		}
	}
}

// TestCutsEqualTwin fills bin after bin, value by value: one takes its share of those left, rounded up, and then what
// equals its last.
func TestCutsEqualTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.SampledFrom([]float64{-1, 0, 0.5, 2, 3, 7, 8, 9, 11, 40}), 0, 30).Draw(t, "values")
		slices.Sort(v)
		bins := rapid.IntRange(1, 12).Draw(t, "bins")
		var want []float64
		for left, b := v, bins; len(left) > 0 && b > 1; b-- {
			n := 0
			for n < len(left) && (n*b < len(left) || left[n] == left[n-1]) {
				n++
			}
			if n < len(left) {
				want = append(want, left[n-1])
			}
			left = left[n:]
		}
		if got := quantile.Cuts(v, bins); !slices.Equal(got, want) {
			t.Fatalf("%d bins of %v: cuts %v, expected %v", bins, v, got, want)
		}
	})
}
