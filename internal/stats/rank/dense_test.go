package rank

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// Ranks are the positions among the different numbers, whether these are whole and close together or not; missing ones
// have none.
func TestDense(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom([]float64{1, 0.25, 1e5, 1e17}).Draw(t, "scale")
		v := make([]float64, rapid.IntRange(0, 30).Draw(t, "rows"))
		for i := range v {
			if v[i] = scale * float64(rapid.IntRange(-9, 9).Draw(t, "value")); v[i] == 9*scale {
				v[i] = math.NaN()
			}
		}
		ranks, distinct := Dense(v)
		if len(ranks) != len(v) || !slices.IsSorted(distinct) ||
			len(slices.Compact(slices.Clone(distinct))) != len(distinct) {
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

// Any numbers have the ranks and the order that sorting gives them, below and above what a table of hashes tells apart.
func TestDenseEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		v := column(t)
		if rapid.IntRange(0, 9).Draw(t, "many") == 0 {
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
			different := handful + rapid.IntRange(-1, 1).Draw(t, "beyond")
			for _, k := range append(r.Perm(different), r.Perm(different)...) {
				v = append(v, 0.1*float64(k-100))
			}
		}
		sorted := slices.DeleteFunc(slices.Clone(v), math.IsNaN)
		slices.Sort(sorted)
		if got := Ascending(v); !slices.Equal(got, sorted) {
			t.Fatalf("%v ascends as %v, expected %v", v, got, sorted)
		}
		sorted = slices.Compact(sorted)
		ranks, distinct := Dense(v)
		if !slices.Equal(distinct, sorted) {
			t.Fatalf("the distinct values of %v are %v, expected %v", v, distinct, sorted)
		}
		for i, x := range v {
			want, found := slices.BinarySearch(sorted, x)
			if !found || x != x {
				want = -1
			}
			if int(ranks[i]) != want {
				t.Fatalf("%v has rank %d, expected %d", x, ranks[i], want)
			}
		}
		for _, x := range distinct {
			if math.Signbit(x) && x == 0 {
				t.Fatal("minus zero is not zero")
			}
		}
	})
}
