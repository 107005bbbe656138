package graphicalsynthesis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// undeclared is a table of which nothing is declared: numbers from 18 to 77 and one of a million, and categories of
// which all records but one have one of two.
func undeclared(rows int) *table.Table {
	x, y := make([]float64, rows), make([]int32, rows)
	for i := range rows {
		x[i], y[i] = float64(18+i%60), int32(i%2)
	}
	x[0], y[0] = 1e6, 2
	x[1], y[1] = math.NaN(), -1
	return tabletest.Must(table.NumColumn("age", 1, x), table.CatColumn("sex", []string{"m", "f", "none"}, y))
}

func buying(q *Technique) { q.Domains, q.Epsilon, q.Delta = Bought, 5, 1e-3 }

// A domain that is bought is one of the public candidates, holds nearly all of what is there, and no category is named
// that one record has. Noise that would fail this has a chance below 1e-6.
func TestDomainsAreBought(t *testing.T) {
	for _, name := range []string{"mst", "aim", "privbayes"} {
		p := fitted(t, name, undeclared(3000), buying)
		if got := strings.Join(p.Changes(), " "); got != "age sex" {
			t.Fatalf("%s draws %q", name, got)
		}
		if d := *p.Columns[0].Domain; d != (table.Interval{Lo: 10, Hi: 100}) {
			t.Errorf("%s: the domain of 18 to 77 is bought as %v", name, d)
		}
		if named := p.Columns[1].Named; !slices.Equal(named, []int32{1, 0}) { // in the order of their labels
			t.Errorf("%s: the categories that were bought are %v", name, named)
		}
		blank := must.Get(p.Blank(protecttest.Seed(2)))(t)
		out := must.Get(p.Apply(blank, protecttest.Seed(2)))(t)
		for i, v := range out.Num(0) {
			if !math.IsNaN(v) && (v < 10 || v > 100) || out.Cat(1)[i] == 2 {
				t.Fatalf("%s: a record has the age %v and the sex %d", name, v, out.Cat(1)[i])
			}
		}
		if d := out.Attr(0).Domain; d.Hi != 100 {
			t.Errorf("%s: the domain of the release is %v", name, d)
		}
		notes := ""
		for _, n := range p.Notes() {
			notes += n.String() + "\n"
		}
		if !strings.Contains(notes, "bought for 25 %") {
			t.Errorf("%s: the notes do not say what was bought:\n%s", name, notes)
		}
	}
}

// What buys nothing spends nothing on it, and categories need a delta.
func TestWhatIsBought(t *testing.T) {
	p := fitted(t, "mst", declared(200), func(q *Technique) { q.Domains = Declared })
	if p.Promise.Bought != 0 {
		t.Errorf("declared domains cost a share of %v", p.Promise.Bought)
	}
	p = fitted(t, "privbayes", undeclared(3000), func(q *Technique) { q.Domains, q.Epsilon = Bought, 5 })
	if got := strings.Join(p.Changes(), " "); got != "age" || p.Promise.Delta != 0 {
		t.Errorf("without a delta %q is drawn, with the delta %v", got, p.Promise.Delta)
	}
}

// The charge of bought domains has the delta that names categories, and is with it what was asked for.
func TestBoughtDomainsAreCharged(t *testing.T) {
	for _, m := range Methods[:3] {
		q := m.New().(*private)
		buying(&q.Technique)
		all, err := q.Charges(undeclared(100))
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		e, want := all[0], 1e-3
		if q.model.concentrated {
			want /= 2
		}
		if e.Delta.Float() != want || e.Parameters["bought domains"] != "2" {
			t.Errorf("%s: the charge is %+v", m.Name, e)
		}
		spent := budget.Compose(all, budget.Of(mechanism.Ratio{Num: 1, Den: 1000}))
		if spent.Epsilon > 5 || spent.Epsilon < 5-1e-3 || spent.Delta > 1e-3 {
			t.Errorf("%s: epsilon %v at delta %v is spent, expected 5 at 0.001", m.Name, spent.Epsilon, spent.Delta)
		}
	}
}
