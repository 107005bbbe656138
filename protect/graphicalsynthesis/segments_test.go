package graphicalsynthesis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/noise/selectmeasure"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// ruled is a table of two inputs from 0 to 99 and a class that is 1 for nine in ten where the first is above 49.
func ruled(rows int, declared bool) *table.Table {
	r := protecttest.Seed(3).Rand()
	x, z, y := make([]float64, rows), make([]float64, rows), make([]int32, rows)
	for i := range x {
		if x[i], z[i] = float64(r.IntN(100)), float64(r.IntN(100)); x[i] > 49 != (r.IntN(10) == 0) {
			y[i] = 1
		}
	}
	cols := []table.Column{table.NumColumn("x", 1, x), table.NumColumn("z", 1, z),
		table.CatColumn("y", []string{"no", "yes"}, y)}
	for j := range cols {
		if cols[j].Declared = declared; j < 2 {
			cols[j].Domain = table.Interval{Lo: 0, Hi: 99}
		}
	}
	cols[2].Role = table.Class
	return tabletest.Must(cols...)
}

// The rule of the class holds in the release, and the plan says what the tree tests.
func TestRulesAreKept(t *testing.T) {
	p := fitted(t, "privatesegments", ruled(4000, true), func(q *Technique) { q.Epsilon = 2 })
	if p.Tree == nil || p.Tree.Leaves < 2 || !slices.Contains(p.Tree.Tests, 0) {
		t.Fatalf("the tree is %+v", p.Tree)
	}
	blank, err := p.Blank(protecttest.Seed(2))
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Apply(blank, protecttest.Seed(2))
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for i, x := range out.Num(0) {
		if x > 49 == (out.Cat(2)[i] == 1) {
			right++
		}
	}
	if share := float64(right) / float64(out.Rows()); math.Abs(share-0.9) > 0.04 {
		t.Errorf("the rule holds for %.3f of the records, expected 0.9", share)
	}
	notes := ""
	for _, n := range p.Notes() {
		notes += n.String() + "\n"
	}
	if !strings.Contains(notes, "the leaves of a private tree that tests x") {
		t.Errorf("the notes do not say what the tree tests:\n%s", notes)
	}
}

// What the tree costs is taken from the promise: a fifth of what domains left; the segments are of codes alone.
func TestTheTreeIsPaidFor(t *testing.T) {
	tab := ruled(200, true)
	q := Methods[len(Methods)-1].New().(*private)
	m := &material{attrs: tab.Attrs()}
	for j := range tab.Width() {
		c := Coding{Column: j}
		c.settle(tab.Attr(j), q.Bins)
		m.columns = append(m.columns, c)
	}
	rows := make([]int, tab.Rows())
	for i := range rows {
		rows[i] = i
	}
	m.Table = codes(tab, m.columns, rows)
	p := selectmeasure.Promise{Epsilon: 1, Spent: 0.25, Group: 3}
	s, err := q.segments(t.Context(), m, &p, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(p.Spent-0.4) > 1e-12 {
		t.Errorf("%v of the budget is spent, expected 0.25 and a fifth of the rest", p.Spent)
	}
	for i, at := range s.Of {
		for k, allowed := range s.Allowed[at] {
			if allowed != nil && !allowed[m.Columns[k][i]] {
				t.Fatalf("record %d is not in its own segment %d", i, at)
			}
		}
	}
	all, err := q.Charges(tab)
	if err != nil || len(all) != 1 || all[0].Amount.Float() != 1 || all[0].Purpose != "privatesegments" {
		t.Errorf("charged is %+v, %v; expected epsilon 1 for all of it", all, err)
	}
}

// Without a class that may be used nothing is charged, and a class that could not be bought makes one segment.
func TestClassOfSegments(t *testing.T) {
	q := Methods[len(Methods)-1].New().(*private)
	if _, err := q.Charges(ruled(100, false)); err == nil || !strings.Contains(err.Error(), "not declared") {
		t.Errorf("a class whose values are not declared: %v", err)
	}
	if _, err := q.Charges(declared(100).Select(0)); err == nil {
		t.Error("a table without a class is charged for")
	}
	p := fitted(t, "privatesegments", ruled(20, false),
		func(q *Technique) { q.Domains, q.Epsilon, q.Delta = Bought, 0.1, 1e-6 })
	if p.Tree != nil || p.Notes()[len(p.Notes())-1].Key() == "" || slices.Contains(p.Changes(), "y") {
		t.Errorf("a class that nobody could buy is drawn in %+v", p.Tree)
	}
}
