package study

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// itemStates is a set as a twin sees it: by item 0 where it is not in the set, 1 where it is and 2 where that is
// unknown; nil where the set is missing.
type itemStates []int

func drawBasket(r *rapid.T, items int) itemStates {
	if rapid.IntRange(0, 7).Draw(r, "missing") == 0 {
		return nil
	}
	return rapid.SliceOfN(rapid.SampledFrom([]int{0, 0, 0, 1, 1, 2}), items, items).Draw(r, "itemStates")
}

func basketColumn(of []itemStates, items int) table.Column {
	present, unknown := make([][]int32, len(of)), make([][]int32, len(of))
	for i, b := range of {
		if b != nil {
			present[i] = []int32{}
		}
		for v, state := range b {
			switch state {
			case 1:
				present[i] = append(present[i], int32(v))
			case 2:
				unknown[i] = append(unknown[i], int32(v))
			}
		}
	}
	labels := []string{"a", "b", "c", "d"}[:items]
	return table.SetColumn("itemStates", labels, table.SetsOf(present, unknown))
}

// setTable has baskets and, beside them, towns.
func setTable(r *rapid.T, baskets []itemStates, towns []int32) *table.Table {
	return tabletest.Of(r, basketColumn(baskets, 3), table.CatColumn("town", []string{"x", "y", "z"}, towns))
}

// lookedUp is whether somebody can be looked up, by the sentence at the head of lookups.go: by what is unchanged nobody
// else in the original and no other record is like it, and no other record agrees with all that is known in rarer
// values.
func lookedUp(gaps bool, was, is []itemStates, x, y []int32, i int) bool {
	known := func(missing bool) bool { return gaps || !missing }
	basketOf := func(k int) bool {
		return known(was[i] == nil) && slices.Equal(was[i], is[k]) && (was[i] == nil) == (is[k] == nil)
	}
	townOf := func(k int) bool { return known(x[i] < 0) && x[i] == y[k] }
	if !basketOf(i) && !townOf(i) {
		return false
	}
	haveBasket, haveTown := 0.0, 0.0
	for k := range is {
		if basketOf(k) {
			haveBasket++
		}
		if townOf(k) {
			haveTown++
		}
	}
	n := float64(len(is))
	weigh := func(k int) float64 { // a product in place of a sum of logarithms
		w := 1.0
		if basketOf(k) {
			w *= n / haveBasket
		}
		if townOf(k) {
			w *= n / haveTown
		}
		return w
	}
	for k := range is {
		if k == i {
			continue
		}
		inFile := (!basketOf(i) || slices.Equal(was[k], was[i]) && (was[k] == nil) == (was[i] == nil)) &&
			(!townOf(i) || x[k] == x[i])
		shown := (!basketOf(i) || basketOf(k)) && (!townOf(i) || townOf(k))
		agrees := basketOf(k) || townOf(k)
		if inFile || shown || agrees && weigh(k) >= weigh(i)*(1-1e-12) ||
			weigh(i) <= 1+1e-12 && weigh(k) >= weigh(i)*(1-1e-12) {
			return false
		}
	}
	return true
}

// TestLookUpOfSets: a set that is shown unchanged is a value like another, and once cells are blanked nobody can be
// looked up.
func TestLookUpOfSets(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(r, "n")
		was, is, x, y := make([]itemStates, n), make([]itemStates, n), make([]int32, n), make([]int32, n)
		for i := range n {
			was[i], x[i] = drawBasket(r, 3), rapid.Int32Range(-1, 2).Draw(r, "town")
			if is[i], y[i] = was[i], x[i]; rapid.IntRange(0, 3).Draw(r, "changed") == 0 {
				is[i], y[i] = drawBasket(r, 3), rapid.Int32Range(-1, 2).Draw(r, "other town")
			}
		}
		who := intruder.Intruder{Name: "twin", Knows: []string{"itemStates", "town"}, Gaps: rapid.Bool().Draw(r, "gaps")}
		original, released := setTable(r, was, x), setTable(r, is, y)
		c := must.Get(newCatalogue(original, released, nil, &who))(r)
		want := 0
		for i := range n {
			found := lookedUp(who.Gaps, was, is, x, y, i)
			if found {
				want++
			}
			if got := c.finds(i); got != found {
				r.Fatalf("record %d is looked up: %v, expected %v", i, got, found)
			}
		}
		release := &measure.Release{Original: original, Released: released, Paired: true}
		if l, err := LookUp(t.Context(), release, &who, rng.Source{}); err != nil || l.Found != want ||
			!slices.Equal(l.Columns, []string{"itemStates", "town"}) {
			r.Fatalf("looked up: %+v, %v; expected %d people", l, err, want)
		}
		blanks, err := BlankLookups(t.Context(), original, released, nil, []intruder.Intruder{who})
		must.NoError(r, err)
		for j, rows := range blanks {
			column := released.Column(j)
			if released, err = released.WithColumn(j, column.Blank(rows)); err != nil {
				r.Fatal(err)
			}
			for _, i := range rows {
				if j == 0 {
					is[i] = nil
				} else {
					y[i] = -1
				}
			}
		}
		if !who.Gaps {
			for i := range n {
				if lookedUp(false, was, is, x, y, i) {
					r.Fatalf("record %d is looked up though cells are blanked", i)
				}
			}
		}
	})
}
