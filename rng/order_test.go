package rng_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/rng"
)

// The slow twin sorts all records by the words of their blocks, one by one. Records of one identity keep their order.
func TestOrder(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		s := rng.New(seed(4)).Stream()
		n := rapid.OneOf(rapid.IntRange(0, 50), rapid.IntRange(4000, 20_000)).Draw(t, "n")
		k := rapid.IntRange(0, n+1).Draw(t, "k")
		first := rapid.Uint64Range(0, 1<<40).Draw(t, "first")
		var ids []uint64
		id := func(i int) uint64 { return first + uint64(i) }
		if rapid.Bool().Draw(t, "listed") {
			few := rapid.Uint64Range(1, 1<<30).Draw(t, "identities")
			for i := range n {
				ids = append(ids, uint64(i)*uint64(i)%few)
			}
			id = func(i int) uint64 { return ids[i] }
		}
		want := make([]int, n)
		for i := range want {
			want[i] = i
		}
		words := make([]uint64, n)
		for i := range words {
			words[i] = s.At(id(i)).A
		}
		slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(words[a], words[b]) })
		want = want[:min(k, n)]
		if got := rng.Order(s, k, n, ids, first); !slices.Equal(got, want) {
			t.Fatalf("the first %d of %d stand in another order", k, n)
		}
		if got := rng.Sample(s, k, n, ids, first); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Fatalf("others than the first %d of %d are drawn", k, n)
		}
	})
}
