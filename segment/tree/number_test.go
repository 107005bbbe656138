package tree

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestNumber compares with sorting and searching, for keys that fit a table and keys that do not.
func TestNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := rapid.SampledFrom([]uint64{1, 20, 4096, 1 << 20, 1<<64 - 1}).Draw(t, "top")
		keys := rapid.SliceOfN(rapid.Uint64Range(0, top), 0, 60).Draw(t, "keys")
		dst := make([]int32, len(keys))
		got := Number(keys, dst)
		want := slices.Compact(slices.Sorted(slices.Values(keys)))
		if !slices.Equal(got, want) {
			t.Fatalf("keys %v, expected %v", got, want)
		}
		for i, k := range keys {
			if want[dst[i]] != k {
				t.Fatalf("key %d has number %d, which is that of %d", k, dst[i], want[dst[i]])
			}
		}
	})
}
