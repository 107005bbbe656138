package itemset

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// The commonest sets are the first of all of them in order, however many items it takes to find them.
func TestCommonest(t *testing.T) {
	seeds := uint64(200)
	if testing.Short() {
		seeds = 40
	}
	for seed := range seeds {
		tr, least := drawn(seed)
		for kind := All; kind <= Maximal; kind++ {
			var want []Found
			all, err := LCM(context.Background(), tr, least, kind, func(items []int32, count int) bool {
				want = append(want, Found{slices.Clone(items), count})
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(want, Found.before)
			for _, most := range []int{0, 1, 2, 5, 20, 1000} {
				got, n, err := Commonest(context.Background(), LCM, tr, least, kind, most)
				if err != nil || n != all {
					t.Fatalf("seed %d, kind %d: %d itemsets, %v, expected %d", seed, kind, n, err, all)
				}
				if want := want[:min(most, len(want))]; fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("seed %d, kind %d, the %d commonest:\n%v\nexpected\n%v", seed, kind, most, got, want)
				}
			}
		}
	}
}
