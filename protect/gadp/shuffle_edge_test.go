package gadp

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// Missing values stay where they are, and every column of a table of all kinds keeps its known values.
func TestMixedTableIsPermuted(t *testing.T) {
	tab := protecttest.Mixed(400)
	out := shuffleRelease(t, tab, nil)
	for j := range tab.Width() {
		if tab.Attr(j).Kind != table.Numeric {
			continue
		}
		if !slices.Equal(sorted(tab.Num(j)), sorted(out.Num(j))) {
			t.Errorf("column %q has other values", tab.Attr(j).Name)
		}
		for i, v := range out.Num(j) {
			if (v != v) != tab.MissingAt(i, j) {
				t.Fatalf("column %q, record %d: %v is released as %v", tab.Attr(j).Name, i, tab.Num(j)[i], v)
			}
		}
	}
}

func TestShuffleRoles(t *testing.T) {
	tab := protecttest.Mixed(300)
	p := shuffleFit(t, tab, nil)
	if !slices.Equal(p.Columns, []int{0, 1, 2, 3, 5, 6}) || len(p.Others) > 0 || len(p.Notes()) != 1 {
		t.Errorf("without roles %q change given %v, notes %q", p.Changes(), p.Others, p.Notes())
	}
	income := *tab.Attr(1)
	income.Role = table.Confidential
	p = shuffleFit(t, tab.WithAttr(1, income), nil)
	if !slices.Equal(p.Changes(), []string{"income"}) || !slices.Equal(p.Others, []int{0, 2, 3, 5, 6}) ||
		p.Notes() != nil {
		t.Errorf("%q change given %v, notes %q", p.Changes(), p.Others, p.Notes())
	}
	p = shuffleFit(t, tab, map[string]string{"except": "age,hours"})
	if !slices.Equal(p.Columns, []int{1, 2, 3, 5}) || !slices.Equal(p.Others, []int{0, 6}) {
		t.Errorf("columns %v change given %v", p.Columns, p.Others)
	}
}

// What S determines is released as it is, and so is everything with security 0.
func TestWhatStays(t *testing.T) {
	v := []float64{5, 1, 4, 2, 8, 8, 3, math.NaN()}
	constant := []float64{3, 3, 3, 3, 3, 3, 3, 3}
	same := marked(1, table.NumColumn("x", 1, v), table.NumColumn("s", 1, v))
	for name, tab := range map[string]*table.Table{
		"a condition that is the column": same,
		"a constant":                     marked(1, table.NumColumn("x", 1, constant), table.NumColumn("s", 1, v)),
		"one record":                     same.Slice(0, 1), "no known value": same.Slice(7, 8),
	} {
		for _, security := range []string{"1", "0.3", "0"} {
			out := shuffleRelease(t, tab, map[string]string{"security": security})
			for i, want := range tab.Num(0) {
				if got := out.Num(0)[i]; got != want && want == want {
					t.Errorf("%s, security %s: %v is released as %v", name, security, want, got)
				}
			}
		}
	}
	tab := protecttest.Mixed(300)
	out := shuffleRelease(t, tab, map[string]string{"security": "0"})
	for j := range tab.Width() {
		for i, v := range tab.Num(j) {
			if got := out.Num(j)[i]; got != v && v == v {
				t.Fatalf("security 0: %v is released as %v", v, got)
			}
		}
	}
}

// Equal columns stay equal at any security.
func TestTwins(t *testing.T) {
	v := []float64{5, 1, 4, 2, 8, 8, 3}
	tab := marked(2, table.NumColumn("x", 1, v), table.NumColumn("y", 1, v))
	for _, security := range []string{"1", "0.3", "0"} {
		if out := shuffleRelease(t, tab, map[string]string{"security": security}); !slices.Equal(out.Num(0), out.Num(1)) {
			t.Errorf("security %s: equal columns are released as %v and %v", security, out.Num(0), out.Num(1))
		}
	}
}

// Values outside the domain, infinite ones too, count as the nearest end; of a continuous attribute all others keep
// every bit.
func TestShuffleDirtyValues(t *testing.T) {
	inf := math.Inf(1)
	x := table.NumColumn("x", 0, []float64{-inf, -90, 1.1, 0.1 + 0.2, 3, 80, inf, 5, inf, -inf})
	x.Domain, x.Declared = table.Interval{Lo: 0, Hi: 9}, true
	want := []float64{0, 0, 0, 0.1 + 0.2, 1.1, 3, 5, 9, 9, 9}
	if got := sorted(shuffleRelease(t, marked(1, x), nil).Num(0)); !slices.Equal(got, want) {
		t.Errorf("the values %v are released, expected %v", got, want)
	}
	x.Step = 1
	want = []float64{0, 0, 0, 0, 1, 3, 5, 9, 9, 9}
	if got := sorted(shuffleRelease(t, marked(1, x), nil).Num(0)); !slices.Equal(got, want) {
		t.Errorf("on a grid the values %v are released, expected %v", got, want)
	}
}

func TestShuffleCheck(t *testing.T) {
	tab := protecttest.Mixed(20)
	for want, change := range map[string]func(p *ShufflePlan){
		"both":          func(p *ShufflePlan) { p.Others = []int{1} },
		"ascending":     func(p *ShufflePlan) { p.Columns = []int{2, 1} },
		"categorical":   func(p *ShufflePlan) { p.Others = []int{4} },
		"security":      func(p *ShufflePlan) { p.Security[0] = 1.5 },
		"a security is": func(p *ShufflePlan) { p.Security[1] = math.NaN() },
	} {
		p := shuffleFit(t, tab, nil)
		change(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", want, err)
		}
	}
	p := shuffleFit(t, tab, nil)
	if err := p.Check(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(p.Describe().String(), "security 1") {
		t.Errorf("the plan says %q", p.Describe())
	}
	if _, err := p.Apply(tab.Select(0), protecttest.Seed(1)); err == nil {
		t.Error("records of another schema are accepted")
	}
}
