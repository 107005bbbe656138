package unit

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// TestInOrder: rows come by key, scattered or not, and those of a key in their order.
func TestInOrder(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		kinds := rapid.SampledFrom([]uint64{1, 2, 20, 1000}).Draw(t, "kinds")
		scattered := rapid.Bool().Draw(t, "scattered")
		keys := rapid.SliceOfN(rapid.Uint64Range(0, kinds-1), 0, 300).Draw(t, "keys")
		all := make([]keyed, len(keys))
		for i, k := range keys {
			if all[i] = (keyed{k, int32(i)}); scattered {
				all[i].key = mix(k)
			}
		}
		want := slices.SortedFunc(slices.Values(all), byKey)
		if got := inOrder(all); !slices.Equal(got, want) {
			t.Fatalf("%v, expected %v", got, want)
		}
	})
}

func byKey(a, b keyed) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.row, b.row)) }
