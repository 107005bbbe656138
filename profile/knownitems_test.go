package profile

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// fewestOf tries all itemsets of up to three items.
func fewestOf(baskets [][]int32, p int) int {
	alone := func(set ...int32) bool {
		for q, other := range baskets {
			if q != p && !slices.ContainsFunc(set, func(v int32) bool { return !slices.Contains(other, v) }) {
				return false
			}
		}
		return true
	}
	best, items := 0, baskets[p]
	take := func(n int, set ...int32) {
		if (best == 0 || n < best) && alone(set...) {
			best = n
		}
	}
	for a, x := range items {
		take(1, x)
		for b, y := range items[:a] {
			take(2, x, y)
			for _, z := range items[:b] {
				take(3, x, y, z)
			}
		}
	}
	return best
}

// TestKnownItems: every person is told apart by as few items as a search through all itemsets finds, with several
// records of a person, sets that are missing and more items than a machine word has bits.
func TestKnownItems(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		rows, labels := rapid.IntRange(1, 30).Draw(t, "rows"), rapid.SampledFrom([]int{3, 8, 90}).Draw(t, "labels")
		chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		share := rapid.Float64Range(0, 1).Draw(t, "share")
		people := rapid.IntRange(1, rows).Draw(t, "people")
		sets, who := make([][]int32, rows), make([]float64, rows)
		byPerson := make([][]int32, people)
		met := make([]bool, people)
		for i := range sets {
			who[i] = float64(chance.IntN(people))
			if chance.IntN(9) == 0 {
				continue
			}
			sets[i] = []int32{}
			for v := range labels {
				if chance.Float64() < share {
					sets[i] = append(sets[i], int32(v))
				}
			}
			p := int(who[i])
			met[p] = true
			byPerson[p] = append(byPerson[p], sets[i]...)
		}
		var baskets [][]int32
		for p, b := range byPerson {
			if met[p] {
				slices.Sort(b)
				baskets = append(baskets, slices.Compact(b))
			}
		}
		tab := must.Get(table.New(table.NumColumn("who", 1, who),
			table.SetColumn("has", numbered(labels), table.SetsOf(sets, nil))))(t)
		a := *tab.Attr(0)
		a.Role = table.Person
		got := must.Get(exposeItems(context.Background(), tab.WithAttr(0, a)))(t)
		var want [mostKnown]int
		for p := range baskets {
			for m := fewestOf(baskets, p); m > 0 && m <= mostKnown; m++ {
				want[m-1]++
			}
		}
		if k := got[0]; k.People != len(baskets) || k.Tried != len(baskets) {
			t.Fatalf("%d of %d people, expected %d", k.Tried, k.People, len(baskets))
		}
		for m, u := range got[0].Unique {
			if u.Unique != want[m] || u.Low != u.Share || u.High != u.Share {
				t.Fatalf("%d of %d people are unique by %d items, expected %d", u.Unique, len(baskets), m+1, want[m])
			}
		}
	})
}

// TestKnownItemsTried: with little effort some people are tried, and the interval holds the share of all. The draw is
// fixed, so no run differs.
func TestKnownItemsTried(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 4))
	sets := make([][]int32, 4000)
	for i := range sets {
		sets[i] = []int32{chance.Int32N(40), 40 + chance.Int32N(40), 80 + chance.Int32N(8)}
	}
	tab := must.Get(table.New(table.SetColumn("has", numbered(88), table.SetsOf(sets, nil))))(t)
	all, err := basketsOf(tab, 0).known(context.Background(), effort)
	if err != nil || all.Tried != 4000 {
		t.Fatal(all.Tried, err)
	}
	some, err := basketsOf(tab, 0).known(context.Background(), 1)
	if err != nil || some.Tried != atLeast {
		t.Fatal(some.Tried, err)
	}
	for m, u := range some.Unique {
		if want := all.Unique[m].Share; u.Low > want || u.High < want || u.High-u.Low > 0.1 || m == 2 && u.High == u.Low {
			t.Errorf("unique by %d: %v to %v, all %v", m+1, u.Low, u.High, want)
		}
	}
}

func numbered(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = string(rune('A' + i))
	}
	return out
}

// BenchmarkKnownItems: 100,000 people with ten items of 16,000, skewed; all are tried.
func BenchmarkKnownItems(b *testing.B) {
	chance := rand.New(rand.NewPCG(3, 4))
	skewed := rand.NewZipf(chance, 1.2, 8, 15999)
	sets := make([][]int32, 100_000)
	for i := range sets {
		sets[i] = []int32{}
		for range 10 {
			sets[i] = append(sets[i], int32(skewed.Uint64()))
		}
	}
	tab := must.Get(table.New(table.SetColumn("has", numbered(16_000), table.SetsOf(sets, nil))))(b)
	for b.Loop() {
		k := must.Get(exposeItems(context.Background(), tab))(b)
		b.ReportMetric(float64(k[0].Tried), "tried")
	}
}
