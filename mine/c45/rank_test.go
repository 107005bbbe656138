package c45

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/internal/testkit/long"
)

// Ranks are positions among the sorted distinct values, on grids and off them, with missing values, infinities and
// both zeros.
func TestRankTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		step := rapid.SampledFrom([]float64{0, 1, 0.1, 0.01, 1e-7, 1e9}).Draw(t, "step")
		scale := rapid.SampledFrom([]float64{1, 0.1, 1.0 / 3, 1e-9, 1e15}).Draw(t, "scale")
		v := rapid.SliceOf(rapid.Custom(func(t *rapid.T) float64 {
			if special := rapid.SampledFrom([]float64{1, 1, 1, 1, 1, 1, math.NaN(), math.Inf(1), math.Inf(-1),
				math.Copysign(0, -1)}).Draw(t, "special"); special != 1 {
				return special
			}
			return float64(rapid.IntRange(-40, 40).Draw(t, "k")) * scale
		})).Draw(t, "v")
		distinct, codes := rank(nil, v, step)
		want := slices.DeleteFunc(slices.Clone(v), math.IsNaN)
		slices.Sort(want)
		want = slices.CompactFunc(want, func(a, b float64) bool { return a == b })
		if diff := gocmp.Diff(want, distinct, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
		for i, x := range v {
			k, _ := slices.BinarySearch(distinct, x)
			if math.IsNaN(x) {
				k = -1
			}
			if int(codes[i]) != k {
				t.Fatalf("value %v has rank %d, expected %d", x, codes[i], k)
			}
		}
	})
}

func TestSortByCode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 63, 64, 1000, 5000} {
		for _, size := range []int{1, 2, 255, 256, 257, 2049, 1 << 20, 1<<31 - 1} {
			a, b := make([]uint64, n), make([]uint64, n)
			for i := range a {
				a[i] = uint64(r.IntN(size))<<32 | uint64(r.Uint32N(9))
			}
			count := map[uint64]int{}
			for _, k := range a {
				count[k]++
			}
			got := sortByCode(a, b, size)
			if !slices.IsSortedFunc(got, func(x, y uint64) int { return cmp.Compare(x>>32, y>>32) }) {
				t.Errorf("%d keys of %d codes are not sorted", n, size)
			}
			for _, k := range got {
				count[k]--
			}
			for k, c := range count {
				if c != 0 {
					t.Fatalf("%d keys of %d codes: key %x is lost or doubled", n, size, k)
				}
			}
		}
	}
}
