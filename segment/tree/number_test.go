package tree

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/yardstick"
)

// TestNumber compares with sorting and searching, for keys that fit a table and keys that do not.
func TestNumber(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		top := rapid.SampledFrom([]uint64{1, 20, 4096, 1 << 20, 1<<64 - 1}).Draw(t, "top")
		keys := rapid.SliceOfN(rapid.Uint64Range(0, top), 0, 60).Draw(t, "keys")
		want := slices.Compact(slices.Sorted(slices.Values(keys)))
		dst := make([]int32, len(keys))
		numbered(t, keys, dst, Number(keys, dst), want)
		if len(keys) > 0 {
			clear(dst)
			numbered(t, keys, dst, sorted(keys, dst, want[0], want[len(want)-1]), want)
		}
	})
}

// More different keys than are looked up are sorted.
func TestNumberManyKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shift := range []int{0, 20, 44} {
		keys := make([]uint64, 5*near)
		for i := range keys {
			keys[i] = r.Uint64() >> shift << (shift / 2)
		}
		copy(keys[4*near:], keys)
		dst := make([]int32, len(keys))
		numbered(t, keys, dst, Number(keys, dst), slices.Compact(slices.Sorted(slices.Values(keys))))
	}
}

func numbered(t interface{ Fatalf(string, ...any) }, keys []uint64, dst []int32, got, want []uint64) {
	if !slices.Equal(got, want) {
		t.Fatalf("keys %v, expected %v", got, want)
	}
	for i, k := range keys {
		if want[dst[i]] != k {
			t.Fatalf("key %d has number %d, which is that of %d", k, dst[i], want[dst[i]])
		}
	}
}

// A million keys, of which few or nearly all differ, as shares of the yardstick.
func BenchmarkNumber(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, different := range []uint64{1000, 4000, 20_000, 1 << 40} {
		b.Run(fmt.Sprint(different), func(b *testing.B) {
			keys, dst := make([]uint64, 1_000_000), make([]int32, 1_000_000)
			for i := range keys {
				keys[i] = r.Uint64N(different) * 0x9e3779b97f4a7c15
			}
			for b.Loop() {
				Number(keys, dst)
			}
			yardstick.Report(b)
		})
	}
}
