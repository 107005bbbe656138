package graphicalsynthesis

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// fitted fits a private technique to a table with the defaults and more settings.
func fitted(t *testing.T, name string, tab *table.Table, set func(q *Technique)) *Private {
	t.Helper()
	at := slices.IndexFunc(Methods, func(m protect.Method) bool { return m.Name == name })
	q := Methods[at].New().(*private)
	if set != nil {
		set(&q.Technique)
	}
	p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	return p.(*Private)
}

// declared returns the mixed table, whose ages have a declared domain, with declared sizes as well.
func declared(rows int) *table.Table {
	tab := protecttest.Mixed(rows)
	j := tab.Find("size")
	c := tab.Column(j)
	c.Declared = true
	cols := tab.Columns()
	cols[j] = c
	return tabletest.Must(cols...)
}

// What is not declared is left out and named, and changes nothing: neither its values nor its domain or labels.
func TestOnlyWhatIsDeclaredIsUsed(t *testing.T) {
	tab := declared(300)
	other := tab.Columns()
	for j, c := range other {
		if !c.Declared && c.Kind == table.Numeric {
			c.Num = slices.Repeat([]float64{1}, 300)
			c.Domain = table.Interval{Lo: 1, Hi: 1}
			other[j] = c
		}
	}
	for _, name := range []string{"mst", "aim", "privbayes"} {
		p := fitted(t, name, tab, nil)
		if got := strings.Join(p.Changes(), " "); got != "age size" {
			t.Errorf("%s draws %s", name, got)
		}
		q := fitted(t, name, tabletest.Must(other...), nil)
		p.Attrs, q.Attrs = nil, nil
		a, _ := json.Marshal(p)
		if b, _ := json.Marshal(q); string(a) != string(b) {
			t.Errorf("%s: columns that are not declared change the law", name)
		}
	}
	p := fitted(t, "mst", tab, nil)
	notes := ""
	for _, n := range p.Notes() {
		notes += n.String() + "\n"
	}
	for _, want := range []string{"epsilon is 1", "income", "no domain"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q:\n%s", want, notes)
		}
	}
	if p.Rows == 300 {
		t.Error("as many records are drawn as the table has, which is not public")
	}
	if p = fitted(t, "mst", tab, func(q *Technique) { q.Public = true }); p.Rows != 300 {
		t.Errorf("%d records are drawn of 300, which are public", p.Rows)
	}
	bare := protecttest.Mixed(50).Column(1)
	q := Methods[0].New().(*private)
	if _, err := q.Fit(t.Context(), tabletest.Must(bare), protecttest.Seed(1)); err == nil {
		t.Error("a table without declared domains is fitted")
	}
}

// A promise is as it was asked for, the odds of two originals are bounded by twice that, and without declared domains
// there is none.
func TestPromise(t *testing.T) {
	p := fitted(t, "privbayes", declared(100), func(q *Technique) { q.Epsilon = 0.7 })
	if p.Epsilon() != 1.4 || p.Promise.Delta != 0 || p.Promise.Unit.Records != 1 {
		t.Errorf("the promise is %+v, and the odds %v", p.Promise, p.Epsilon())
	}
	if p = fitted(t, "mst", declared(100), func(q *Technique) { q.Domains = Observed }); !math.IsInf(p.Epsilon(), 1) {
		t.Errorf("observed domains are promised epsilon %v", p.Epsilon())
	}
}

// A ledger is charged what is promised, and of whom: of the zero-concentrated budget its tight conversion is the
// epsilon asked for, or a part in a million less, so that all of a budget can be spent.
func TestCharges(t *testing.T) {
	owned := declared(100).Owned(make([]int32, 100))
	for k, m := range Methods[:3] {
		q := m.New().(*private)
		q.Epsilon, q.Records = 0.5, 4
		for tab, unit := range map[*table.Table]budget.Unit{
			declared(100): {Of: "record", Records: 1}, owned: {Of: "person", Records: 4},
		} {
			all, err := q.Charges(tab)
			if err != nil || len(all) != 1 || all[0].Unit != unit {
				t.Fatalf("%s: %+v, %v; expected one charge of a %v", m.Name, all, err, unit)
			}
			spent := budget.Compose(all, budget.Of(mechanism.Ratio{Num: 1, Den: 1e9})).Epsilon
			if spent > 0.5 || spent < 0.5*(1-1e-5) {
				t.Errorf("%s: epsilon %.9g is spent, expected 0.5", m.Name, spent)
			}
			if pure := all[0].Kind == budget.Pure; pure != (k == 2) {
				t.Errorf("%s is charged as %s", m.Name, all[0].Kind)
			}
		}
		q.Domains = Observed
		if all, err := q.Charges(owned); err != nil || all != nil {
			t.Errorf("%s: observed domains are charged: %v, %v", m.Name, all, err)
		}
	}
}

// Of a person with many records as many take part as the parameter says, in whatever order they come.
func TestAPersonTakesPartWithFewRecords(t *testing.T) {
	tab := declared(300)
	whose := make([]int32, 300)
	for i := range whose {
		whose[i] = int32(min(i/2, 100)) // the last has 100 records
	}
	tab = tab.Owned(whose)
	for _, most := range []int{1, 3} {
		q := Methods[0].New().(*private)
		q.Records = most
		of, n := tab.People()
		rows := q.taking(tab, of, n, protecttest.Seed(1))
		have := map[int32]int{}
		for _, i := range rows {
			have[whose[i]]++
		}
		for who, n := range have {
			if want := min(most, 2); who < 100 && n != want || who == 100 && n != most {
				t.Errorf("person %d takes part with %d records of at most %d", who, n, most)
			}
		}
		if len(have) != 101 {
			t.Errorf("%d people take part of 101", len(have))
		}
	}
	a := fitted(t, "mst", tab, func(q *Technique) { q.Public = true })
	if a.Promise.Unit.Of != "person" || a.Rows != 101 {
		t.Errorf("the promise is %+v, of %d records", a.Promise, a.Rows)
	}
}

// Bins cover the domain once: the value drawn from the bin of a value has that bin, also of grids with few values.
func TestBinsCoverTheDomain(t *testing.T) {
	for _, a := range []table.Attribute{
		{Name: "whole", Step: 1, Domain: table.Interval{Lo: 17, Hi: 90}},
		{Name: "few", Step: 1, Domain: table.Interval{Lo: -2, Hi: 3}},
		{Name: "cents", Step: 0.01, Domain: table.Interval{Lo: 0.005, Hi: 9.99, OpenHi: true}},
		{Name: "continuous", Domain: table.Interval{Lo: -1, Hi: 2}},
	} {
		c := Coding{}
		if !c.settle(&a, 20) || c.Bins != int(min(20, c.domain.Size())) {
			t.Fatalf("%s has %d bins", a.Name, c.Bins)
		}
		lo, hi := c.domain.Limits()
		if c.bin(lo-100) != 0 || c.bin(hi+100) != int32(c.Bins-1) {
			t.Errorf("%s: what is outside is in the bins %d and %d", a.Name, c.bin(lo-100), c.bin(hi+100))
		}
		var all []int32
		for range 50 {
			for b := range c.Bins {
				all = append(all, int32(b))
			}
		}
		for i, v := range c.decode(a, all, protecttest.Seed(1)).Num {
			if c.bin(v) != all[i] || !a.Domain.Contains(v) || a.Snap(v) != v {
				t.Fatalf("%s: %v is drawn from bin %d, and is in %d", a.Name, v, all[i], c.bin(v))
			}
		}
	}
}

// A release of more records than a block is the same in any parts, and has the shares of the law.
func TestBlocks(t *testing.T) {
	p := fitted(t, "mst", declared(500), func(q *Technique) { q.Rows, q.Epsilon = block+1000, 100 })
	blank := must.Get(p.Blank(protecttest.Seed(2)))(t)
	whole := must.Get(p.Apply(blank, protecttest.Seed(2)))(t)
	part := must.Get(p.Apply(blank.Slice(block-10, block+20), protecttest.Seed(2)))(t)
	j := whole.Find("size")
	if !slices.Equal(part.Cat(j), whole.Cat(j)[block-10:block+20]) {
		t.Error("a part of two blocks is drawn otherwise than the whole")
	}
}
