package kanonymise

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/anonymity/diversity"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestClassesOfPeople: on small tables of people with one to five records, every class has records of k people, and the
// values of its people, each counted once, are as diverse as asked, as somebody counts who knows nothing of the search.
func TestClassesOfPeople(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		q := New()
		q.K, q.L, q.Suppression = rapid.IntRange(1, 4).Draw(t, "k"), float64(rapid.IntRange(1, 3).Draw(t, "l")), 1
		q.Search = rapid.SampledFrom([]string{Lattice, Mondrian}).Draw(t, "search")
		q.Diversity = rapid.SampledFrom([]string{Distinct, Entropy, Recursive}).Draw(t, "diversity")
		q.Quasi, q.Sensitive = []string{"a", "b"}, []string{"s"}
		var whose []int32
		for p := range rapid.IntRange(q.K, 12).Draw(t, "people") {
			for range rapid.IntRange(1, 5).Draw(t, "records") {
				whose = append(whose, int32(p))
			}
		}
		draw := func(name string, lowest int32) table.Column {
			c := table.CatColumn(name, []string{"p", "q", "r", "t"},
				rapid.SliceOfN(rapid.Int32Range(lowest, 3), len(whose), len(whose)).Draw(t, name))
			c.Ordered = true
			return c
		}
		tab := tabletest.Must(draw("a", -1), draw("b", 0), draw("s", -1)).Owned(whose)
		p, err := q.Fit(t.Context(), tab, protecttest.Seed(1))
		if err != nil {
			return // all together are not diverse enough
		}
		out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
		for _, rows := range protecttest.Alike(p, tab, out) {
			must.NoError(t, q.refuses(rows, whose, tab.Cat(2)))
		}
	})
}

// refuses returns what a class lacks.
func (q *Technique) refuses(rows []int, whose, secret []int32) error {
	type one struct{ value, who int32 }
	who, know, has := map[int32]bool{}, map[int32]bool{}, map[one]bool{}
	for _, i := range rows {
		if who[whose[i]] = true; secret[i] >= 0 {
			know[whose[i]] = true
			has[one{secret[i], whose[i]}] = true
		}
	}
	if len(who) < q.K {
		return fmt.Errorf("%d records are of %d people, expected %d", len(rows), len(who), q.K)
	}
	if len(know) == 0 {
		return nil
	}
	counts := map[int32]int32{}
	for o := range has {
		counts[o.value]++
	}
	var ascending []int32
	for _, n := range counts {
		ascending = append(ascending, n)
	}
	slices.Sort(ascending)
	l := map[string]float64{Distinct: float64(len(counts)), Entropy: diversity.Entropy(ascending),
		Recursive: diversity.Recursive(ascending, q.C)}[q.Diversity]
	if l = min(l, float64(len(know))); int(slices.Max(ascending)) == len(know) {
		l = 1
	}
	if l < q.L {
		return fmt.Errorf("%d people leave %v values open, expected %v", len(know), l, q.L)
	}
	return nil
}
