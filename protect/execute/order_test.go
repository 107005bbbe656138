package execute_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// agreed counts the records of two tables that have one category at one place, and says how many have in a random
// order: the mean, and the standard deviation (Hoeffding 1951, theorem 2).
func agreed(a, b *table.Table, j int) (n, mean, deviation float64) {
	x, y := a.Cat(j), b.Cat(j)
	labels := len(a.Attr(j).Labels)
	p, q := make([]float64, labels), make([]float64, labels)
	rows := float64(len(x))
	for i := range x {
		p[x[i]] += 1 / rows
		q[y[i]] += 1 / rows
		if x[i] == y[i] {
			n++
		}
	}
	match, square := 0.0, 0.0
	for c := range labels {
		match += p[c] * q[c]
	}
	for c := range labels {
		for d := range labels {
			v := match - q[c] - p[d]
			if c == d {
				v++
			}
			square += p[c] * q[d] * v * v
		}
	}
	return n, match * rows, math.Sqrt(square * rows * rows / (rows - 1))
}

// Records are released in a random order unless it is asked for by name that they keep theirs: as many diagnoses stand
// in their place as in a random order, within 5 standard deviations (a false alarm once in 1.7 million for each seed).
// The table is in the order of the diagnoses, of which the Framework keeps most.
func TestOrder(t *testing.T) {
	tab := people()
	j := tab.Find("diagnosis")
	rows := make([]int, tab.Rows())
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int { return int(tab.Cat(j)[a]) - int(tab.Cat(j)[b]) })
	tab = tab.Gather(rows)
	p := fitted(t, method(t, "framework"), tab, nil)
	if n, _, _ := agreed(tab, inOrder(t, p, tab, 3), j); n < 0.7*patients {
		t.Fatalf("in their order only %v of %d diagnoses stand in their place", n, patients)
	}
	var orders [][]table.RecordID
	for seed := range byte(5) {
		r := must.Get(execute.Plan(context.Background(), p, tab, rng.New([32]byte{seed + 1}), execute.Options{}))(t)
		n, mean, deviation := agreed(tab, r.Table, j)
		if math.Abs(n-mean) > 5*deviation {
			t.Errorf("%v of %d diagnoses stand in their place; a random order has %.0f +- %.0f", n, patients, mean, deviation)
		}
		ids := make([]table.RecordID, r.Table.Rows())
		for i := range ids {
			ids[i] = r.Table.ID(i)
		}
		orders = append(orders, slices.Clone(ids))
		slices.Sort(ids)
		if len(slices.Compact(ids)) != patients {
			t.Errorf("the release has %d records", len(slices.Compact(ids)))
		}
	}
	for k := range orders {
		if k > 0 && slices.Equal(orders[k], orders[k-1]) {
			t.Errorf("two seeds give one order")
		}
	}
}

// Two releases of one seed do not stand in one order: where they did, anyone who has both would know which records are
// one person's.
func TestOrderIsKeyed(t *testing.T) {
	tab := people()
	m := method(t, "framework")
	var releases []*table.Table
	for _, spread := range []string{"5", "10"} {
		p := fitted(t, m, tab, map[string]string{"spread": spread})
		r := must.Get(execute.Plan(context.Background(), p, tab, rng.New([32]byte{3}), execute.Options{}))(t)
		releases = append(releases, r.Table)
	}
	same := 0
	for i := range patients {
		if releases[0].ID(i) == releases[1].ID(i) {
			same++
		}
	}
	if same > most(1) { // of a random order one is expected
		t.Errorf("%d of %d records stand in the same place of both releases", same, patients)
	}
}

// A release that kept its order is shuffled into the one that it would have had otherwise.
func TestShuffled(t *testing.T) {
	tab := people()
	p := fitted(t, method(t, "framework"), tab, nil)
	kept, err := execute.Plan(context.Background(), p, tab, rng.New([32]byte{3}), execute.Options{KeepOrder: true})
	must.NoError(t, err)
	for i := range patients {
		if kept.Table.ID(i) != tab.ID(i) {
			t.Fatalf("record %d does not keep its place", i)
		}
	}
	got := must.Get(kept.Shuffled(context.Background(), kept.Table))(t)
	want := must.Get(execute.Plan(context.Background(), p, tab, rng.New([32]byte{3}), execute.Options{}))(t)
	for j := range got.Width() {
		a, b := got.Column(j), want.Table.Column(j)
		if a.Differ(&b) > 0 {
			t.Errorf("column %s has another order", a.Name)
		}
	}
}

// TestTogether: a release that was made elsewhere, in the order of the table, gets the order that Plan gives it. What
// belongs together of people is refused, as are other records than the table's.
func TestTogether(t *testing.T) {
	ctx, tab, src := t.Context(), people(), rng.New([32]byte{3})
	p := fitted(t, method(t, "rnat"), tab, nil)
	want := must.Get(execute.Plan(ctx, p, tab, src, execute.Options{}))(t)
	r := must.Get(execute.Together(p, tab, inOrder(t, p, tab, 3), src))(t)
	got := must.Get(r.Shuffled(ctx, r.Table))(t)
	for i := range patients {
		if got.ID(i) != want.Table.ID(i) {
			t.Fatalf("record %d of the release is %v, and %v where it is made in one place", i, got.ID(i), want.Table.ID(i))
		}
	}
	owners := make([]int32, patients)
	if _, err := execute.Together(p, tab.Owned(owners), r.Table, src); err == nil {
		t.Error("records of one person are taken for records of many")
	}
	if _, err := execute.Together(p, tab, r.Table.Slice(1, patients), src); err == nil {
		t.Error("a release of fewer records is taken")
	}
}
