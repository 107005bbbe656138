package gadp

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// cgadpNormals writes the normals that column j of a plan draws from, for consecutive records.
func cgadpNormals(p *CGADPPlan, j int, z []float64) {
	rng.Normals[uint64](protecttest.Seed(1).Fork(p.Attrs[p.Columns[j]].Name).Stream(), z, nil, 0)
}

// On a grid the default releases values that occur, and no release leaves their range, wide as the declared domain may
// be.
func TestValuesThatOccur(t *testing.T) {
	tab := protecttest.Mixed(400)
	age := *tab.Attr(0) // declared from 0 to 120
	for _, discrete := range []string{Step, Interpolate} {
		out := cgadpRelease(t, tab, map[string]string{"discrete": discrete})
		lo, hi := table.Range(tab.Num(0))
		for _, v := range out.Num(0) {
			if v < lo || v > hi || age.Snap(v) != v || discrete == Step && !slices.Contains(tab.Num(0), v) {
				t.Fatalf("%s: the age %v is released; %v to %v occur", discrete, v, lo, hi)
			}
		}
	}
}

// Confidential columns are those with the role; the others, weights and the class stay, and condition or not.
func TestCGADPRoles(t *testing.T) {
	tab := protecttest.Mixed(300)
	p := cgadpFit(t, tab, nil)
	if want := []string{"age", "income", "temperature", "ratio", "score", "hours"}; !slices.Equal(p.Changes(), want) ||
		len(p.Others) > 0 {
		t.Errorf("without roles %q change given %v, expected %q", p.Changes(), p.Others, want)
	}
	if len(p.Notes()) != 1 {
		t.Errorf("notes %q, expected a warning that nothing ties the release to the record", p.Notes())
	}
	income := *tab.Attr(1)
	income.Role = table.Confidential
	p = cgadpFit(t, tab.WithAttr(1, income), nil)
	if !slices.Equal(p.Columns, []int{1}) || !slices.Equal(p.Others, []int{0, 2, 3, 5, 6}) || p.Notes() != nil {
		t.Errorf("columns %v change given %v, notes %q", p.Columns, p.Others, p.Notes())
	}
	p = cgadpFit(t, tab, map[string]string{"except": "age,hours"})
	if !slices.Equal(p.Columns, []int{1, 2, 3, 5}) || !slices.Equal(p.Others, []int{0, 6}) {
		t.Errorf("columns %v change given %v", p.Columns, p.Others)
	}
}

func TestEdges(t *testing.T) {
	v := []float64{5, 1, 4, 2, 8, 8, 3}
	n := math.NaN()
	for _, c := range []struct {
		name string
		tab  *table.Table
		want []float64 // nil: any values
	}{
		{"a constant", marked(1, table.NumColumn("x", 1, []float64{3, 3, 3}),
			table.NumColumn("s", 1, []float64{1, 2, 3})), []float64{3, 3, 3}},
		{"a constant condition", marked(1, table.NumColumn("x", 1, v), table.NumColumn("s", 1, make([]float64, 7))), nil},
		{"all missing", marked(1, table.NumColumn("x", 1, []float64{n, n}), table.NumColumn("s", 1, []float64{1, 2})),
			[]float64{n, n}},
		{"a condition all missing", marked(1, table.NumColumn("x", 1, v),
			table.NumColumn("s", 1, []float64{n, n, n, n, n, n, n})), nil},
		{"one known value", marked(1, table.NumColumn("x", 0, []float64{n, 7, n}),
			table.NumColumn("s", 1, []float64{1, 2, 3})), []float64{n, 7, n}},
		{"one record", marked(2, table.NumColumn("x", 1, []float64{7}), table.NumColumn("y", 0, []float64{0.3})),
			[]float64{7}},
		{"a condition that is the column", marked(1, table.NumColumn("x", 1, v), table.NumColumn("s", 1, v)), v},
		{"twice the same column", marked(2, table.NumColumn("x", 1, v), table.NumColumn("y", 1, v)), nil},
		{"fewer records than columns", marked(2, table.NumColumn("a", 1, []float64{1, 2}),
			table.NumColumn("b", 1, []float64{2, 1}),
			table.NumColumn("c", 0, []float64{0.1, 0.2})), nil},
	} {
		for _, security := range []string{"1", "0.3", "0"} {
			out := cgadpRelease(t, c.tab, map[string]string{"security": security})
			for i, v := range out.Num(0) {
				if c.want != nil && v != c.want[i] && c.want[i] == c.want[i] || (v != v) != c.tab.MissingAt(i, 0) {
					t.Errorf("%s, security %s: released %v, expected %v", c.name, security, out.Num(0), c.want)
					break
				}
			}
			if c.name == "twice the same column" && !slices.Equal(out.Num(0), out.Num(1)) {
				t.Errorf("%s, security %s: released %v and %v", c.name, security, out.Num(0), out.Num(1))
			}
		}
	}
}

// Values outside the domain, infinite ones too, count as the nearest end.
func TestCGADPDirtyValues(t *testing.T) {
	inf := math.Inf(1)
	for _, step := range []float64{0, 1} {
		x := table.NumColumn("x", step, []float64{-inf, -90, 1, 2, 3, 80, inf, 5, inf, -inf})
		x.Domain, x.Declared = table.Interval{Lo: 1, Hi: 9, OpenLo: step == 0}, true
		for _, discrete := range []string{Step, Interpolate} {
			out := cgadpRelease(t, marked(1, x), map[string]string{"discrete": discrete})
			for _, v := range out.Num(0) {
				if !x.Domain.Contains(v) {
					t.Errorf("step %v: %v is released in %v", step, v, x.Domain)
				}
			}
		}
	}
	x := table.NumColumn("x", 1, []float64{50, 60})
	x.Domain, x.Declared = table.Interval{Lo: 1, Hi: 9}, true
	if out := cgadpRelease(t, marked(1, x), nil); !slices.Equal(out.Num(0), []float64{9, 9}) {
		t.Errorf("values above the domain are released as %v", out.Num(0))
	}
}

func TestCGADPCheck(t *testing.T) {
	tab := protecttest.Mixed(20)
	for want, change := range map[string]func(p *CGADPPlan){
		"both":          func(p *CGADPPlan) { p.Others = []int{1} },
		"ascending":     func(p *CGADPPlan) { p.Columns = []int{2, 1} },
		"categorical":   func(p *CGADPPlan) { p.Others = []int{4} },
		"security":      func(p *CGADPPlan) { p.Security[0] = 1.5 },
		"a security is": func(p *CGADPPlan) { p.Security[1] = math.NaN() },
		"discrete":      func(p *CGADPPlan) { p.Discrete = "" },
	} {
		p := cgadpFit(t, tab, nil)
		change(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", want, err)
		}
	}
	p := cgadpFit(t, tab, nil)
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
