package graphicalsynthesis

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/dither-data/dither/internal/noise/units"
	"github.com/dither-data/dither/internal/stats/audit"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// The audit tells tables apart by their releases: one record, or person, more. The claim is epsilon 1, and delta 0.01
// where there is one. A bound is above the true epsilon with a chance of 1e-6.
const falseAlarm = 1e-6

// thorough is so many runs, or many more with DITHER_LONG=every.
func thorough(runs int) int {
	if long.Every() {
		return 2000
	}
	return runs
}

// audited is the bound of an attack on releases of two tables; the settings are those of a claim that may be wrong.
func audited(t *testing.T, name string, with, without *table.Table, set func(q *Technique),
	see func(release *table.Table) float64, runs int) float64 {
	t.Helper()
	of := func(tab *table.Table, from int) func(int) float64 {
		return func(run int) float64 {
			src := protecttest.Seed(1).Fork(strconv.Itoa(from + run))
			q := Methods[slices.IndexFunc(Methods, func(m protect.Method) bool { return m.Name == name })].New().(*private)
			q.Epsilon, q.Delta = 1, 0.01
			set(&q.Technique)
			p := must.Get(q.Fit(t.Context(), tab, src.Fork("fit")))(t)
			blank := must.Get(p.(*Private).Blank(src))(t)
			out := must.Get(p.Apply(blank, src.Fork("draw")))(t)
			return see(out)
		}
	}
	a := audit.Attack{First: of(with, 1<<20), Second: of(without, 0), Runs: thorough(runs), Delta: 0.01,
		FalseAlarm: falseAlarm}
	return a.Epsilon()
}

// grown is a table of numbers from 0 to 9 and two categories, and as many records more as are asked for, which hold an
// extreme number and a category that nobody else has.
func grown(more int, declared bool) *table.Table {
	const rows = 60
	x, y := make([]float64, rows+more), make([]int32, rows+more)
	for i := range x {
		x[i], y[i] = float64(i%10), int32(i%2)
		if i >= rows {
			x[i], y[i] = 90_000, 2
		}
	}
	number, category := table.NumColumn("x", 1, x), table.CatColumn("y", []string{"a", "b", "c"}, y)
	category.Role = table.Class
	number.Declared, category.Declared = declared, declared
	if declared {
		number.Domain = table.Interval{Lo: 0, Hi: 99_999}
	}
	return tabletest.Must(number, category)
}

// extreme is the largest number of a release.
func extreme(release *table.Table) float64 {
	most := -1.0
	for _, v := range release.Num(0) {
		most = max(most, v)
	}
	return most
}

// rare counts a category that only who is more has.
func rare(release *table.Table) (n float64) {
	for _, c := range release.Cat(1) {
		if c == 2 {
			n++
		}
	}
	return n
}

func number(release *table.Table) float64 { return float64(release.Rows()) }

// missing counts the numbers that are.
func missing(release *table.Table) (n float64) {
	for _, v := range release.Num(0) {
		if v != v {
			n++
		}
	}
	return n
}

// read declares the domains that the records have.
func read(t *table.Table) *table.Table {
	cols := t.Columns()
	cols[0].Domain.Lo, cols[0].Domain.Hi = table.Range(cols[0].Num)
	cols[1] = cols[1].Compact()
	cols[0].Declared, cols[1].Declared = true, true
	return tabletest.Must(cols...)
}

// coded takes a number for a code of missing values where 31 records have it.
func coded(t *table.Table) *table.Table {
	cols := t.Columns()
	n := 0
	for _, v := range cols[0].Num {
		if v == 9 {
			n++
		}
	}
	for i, v := range cols[0].Num {
		if v == 9 && n >= 31 {
			cols[0].Num[i] = math.NaN()
		}
	}
	return tabletest.Must(cols...)
}

// nines is a table of which 30 records have a nine, and so many more.
func nines(more int) *table.Table {
	cols := grown(more, true).Columns()
	for i, v := range cols[0].Num {
		if v = min(v, 8); i%2 == 0 || i >= 60 {
			v = 9
		}
		cols[0].Num[i] = v
	}
	cols[0].Domain = table.Interval{Lo: 0, Hi: 9}
	return tabletest.Must(cols...)
}

// halves is a table of whole numbers, and so many more records with a half, on the step that all of them lie on.
func halves(more int, declared bool) *table.Table {
	c := grown(more, declared).Columns()[0]
	for i := range c.Num {
		if i >= 60 {
			c.Num[i], c.Step = 4.5, 0.5
		}
	}
	c.Domain = table.Interval{Lo: 0, Hi: 50}
	return tabletest.Must(c)
}

// stepped declares the step that a table has.
func stepped(t *table.Table) *table.Table {
	cols := t.Columns()
	cols[0].StepDeclared = true
	return tabletest.Must(cols...)
}

// broken counts the numbers that are not whole.
func broken(release *table.Table) (n float64) {
	for _, v := range release.Num(0) {
		if v != math.Trunc(v) {
			n++
		}
	}
	return n - missing(release)
}

// owned says that the records that are more are one person's.
func owned(t *table.Table) *table.Table {
	whose := make([]int32, t.Rows())
	for i := range whose {
		whose[i] = int32(min(i, 60))
	}
	return t.Owned(whose)
}

// No output tells who is there, where domains are declared or bought, and a person with several records is hidden by
// noise for that many.
func TestAudit(t *testing.T) {
	long.Only(t, "an audit of differential privacy")
	claims := []string{"mst", "privbayes", "privatesegments", "aim"}
	person := owned(grown(20, true))
	for _, name := range claims {
		for what, c := range map[string]struct {
			with, without *table.Table
			set           func(q *Technique)
			see           func(*table.Table) float64
		}{
			"an extreme value in a declared domain":   {grown(1, true), grown(0, true), nothing, extreme},
			"a declared category that one record has": {grown(1, true), grown(0, true), nothing, rare},
			"a number of records":                     {grown(1, true), grown(0, true), nothing, number},
			"a declared missing code":                 {nines(1), nines(0), nothing, missing},
			"an extreme value in a bought domain":     {grown(1, false), grown(0, false), bought, extreme},
			"a category that one record has, bought":  {grown(1, false), grown(0, false), bought, rare},
			"a step that one record makes finer":      {halves(1, true), halves(0, true), nothing, broken},
			"a step, in a bought domain":              {halves(1, false), halves(0, false), bought, broken},
			"a person with 20 records":                {person, owned(grown(0, true)), twenty(units.Person), rare},
		} {
			if name == segmented.card.Name && c.with.WithRole(table.Class) < 0 {
				continue
			}
			if got := audited(t, name, c.with, c.without, c.set, c.see, 200); got > 1 {
				t.Errorf("%s, %s: epsilon is at least %.3f, the claim is 1", name, what, got)
			}
		}
	}
}

// asked is an audit by what a plan says of its tree, which reports show: the column that it tests. One person of the
// first table has 20 records by which the second input tells the class better than the first one.
func asked(t *testing.T, unit string, growing func(epsilon float64) float64) float64 {
	t.Helper()
	of := func(more, from int) func(int) float64 {
		a, b, y := make([]int32, 60+more), make([]int32, 60+more), make([]int32, 60+more)
		whose := make([]int32, 60+more)
		for i := range a {
			y[i], whose[i] = int32(i%2), int32(min(i, 60))
			a[i], b[i] = int32((i+i%6/5)%2), int32((i+(i+3)%6/5)%2)
			if i >= 60 {
				a[i], b[i] = 1-y[i], y[i]
			}
		}
		cols := []table.Column{table.CatColumn("a", []string{"0", "1"}, a), table.CatColumn("b", []string{"0", "1"}, b),
			table.CatColumn("y", []string{"0", "1"}, y)}
		for j := range cols {
			cols[j].Declared = true
		}
		cols[2].Role = table.Class
		tab := tabletest.Must(cols...).Owned(whose)
		return func(run int) float64 {
			q := Methods[len(Methods)-1].New().(*private)
			q.Epsilon, q.Unit, q.Records, q.Depth, q.Growing = growing(1), unit, 20, 1, 0.9
			p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1).Fork(strconv.Itoa(from+run))))(t)
			return float64(p.(*Private).Tree.Tests[0])
		}
	}
	a := audit.Attack{First: of(20, 1<<20), Second: of(0, 0), Runs: thorough(300), FalseAlarm: falseAlarm}
	return a.Epsilon()
}

// What a private tree tests tells no more than the claim of epsilon 1; where the tree takes the noise of a record for a
// person of twenty, or spends a hundred times what it has, the attack finds it.
func TestAuditOfTests(t *testing.T) {
	long.Only(t, "an audit of differential privacy")
	as := func(epsilon float64) float64 { return epsilon }
	if got := asked(t, units.Person, as); got > 1 {
		t.Errorf("epsilon is at least %.3f, the claim is 1", got)
	}
	if got := asked(t, units.Record, as); got <= 1 {
		t.Errorf("a person with the noise of a record: a bound of %.3f, not above the claim of 1", got)
	}
	if got := asked(t, units.Person, func(epsilon float64) float64 { return 100 * epsilon }); got <= 1 {
		t.Errorf("a budget that is overspent: a bound of %.3f, not above the claim of 1", got)
	}
}

func nothing(*Technique)  {}
func public(q *Technique) { q.Public = true }
func bought(q *Technique) { q.Domains = Bought }
func twenty(unit string) func(q *Technique) {
	return func(q *Technique) { q.Unit, q.Records = unit, 20 }
}

// What is read from the records while a promise is made is found.
func TestBugsAreFound(t *testing.T) {
	long.Only(t, "an audit of differential privacy")
	for what, c := range map[string]struct {
		with, without *table.Table
		set           func(q *Technique)
		see           func(*table.Table) float64
	}{
		"a domain of numbers that is read":    {read(grown(1, false)), read(grown(0, false)), nothing, extreme},
		"categories that are read":            {read(grown(1, false)), read(grown(0, false)), nothing, rare},
		"a number of records that is taken":   {grown(1, true), grown(0, true), public, number},
		"a missing code that is read":         {coded(nines(1)), coded(nines(0)), nothing, missing},
		"a step that is read":                 {stepped(halves(1, true)), stepped(halves(0, true)), nothing, broken},
		"a person with the noise of a record": {owned(grown(20, true)), owned(grown(0, true)), twenty(units.Record), rare},
	} {
		if got := audited(t, "mst", c.with, c.without, c.set, c.see, 300); got <= 1 {
			t.Errorf("%s: a bound of %.3f, not above the claim of 1", what, got)
		}
	}
}
