package relation_test

import (
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/relation/relationtest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
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
		r, left, err := relation.Restate(tab, rels, relation.RestateOptions{})
		if err != nil || len(left) > 0 && left[0].Relation.Kind != relation.OnlyTogether {
			t.Fatalf("left %v, %v", left, err)
		}
		reduced, err := r.Reduce(tab)
		if err != nil {
			t.Fatal(err)
		}
		release := scrambled(reduced, uint64(seed))
		got, did, err := r.Restore(tab, release, nil, rng.New([32]byte{byte(seed + 1)}))
		if err != nil {
			t.Fatal(err)
		}
		if did.Redrawn == 0 || did.Redrawn == tab.Rows() {
			t.Errorf("%d records were drawn anew", did.Redrawn)
		}
		if got.Width() != tab.Width() {
			t.Fatalf("%d columns, expected %d", got.Width(), tab.Width())
		}
		for _, rel := range r.Relations() {
			b, err := rel.Bind(tab)
			if err != nil {
				t.Fatal(err)
			}
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
	if err != nil {
		t.Fatal(err)
	}
	reduced, err := r.Reduce(tab)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Computed()) < 6 || reduced.Width() != tab.Width()-len(r.Computed()) {
		t.Errorf("%v are computed; the reduced table has %d columns of %d", r.Computed(), reduced.Width(), tab.Width())
	}
	got, _, err := r.Restore(tab, reduced, nil, rng.New([32]byte{1}))
	if err != nil {
		t.Fatal(err)
	}
	for j := range tab.Width() {
		a, b := tab.Column(j), got.Column(j)
		if n := a.Differ(&b); n > 0 {
			t.Errorf("column %q differs in %d records", a.Name, n)
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
		if err != nil {
			t.Fatal(err)
		}
		kept := ""
		for _, k := range r.Relations() {
			kept += k.String()
		}
		if kept != want || (want == "") != (len(left) == 1) {
			t.Errorf("%s stays: %q is kept, %v left", fixed, kept, left)
		}
	}
}
