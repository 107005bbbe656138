package reassign_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/noise/reassign"
	"github.com/dither-data/dither/internal/testkit/long"
)

func TestLargestRemainder(t *testing.T) {
	for _, c := range []struct {
		n      int
		shares []float64
		want   []int
	}{
		{10, []float64{0.52, 0.31, 0.17}, []int{5, 3, 2}},
		{10, []float64{0.25, 0.25, 0.15, 0.35}, []int{3, 3, 1, 3}},
		{100, []float64{0.29, 0.71}, []int{29, 71}}, // 0.29 is a little below as it is stored
		{3, []float64{0.1, 0.1, 0.1, 0.7}, []int{1, 0, 0, 2}},
		{0, []float64{1}, []int{0}},
	} {
		if got := reassign.Counts(c.n, c.shares); !slices.Equal(got, c.want) {
			t.Errorf("%d of %v: %v, expected %v", c.n, c.shares, got, c.want)
		}
	}
}

// Counts add up, and none is off by a record from its share, whatever the shares are.
func TestCounts(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 1000).Draw(t, "n")
		shares := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 12).Draw(t, "shares")
		all := 0.0
		shares[0] += 1e-3
		for _, f := range shares {
			all += f
		}
		sum := 0
		for k := range shares {
			shares[k] /= all
		}
		for k, c := range reassign.Counts(n, shares) {
			sum += c
			if math.Abs(float64(c)-float64(n)*shares[k]) >= 1+1e-6 {
				t.Fatalf("%d of %v: %d in %d", n, shares, c, k)
			}
		}
		if sum != n {
			t.Fatalf("%d of %v: %d in all", n, shares, sum)
		}
	})
}

// Anyone who has a lower value, or a lower number at the same value, is in no higher cell; and cells have what they are
// to have.
func TestOrdered(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.SampledFrom([]float64{-1, 0, 0.5, 2, 3}), 1, 30).Draw(t, "values")
		rows := rapid.Permutation(numbers(len(values))).Draw(t, "rows")
		counts := reassign.Counts(len(rows), []float64{0.3, 0, 0.5, 0.2})
		codes := make([]int32, len(values))
		reassign.Ordered(slices.Clone(rows), values, counts, codes)
		check(t, codes, counts)
		for i := range values {
			for j := range values {
				if before := cmp.Or(cmp.Compare(values[i], values[j]), i-j); before < 0 && codes[i] > codes[j] {
					t.Fatalf("values %v are in %v", values, codes)
				}
			}
		}
	})
}

// Cells have what they are to have, and no more records move than the surplus.
func TestNearest(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		released := rapid.SliceOfN(rapid.Int32Range(0, 3), 1, 30).Draw(t, "released")
		counts := reassign.Counts(len(released), []float64{0.4, 0.1, 0, 0.5})
		codes := make([]int32, len(released))
		reassign.Nearest(rapid.Permutation(numbers(len(released))).Draw(t, "rows"), released, counts, codes)
		check(t, codes, counts)
		moved, surplus := 0, 0
		have := make([]int, 4)
		for i, c := range released {
			have[c]++
			if codes[i] != c {
				moved++
			}
		}
		for c := range have {
			surplus += max(0, have[c]-counts[c])
		}
		if moved != surplus {
			t.Fatalf("%v becomes %v: %d records move, expected %d", released, codes, moved, surplus)
		}
	})
}

func numbers(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

func check(t *rapid.T, codes []int32, counts []int) {
	have := make([]int, len(counts))
	for _, c := range codes {
		have[c]++
	}
	if !slices.Equal(have, counts) {
		t.Fatalf("cells have %v, expected %v", have, counts)
	}
}
