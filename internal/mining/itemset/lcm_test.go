package itemset

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
)

// Transactions that are many enough to be merged again as the tasks go on: in words, upright and in lists of either
// width LCM finds what the twin does, in one order.
func TestMergedAgain(t *testing.T) {
	for seed := range long.Of[uint64](1, 24) {
		r := rand.New(rand.NewPCG(seed, 2))
		labels := 14 + r.IntN(20)
		rows := make([][]int32, 150+r.IntN(150))
		for i := range rows {
			for c := range int32(labels) {
				if r.Float64() < 0.75*float64(c+4)/float64(labels+4) {
					rows[i] = append(rows[i], c)
				}
			}
		}
		tr := of(labels, rows...)
		least := len(rows) / 7
		for kind := All; kind <= Maximal; kind++ {
			want := twin(tr, least, kind)
			for name, mine := range map[string]Miner{"words": inside((*ranking).inWords),
				"upright": inside((*ranking).inUpright), "narrow": inside(inLists[uint16]), "wide": inside(inLists[int32])} {
				got := found(t, mine, tr, least, kind)
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Fatalf("%s, seed %d, kind %d, at least %d: %d sets\n%s\nexpected %d\n%s", name, seed, kind, least, len(got),
						strings.Join(got, "\n"), len(want), strings.Join(want, "\n"))
				}
			}
		}
	}
}

// inside is LCM in transactions of one form.
func inside(search func(*ranking, context.Context, *Query, *Transactions) (Tally, error)) Miner {
	return func(ctx context.Context, t *Transactions, q Query) (Tally, error) {
		return search(rankingOf(t, max(1, q.Least)), ctx, &q, t)
	}
}

// As many items as two bytes tell apart, one fewer, and more: each is in a transaction with another one, and in one
// alone.
func TestManyItems(t *testing.T) {
	long.Only(t, "65,537 items")
	for _, n := range []int{narrow - 1, narrow, narrow + 1, narrow + 2} {
		rows := make([][]int32, 0, 2*n)
		for c := range int32(n) {
			rows = append(rows, []int32{c})
			if c%2 == 1 {
				rows = append(rows, []int32{c - 1, c})
			}
		}
		want := Tally(n + n/2)
		for kind, expected := range []Tally{All: want, Closed: want, Maximal: Tally(n/2 + n%2)} {
			sum := 0
			got, err := LCM(
				t.Context(),
				of(n, rows...),
				Query{Least: 1, Kind: Kind(kind), Visit: func(items []int32, count int) bool {
					if c := items[0]; count != 1 && (len(items) > 1 || count != 2) || len(items) > 1 && (c%2 == 1 || items[1] != c+1) {
						t.Fatalf("%d items: %v is in %d transactions", n, items, count)
					}
					sum++
					return true
				}},
			)
			if err != nil || got != expected || sum != int(got) {
				t.Errorf("%d items, kind %d: %d sets, %d visited, %v, expected %d", n, kind, got, sum, err, expected)
			}
		}
	}
}
