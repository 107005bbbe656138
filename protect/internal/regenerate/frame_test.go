package regenerate_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/internal/regenerate"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// with returns a table in which a column has a role besides its own.
func with(tab *table.Table, name string, role table.Role) *table.Table {
	a := *tab.Attr(tab.Find(name))
	a.Role |= role
	return tab.WithAttr(tab.Find(name), a)
}

func frame(t testing.TB, tab *table.Table, security float64, given, except []string) *regenerate.Frame {
	t.Helper()
	p := must.Get(regenerate.New(tab, security, given, except))(t)
	return &p
}

// The columns are 0 age, 1 income, 2 temperature, 3 ratio, 4 city, 5 score, 6 hours, 7 sex, 8 weight, 9 size and 10
// risk, the class.
func TestRegenerate(t *testing.T) {
	tab := protecttest.Mixed(30)
	secret := with(with(tab, "income", table.Confidential), "hours", table.Class)
	for _, c := range []struct {
		tab           *table.Table
		given, except []string
		want          string
	}{
		{tab, nil, nil, "[0 1 2 3 5 6] [] []"},
		{tab, []string{"risk", "weight", "sex", "score", "sex", "score"}, []string{"age", "city"}, "[1 2 3 6] [0 5 8] [7 " +
			"10]"},
		{secret, nil, nil, "[1] [0 2 3 5] []"},
		{secret, []string{"hours", "age"}, nil, "[1] [0 2 3 5 6] []"},
	} {
		p := frame(t, c.tab, 0.25, c.given, c.except)
		got := fmt.Sprint(p.Columns, p.Others, p.Given)
		if got != c.want || len(p.Security) != len(p.Columns) || p.Security[0] != 0.25 || p.Dial()[0] != 0.75 {
			t.Errorf("given %v, except %v: %s with security %v, expected %s", c.given, c.except, got, p.Security, c.want)
		}
		if err := p.Check(""); err != nil {
			t.Error(err)
		}
	}
	many := make([]string, 101)
	for k := range many {
		many[k] = fmt.Sprint(k)
	}
	wide := must.Get(tab.WithColumn(4, table.CatColumn("city", many, make([]int32, 30))))(t)
	far := *tab.Attr(8)
	far.Domain.Hi = math.Inf(1)
	for _, c := range []struct {
		tab           *table.Table
		given, except string
		text          string
	}{
		{tab, "town", "age", `parameter "given": there is no column "town"`},
		{tab, "age", "town", `parameter "except": there is no column "town"`},
		{with(tab, "age", table.Confidential), "age", "", `"age" is confidential; its relation with the others is kept without`},
		{wide, "city", "age", `"city" has 101 categories, expected at most 100; group them first`},
		{tab.WithAttr(8, far), "weight", "age", `"weight" has an unusable domain`},
	} {
		_, err := regenerate.New(c.tab, 1, param.SplitNames(c.given), param.SplitNames(c.except))
		if err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("given %s, except %s: %v, expected %s", c.given, c.except, err, c.text)
		}
	}
}

func TestRegenerationCheck(t *testing.T) {
	tab := protecttest.Mixed(30)
	for want, spoil := range map[string]func(p *regenerate.Frame){
		"ascending":                  func(p *regenerate.Frame) { p.Columns[0] = 2 },
		"both confidential":          func(p *regenerate.Frame) { p.Others = []int{1} },
		`"city" is categorical`:      func(p *regenerate.Frame) { p.Others = []int{4} },
		`"age" is numeric`:           func(p *regenerate.Frame) { p.Given = []int{0} },
		"4 securities for 5 columns": func(p *regenerate.Frame) { p.Security = p.Security[1:] },
		"a security is -0.1":         func(p *regenerate.Frame) { p.Security[3] = -0.1 },
		"a security is NaN":          func(p *regenerate.Frame) { p.Security[3] = math.NaN() },
		`outside is "redraw"; expected one of ["allow" "clip"]`: func(p *regenerate.Frame) { p.Outside = fence.OutsideRedraw },
		`outside is ""`: func(p *regenerate.Frame) { p.Outside = "" },
	} {
		p := frame(t, tab, 1, []string{"sex"}, []string{"age"})
		p.Outside = fence.OutsideClip
		must.NoError(t, p.Check(fence.OutsideAllow, fence.OutsideClip))
		spoil(p)
		if err := p.Check(fence.OutsideAllow, fence.OutsideClip); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %s", err, want)
		}
	}
}

// A record is X, the other numbers, and for every given category but the first whether it has it.
func TestRecords(t *testing.T) {
	nan := math.NaN()
	tab := must.Get(table.New(table.CatColumn("g", []string{"a", "b", "c"}, []int32{0, 2, -1, 1}),
		table.NumColumn("s", 1, []float64{1, 2, 3, nan}), table.NumColumn("x", 1, []float64{5, 6, 7, 8}),
		table.CatColumn("none", nil, []int32{-1, -1, -1, -1})))(t)
	p := frame(t, with(tab, "x", table.Confidential), 1, []string{"g", "none"}, nil)
	want := [][]float64{{5, 6, 7, 8}, {1, 2, 3, nan}, {0, 0, nan, 1}, {0, 1, nan, 0}}
	if got := p.Records(tab); fmt.Sprint(got) != fmt.Sprint(want) || p.Width() != 4 {
		t.Errorf("the records are %v of width %d, expected %v", got, p.Width(), want)
	}
}

// The law sees the records it draws, whole or again, and the release what Outside says of its values; without a rule
// they are the law's own.
func TestRegenerationDraw(t *testing.T) {
	tab := twoColumns(t, 300)
	marks := make([]float64, 300)
	for i := range marks {
		marks[i] = float64(i)
	}
	a := table.NumColumn("a", 1, marks)
	a.Domain = table.Interval{Lo: -8, Hi: 8}
	tab = must.Get(tab.WithColumn(0, a))(t)
	for outside, domain := range map[string]table.Interval{
		"": {Lo: -8, Hi: 8}, fence.OutsideAllow: {Lo: -264, Hi: 264}, fence.OutsideRedraw: {Lo: -8, Hi: 8},
	} {
		p := frame(t, tab, 1, nil, []string{"b"})
		p.Outside = outside
		calls := 0
		out := must.Get(p.Draw(tab, protecttest.Seed(1), func(y, u, z [][]float64) error {
			calls++
			if len(y) != 1 || len(u) != 2 || len(z) != 1 || len(u[1]) != len(y[0]) {
				return errors.New("the law gets other columns than those of the records")
			}
			for i, v := range u[0] {
				y[0][i] = 6*z[0][i] + v/1000
			}
			return nil
		}))(t)
		if out.Attr(0).Domain != domain || (calls > 1) != (outside == fence.OutsideRedraw) {
			t.Errorf("outside %q: domain %v after %d calls", outside, out.Attr(0).Domain, calls)
		}
		rounded := !slices.ContainsFunc(out.Num(0),
			func(v float64) bool { return v != math.Round(v) || v == 0 && math.Signbit(v) })
		lo, hi := table.Range(out.Num(0))
		if rounded == (outside == "") || (lo < -8 || hi > 8) == (outside == fence.OutsideRedraw) {
			t.Errorf("outside %q: values from %v to %v, rounded: %v", outside, lo, hi, rounded)
		}
	}
	p := frame(t, tab, 1, nil, nil)
	if _, err := p.Draw(tab.Select(0), protecttest.Seed(1), nil); err == nil {
		t.Error("records of another schema are accepted")
	}
	fails := func(_, _, _ [][]float64) error { return errors.New("no law") }
	if _, err := p.Draw(tab, protecttest.Seed(1), fails); err == nil {
		t.Error("the error of the law is lost")
	}
	none := frame(t, tab, 1, nil, []string{"a", "b"})
	if out, err := none.Draw(tab, protecttest.Seed(1), fails); out != tab || err != nil {
		t.Errorf("without columns to draw: %v", err)
	}
}

// Of a column with security 1 a released value tells nothing but what S does; the law of others is not one of the
// column alone.
func TestRegenerationKernel(t *testing.T) {
	p := frame(t, protecttest.Mixed(30), 1, nil, []string{"age"})
	p.Security[1] = 0.5
	for j := range 4 {
		k, ok := noisemodel.At(p, j, nil, nil, 0)
		if ok != (j == 1 || j == 3) {
			t.Errorf("column %d has a law: %v", j, ok)
		}
		if ok && (k.P(3, -5) != 1 || k.P(3, math.NaN()) != 0) {
			t.Errorf("column %d: a negative number has the probability %v, a missing one %v", j, k.P(3, -5), k.P(3, math.NaN()))
		}
	}
	if n := p.Notes(); n != nil {
		t.Errorf("notes %q", n)
	}
	if n := frame(t, protecttest.Mixed(30), 1, nil, nil).Notes(); len(n) != 1 {
		t.Errorf("where nothing is given the notes are %q", n)
	}
}

// twoColumns is a table of two integer columns of zeros with domains -8..8, with a gap in the second.
func twoColumns(t testing.TB, n int) *table.Table {
	t.Helper()
	a, b := table.NumColumn("a", 1, make([]float64, n)), table.NumColumn("b", 1, make([]float64, n))
	a.Domain, b.Domain = table.Interval{Lo: -8, Hi: 8}, table.Interval{Lo: -8, Hi: 8}
	b.Num[3] = math.NaN()
	return tabletest.Of(t, a, b)
}
