package graphicalsynthesis

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/noise/selectmeasure"
	"github.com/dither-data/dither/internal/testkit/must"
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
	blank := must.Get(p.Blank(protecttest.Seed(2)))(t)
	out := must.Get(p.Apply(blank, protecttest.Seed(2)))(t)
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

// ofCodes is the material of a table whose columns are all declared.
func ofCodes(t *testing.T, tab *table.Table, q *private) *material {
	t.Helper()
	m, rows := &material{attrs: tab.Attrs()}, make([]int, tab.Rows())
	for i := range rows {
		rows[i] = i
	}
	m.columns = q.known(tab)
	m.Table = codes(tab, m.columns, rows)
	return m
}

// What the tree costs is taken from the promise, exactly: a fifth of what domains left, of each record of a person of
// three; the segments are of codes alone.
func TestTheTreeIsPaidFor(t *testing.T) {
	tab := ruled(200, true)
	q := Methods[len(Methods)-1].New().(*private)
	m := ofCodes(t, tab, q)
	p := selectmeasure.Promise{Epsilon: 1, Spent: 0.25, Group: 3}
	cost := must.Get(mechanism.Decimal(q.grower(p).Epsilon))(t)
	s := must.Get(q.segments(t.Context(), m, &p, protecttest.Seed(1)))(t)
	spent := new(big.Rat).Mul(cost.Rat(), big.NewRat(3, 1))
	spent.Add(spent, big.NewRat(1, 4))
	if has := new(big.Rat).SetFloat64(p.Spent); has.Cmp(spent) < 0 || p.Spent > 0.4+1e-12 || p.Spent < 0.4-1e-6 {
		t.Errorf("%v of the budget is spent, expected %v: 0.25 and a fifth of the rest", p.Spent, spent.FloatString(20))
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

// Domains, tree and what is left for the laws are no more than epsilon, exactly, whatever decimals it and the shares
// are; and no more than a part in 10^5 is left over.
func TestSharesOfTheWhole(t *testing.T) {
	for _, epsilon := range []float64{0.1, 0.3, 0.7, 1, 1.6, 10} {
		for _, growing := range []float64{0.1, 0.2, 0.3, 0.7} {
			for _, bounds := range []float64{0, 0.25, 0.3, 0.7} {
				for _, records := range []int{1, 3, 7} {
					q := Methods[len(Methods)-1].New().(*private)
					q.Epsilon, q.Growing, q.Bounds = epsilon, growing, bounds
					all, p := new(big.Rat), selectmeasure.Promise{Epsilon: epsilon, Group: records, Spent: bounds}
					spend := func(times int, e mechanism.Ratio, err error) {
						t.Helper()
						must.NoError(t, err)
						all.Add(all, new(big.Rat).Mul(e.Rat(), big.NewRat(int64(times), 1)))
					}
					if bounds > 0 {
						e, err := q.each(3 * records)
						spend(3*records, e, err)
					}
					tree, err := mechanism.Decimal(q.grower(p).Epsilon)
					spend(records, tree, err)
					must.NoError(t, p.Pay(tree.Rat()))
					whole := must.Get(mechanism.Decimal(epsilon))(t)
					left := new(big.Rat).SetFloat64(p.Spent)
					all.Add(all, left.Sub(big.NewRat(1, 1), left).Mul(left, whole.Rat()))
					share, _ := all.Quo(all, whole.Rat()).Float64()
					if all.Cmp(big.NewRat(1, 1)) > 0 || share < 1-1e-5 {
						t.Errorf("epsilon %g, growing %g, bounds %g, %d records: %.18f of the budget is spent", epsilon, growing,
							bounds, records, share)
					}
				}
			}
		}
	}
}

// Every cut that is paid for divides the codes of its number, and each in another way, however few bins it has.
func TestNoCutIsPaidForInVain(t *testing.T) {
	x := []float64{0, 1, 2, 0, 1, 2, 2, 1}
	y := []int32{0, 1, 0, 1, 1, 0, 0, 1}
	cols := []table.Column{table.NumColumn("x", 1, x), table.CatColumn("y", []string{"no", "yes"}, y)}
	cols[0].Domain, cols[0].Declared, cols[0].StepDeclared = table.Interval{Lo: 0, Hi: 2}, true, true
	cols[1].Declared, cols[1].Role = true, table.Class
	q := Methods[len(Methods)-1].New().(*private)
	q.Depth = 1
	m, cuts := ofCodes(t, tabletest.Must(cols...), q), map[int]int{}
	for seed := range 200 {
		p := selectmeasure.Promise{Epsilon: 0.01, Group: 1} // so little that each cut is as likely
		s := must.Get(q.segments(t.Context(), m, &p, protecttest.Seed(byte(seed))))(t)
		if len(s.Allowed) != 2 {
			t.Fatalf("with seed %d a cut leaves %d segments", seed, len(s.Allowed))
		}
		cut := 0
		for _, below := range s.Allowed[0][0][:3] {
			if below {
				cut++
			}
		}
		cuts[cut]++
	}
	if cuts[1]+cuts[2] != 200 || cuts[1] < 75 || cuts[2] < 75 { // 100 of each; the seeds are fixed
		t.Errorf("cuts by the codes below them: %v", cuts)
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
	number := ruled(100, true).Columns()
	number[2].Role, number[0].Role = 0, table.Class
	if _, err := q.Charges(tabletest.Must(number...)); err == nil || !strings.Contains(err.Error(), "categorical") {
		t.Errorf("a class of numbers: %v", err)
	}
	p := fitted(t, "privatesegments", ruled(20, false),
		func(q *Technique) { q.Domains, q.Epsilon, q.Delta = Bought, 0.1, 1e-6 })
	if p.Tree != nil || p.Notes()[len(p.Notes())-1].Key() == "" || slices.Contains(p.Changes(), "y") {
		t.Errorf("a class that nobody could buy is drawn in %+v", p.Tree)
	}
}
