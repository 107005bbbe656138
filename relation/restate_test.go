package relation_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/relation/relationtest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// scrambled stands for a technique that knows nothing of relations: every column is permuted by itself, and numbers
// move inside their domain.
func scrambled(t *table.Table, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 9))
	cols := t.Columns()
	for j := range cols {
		c := cols[j].Gather(r.Perm(t.Rows()))
		if c.Kind == table.Numeric {
			num := make([]float64, len(c.Num))
			for i, v := range c.Num {
				num[i] = c.Snap(min(max(v+r.NormFloat64()*3*max(c.Step, 1), c.Domain.Lo), c.Domain.Hi))
			}
			c.Num = num
		}
		cols[j] = c
	}
	out, err := t.WithColumns(cols)
	if err != nil {
		panic(err)
	}
	return out
}

// TestRestored: whatever a technique does to the restated table, the release keeps every relation, in every record.
func TestRestored(t *testing.T) {
	for seed, missing := range []float64{0, 0.02, 0} {
		tab, rels := relationtest.Table(700, missing, uint64(seed))
		r, left, err := relation.Restate(tab, rels, relation.RestateOptions{Shares: seed == 2})
		if err != nil || len(left) > 0 && left[0].Relation.Kind != relation.OnlyTogether {
			t.Fatalf("left %v, %v", left, err)
		}
		reduced := must.Get(r.Reduce(tab))(t)
		release := scrambled(reduced, uint64(seed))
		got, did, err := r.Restore(tab, release, relation.Draws{Source: rng.New([32]byte{byte(seed + 1)})})
		must.NoError(t, err)
		if did.Redrawn == 0 || did.Redrawn == tab.Rows() {
			t.Errorf("%d records were drawn anew", did.Redrawn)
		}
		if got.Width() != tab.Width() {
			t.Fatalf("%d columns, expected %d", got.Width(), tab.Width())
		}
		for _, rel := range r.Relations() {
			b := must.Get(rel.Bind(tab))(t)
			count := [3]int{}
			for _, s := range b.States(got) {
				count[s]++
			}
			if count[relation.Broken] > 0 || count[relation.Holds] == 0 {
				t.Errorf("%s: unknown, holds, broken in %v records", rel, count)
			}
		}
		if len(r.Relations())+len(left) != len(rels) {
			t.Errorf("%d relations kept, %d left, of %d", len(r.Relations()), len(left), len(rels))
		}
	}
}

// TestReducedComesBack: the reduced table, as it is, is restored to the original.
func TestReducedComesBack(t *testing.T) {
	tab, rels := relationtest.Table(500, 0, 3)
	r, _, err := relation.Restate(tab, rels, relation.RestateOptions{})
	must.NoError(t, err)
	reduced := must.Get(r.Reduce(tab))(t)
	if len(r.Computed()) < 6 || reduced.Width() != tab.Width()-len(r.Computed()) {
		t.Errorf("%v are computed; the reduced table has %d columns of %d", r.Computed(), reduced.Width(), tab.Width())
	}
	got, _, err := r.Restore(tab, reduced, relation.Draws{Source: rng.New([32]byte{1})})
	must.NoError(t, err)
	for j := range tab.Width() {
		a, b := tab.Column(j), got.Column(j)
		if n := a.Differ(&b); n > 0 {
			t.Errorf("column %q differs in %d records", a.Name, n)
		}
	}
}

// TestCodesExist: a number that is the code of a text is released as a code that exists, the nearest in its segment,
// and the text is that of the code; other numbers stay as the technique made them.
func TestCodesExist(t *testing.T) {
	const n = 600
	r := rand.New(rand.NewPCG(5, 5))
	code, amount := make([]float64, n), make([]float64, n)
	name, group, segments := make([]int32, n), make([]int32, n), make([]uint64, n)
	names := make([]string, 20)
	for k := range names {
		names[k] = fmt.Sprint("ward ", k)
	}
	for i := range n {
		k := r.IntN(20)
		code[i], amount[i], name[i], group[i] = float64(1000+k*k*7), float64(r.IntN(5000)), int32(k), int32(k/5)
		segments[i] = uint64(k / 10)
	}
	tab := must.Get(table.New(table.NumColumn("code", 1, code), table.NumColumn("amount", 1, amount),
		table.CatColumn("name", names, name), table.CatColumn("group", []string{"a", "b", "c", "d"}, group)))(t)
	rels := []relation.Relation{
		{Kind: relation.Determines, Columns: []string{"code", "name"}},
		{Kind: relation.Determines, Columns: []string{"code", "group"}},
	}
	by, _, err := relation.Restate(tab, rels, relation.RestateOptions{})
	must.NoError(t, err)
	reduced := must.Get(by.Reduce(tab))(t)
	release := scrambled(reduced, 1)
	got, _, err := by.Restore(tab, release, relation.Draws{Source: rng.New([32]byte{1}), Segments: segments})
	must.NoError(t, err)
	units := make([]int32, n) // of two records, whose code the technique drew once
	drawn := slices.Clone(release.Num(0))
	for i := range n {
		units[i], drawn[i] = int32(i/2), drawn[i/2*2]
	}
	if release, err = release.WithColumn(0, table.NumColumn("code", 1, drawn)); err != nil {
		t.Fatal(err)
	}
	for what, of := range map[string]*table.Table{"person": tab.Owned(units), "household": tab.Housed(units)} {
		same, _, err := by.Restore(of, release, relation.Draws{Source: rng.New([32]byte{1}), Segments: segments})
		must.NoError(t, err)
		for i, v := range same.Num(0) {
			if v != same.Num(0)[i/2*2] {
				t.Fatalf("record %d of a %s has code %v, the other one %v", i, what, v, same.Num(0)[i/2*2])
			}
		}
	}
	release = scrambled(reduced, 1)
	names = got.Attr(2).Labels
	for i := range n {
		best := math.Inf(1)
		for o := range n {
			if segments[o] == segments[i] {
				best = min(best, math.Abs(code[o]-release.Num(0)[i]))
			}
		}
		v := got.Num(0)[i]
		at := slices.Index(code, v)
		if at < 0 || segments[at] != segments[i] || math.Abs(v-release.Num(0)[i]) != best ||
			names[got.Cat(2)[i]] != tab.Attr(2).Labels[name[at]] {
			t.Fatalf("record %d: code %v, from %v, beside %q", i, v, release.Num(0)[i], names[got.Cat(2)[i]])
		}
		if got.Num(1)[i] != release.Num(1)[i] {
			t.Fatalf("record %d: amount %v, from %v", i, got.Num(1)[i], release.Num(1)[i])
		}
	}
}

// TestOrderOnGrids: an order between numbers of different grids is kept on the grid of each, by the target above and by
// the one below, and what no technique changed comes back.
func TestOrderOnGrids(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	const n = 500
	low, mean, high := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		low[i] = float64(80 + r.IntN(60))
		mean[i] = table.Snap(low[i]+float64(1+r.IntN(200))/10, 0.1)
		high[i] = math.Floor(mean[i]) + 1 + float64(r.IntN(20))
	}
	tab := must.Get(table.New(table.NumColumn("low", 1, low), table.NumColumn("mean", 0.1, mean),
		table.NumColumn("high", 1, high)))(t)
	for k, rels := range [][]relation.Relation{
		{{Kind: relation.Order, Columns: []string{"low", "mean"}}, {Kind: relation.Order, Columns: []string{"mean", "high"}}},
		{{Kind: relation.Order, Columns: []string{"mean", "high"}, Strict: true}},
		{{Kind: relation.Order, Columns: []string{"low", "mean"}, Strict: true}},
	} {
		for _, fixed := range []string{"", rels[0].Columns[1]} {
			by, left, err := relation.Restate(tab, rels, relation.RestateOptions{
				Fixed: func(name string) bool { return name == fixed },
			})
			if err != nil || fixed == "" && len(left) > 0 {
				t.Fatalf("left %v, %v", left, err)
			}
			reduced := must.Get(by.Reduce(tab))(t)
			for again, release := range []*table.Table{reduced, scrambled(reduced, uint64(k))} {
				got, _, err := by.Restore(tab, release, relation.Draws{Source: rng.New([32]byte{1})})
				must.NoError(t, err)
				for j := range 3 {
					c, was := got.Column(j), tab.Column(j)
					if again == 0 && c.Differ(&was) > 0 {
						t.Errorf("relations %d, %q fixed: %q does not come back", k, fixed, c.Name)
					}
					for i, v := range c.Num {
						if c.Snap(v) != v {
							t.Fatalf("relations %d, %q fixed: record %d has %q of %v", k, fixed, i, c.Name, v)
						}
					}
				}
				for _, rel := range by.Relations() {
					b := must.Get(rel.Bind(tab))(t)
					if at := slices.Index(b.States(got), relation.Broken); at >= 0 {
						t.Errorf("relations %d, %q fixed: record %d breaks %s", k, fixed, at, rel)
					}
				}
			}
		}
	}
}

// TestFixedLabel: where the label must stay, the code is computed from it; where nothing can be computed, that is said.
func TestFixedLabel(t *testing.T) {
	tab, rels := relationtest.Table(300, 0, 4)
	for fixed, want := range map[string]string{"text": "text -> code", "town": ""} {
		var one []relation.Relation
		for _, r := range rels {
			if r.Kind == relation.Determines && r.Columns[1] == fixed {
				one = append(one, r)
			}
		}
		r, left, err := relation.Restate(tab, one, relation.RestateOptions{Fixed: func(c string) bool { return c == fixed }})
		must.NoError(t, err)
		kept := ""
		for _, k := range r.Relations() {
			kept += k.String()
		}
		if kept != want || (want == "") != (len(left) == 1) {
			t.Errorf("%s stays: %q is kept, %v left", fixed, kept, left)
		}
	}
}

// TestNeitherIsDrawn: a pair of which both columns follow from others is left for that reason, and one of which both
// are kept for that one.
func TestNeitherIsDrawn(t *testing.T) {
	labels := []string{"a", "b"}
	var cols []table.Column
	for _, name := range []string{"x", "y", "u", "v"} {
		cols = append(cols, texts(name, labels, 0, 1, 0, 1))
	}
	for key, fixed := range map[string]bool{"relation.left.order": false, "relation.left.fixed": true} {
		tab := tabletest.Of(t, cols...)
		var list []relation.Relation
		for _, s := range []string{"u -> x", "v -> y", "never x = a and y = b"} {
			r := must.Get(relation.Parse(s))(t)
			list = append(list, r)
		}
		_, left, err := relation.Restate(tab, list, relation.RestateOptions{
			Fixed: func(name string) bool { return fixed && (name == "x" || name == "y") }, // which u and v then follow from
		})
		if err != nil || len(left) != 1 || left[0].Why.Key() != key {
			t.Errorf("fixed %v: %v, %v", fixed, left, err)
		}
	}
}
