package leafwise_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
)

// dumbDeal is the definition: sort the records of every group by their keys, deal the codes in ascending order.
func dumbDeal(codes, group []int32, groups int, keys []rng.Block) []int32 {
	out := slices.Clone(codes)
	for g := range groups {
		var rows []int
		var hand []int32
		for i, c := range codes {
			if c >= 0 && group[i] == int32(g) {
				rows, hand = append(rows, i), append(hand, c)
			}
		}
		slices.Sort(hand)
		slices.SortStableFunc(rows, func(i, j int) int {
			return cmp.Or(cmp.Compare(keys[i].A, keys[j].A), cmp.Compare(keys[i].B, keys[j].B))
		})
		for k, i := range rows {
			out[i] = hand[k]
		}
	}
	return out
}

// Few labels are counted in a table, 10,000 of them sorted into place.
func TestDealAgreesWithSorting(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		groups := rapid.IntRange(1, 5).Draw(t, "groups")
		labels := rapid.SampledFrom([]int{1, 2, 5, 10_000}).Draw(t, "labels")
		n := rapid.IntRange(0, 80).Draw(t, "records")
		coarse := rapid.Bool().Draw(t, "coarse keys") // so that words tie
		codes, group, keys := make([]int32, n), make([]int32, n), make([]rng.Block, n)
		for i := range n {
			group[i] = int32(rapid.IntRange(0, groups-1).Draw(t, "group"))
			codes[i] = int32(rapid.IntRange(-1, labels-1).Draw(t, "code"))
			keys[i] = rng.Block{A: rapid.Uint64().Draw(t, "A"), B: rapid.Uint64Range(0, 1).Draw(t, "B")}
			if coarse {
				keys[i].A &= 7 << 61
			}
		}
		was := slices.Clone(codes)
		got, want := leafwise.Deal(codes, group, groups, labels, keys), dumbDeal(codes, group, groups, keys)
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, expected %v", got, want)
		}
		if !slices.Equal(codes, was) {
			t.Fatal("the codes dealt from are written to")
		}
	})
}

// A million records of seven codes take 0.07 of the time of the yardstick in ten groups, 1.1 times it in 100,000
// groups.
func BenchmarkDeal(b *testing.B) {
	const n = 1_000_000
	r := rand.New(rand.NewPCG(1, 2))
	codes, keys := make([]int32, n), make([]rng.Block, n)
	rng.Blocks[uint64](protecttest.Seed(1).Stream(), keys, nil, 0)
	for _, c := range []struct {
		name   string
		groups int
	}{{"10", 10}, {"100k", 100_000}} {
		group := make([]int32, n)
		for i := range n {
			codes[i], group[i] = int32(r.IntN(7)), int32(r.IntN(c.groups))
		}
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				leafwise.Deal(codes, group, c.groups, 7, keys)
			}
			yardstick.Report(b)
		})
	}
}
