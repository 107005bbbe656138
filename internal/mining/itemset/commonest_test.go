package itemset

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// The commonest sets are the first of all of them in order, however many items it takes to find them.
func TestCommonest(t *testing.T) {
	seeds := long.Of[uint64](1, 40)
	if long.Every() {
		seeds = 200
	}
	for seed := range seeds {
		tr, least := drawn(seed)
		for kind := All; kind <= Maximal; kind++ {
			var want []Found
			all := must.Get(LCM(
				context.Background(),
				tr,
				Query{Least: least, Kind: kind, Visit: func(items []int32, count int) bool {
					want = append(want, Found{slices.Clone(items), count})
					return true
				}},
			))(t)
			slices.SortFunc(want, Found.before)
			for _, most := range []int{0, 1, 2, 5, 20, 1000} {
				for name, mine := range miners {
					got, n, err := Commonest(context.Background(), mine, tr, least, kind, most)
					if err != nil || n != all {
						t.Fatalf("%s, seed %d, kind %d: %d itemsets, %v, expected %d", name, seed, kind, n, err, all)
					}
					if want := want[:min(most, len(want))]; fmt.Sprint(got) != fmt.Sprint(want) {
						t.Fatalf("%s, seed %d, kind %d, the %d commonest:\n%v\nexpected\n%v", name, seed, kind, most, got, want)
					}
				}
			}
		}
	}
}

// Of sets that nobody could visit the commonest are found, and nobody waits for it.
func TestCommonestOfEndlessSets(t *testing.T) {
	row := make([]int32, 150)
	for k := range row {
		row[k] = int32(k)
	}
	got, n, err := Commonest(t.Context(), LCM, of(len(row), row, row), 1, All, 160)
	if err != nil || n != Endless || len(got) != 160 {
		t.Fatalf("%d sets of %v, %v", len(got), n, err)
	}
	for k, f := range got {
		want := []int32{int32(k)}
		if k >= len(row) {
			want = []int32{0, int32(k - len(row) + 1)}
		}
		if f.Count != 2 || !slices.Equal(f.Items, want) {
			t.Fatalf("set %d is %v, expected %v twice", k, f, want)
		}
	}
}
