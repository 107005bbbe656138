package bestorrest

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/bore"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestSAPConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"S1": {}, "S2": {"scenario": "s2"}, "class size": {"count": "class_size", "p": "0.3", "bins": "3",
			"except": "age,city"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, SAP, protecttest.Options{Set: set, Suppresses: true}) })
	}
}

func FuzzSAPPlan(f *testing.F) {
	protecttest.FuzzPlan(f, SAP,
		protecttest.Options{Set: map[string]string{"count": "class_size", "bins": "2"}, Suppresses: true})
}

func fitted(tab *table.Table, set map[string]string) (*SAPPlan, error) {
	q := SAPNew()
	if err := q.Params().Apply(set); err != nil {
		return nil, err
	}
	p, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		return nil, err
	}
	return p.(*SAPPlan), nil
}

func sapFit(t testing.TB, tab *table.Table, set map[string]string) *SAPPlan {
	t.Helper()
	p := must.Get(fitted(tab, set))(t)
	return p
}

func apply(t testing.TB, p *SAPPlan, tab *table.Table, seed byte) *table.Table {
	t.Helper()
	out := must.Get(p.Apply(tab, protecttest.Seed(seed)))(t)
	return out
}

func role(c table.Column, r table.Role) table.Column {
	c.Role = r
	return c
}

// Which columns a scenario changes.
func TestColumns(t *testing.T) {
	two := []string{"x", "y"}
	v, w := table.NumColumn("v", 1, []float64{1, 2}), table.CatColumn("w", two, []int32{0, 1})
	class := role(table.CatColumn("class", two, []int32{0, 1}), table.Class)
	weight := role(table.NumColumn("weight", 1, []float64{1, 1}), table.Weight)
	const oneNone = "error: scenario s1 suppresses quasi-identifiers, and there are none that may change"
	const twoNone = "error: scenario s2 suppresses the class or confidential attributes, and there are none that may " +
		"change"
	for _, c := range []struct {
		name, set, want string
		cols            []table.Column
	}{
		{"all", "", "v,w", []table.Column{v, weight, w, class}},
		{"excepted", "except=v", "w", []table.Column{v, weight, w, class}},
		{"quasi-identifiers", "", "w", []table.Column{v, role(w, table.Quasi), class}},
		{"not confidential ones", "", "v", []table.Column{v, role(w, table.Confidential), class}},
		{"none left", "except=w", oneNone, []table.Column{v, role(w, table.Quasi), class}},
		{"the class alone", "", oneNone, []table.Column{weight, class}},
		{"no class", "", "error: " + protect.ErrNoClass.Error(), []table.Column{v, w}},
		{"the class", "scenario=s2", "class", []table.Column{v, w, class}},
		{"the class, whatever roles the others have", "scenario=s2", "class",
			[]table.Column{role(v, table.Confidential), role(w, table.Confidential|table.Quasi), class}},
		{"those named, too", "scenario=s2 besides=w", "w,class", []table.Column{v, role(w, table.Quasi), class}},
		{"named and excepted", "scenario=s2 besides=w except=w",
			"error: parameter \"besides\": column \"w\" may not change", []table.Column{v, w, class}},
		{"named and not there", "scenario=s2 besides=z", "error: parameter \"besides\": there is no column \"z\"",
			[]table.Column{v, w, class}},
		{"confidential ones without a class", "scenario=s2", "v,w",
			[]table.Column{role(v, table.Confidential), role(w, table.Confidential|table.Quasi)}},
		{"confidential ones where the class is excepted", "scenario=s2 except=class", "v",
			[]table.Column{role(v, table.Confidential), w, class}},
		{"a confidential class", "scenario=s2", "class", []table.Column{v, w, role(class, table.Class|table.Confidential)}},
		{"nothing sensitive", "scenario=s2", twoNone, []table.Column{v, w}},
		{"the class excepted", "scenario=s2 except=class", twoNone, []table.Column{v, w, class}},
		{"an identifier", "", `error: column "v" is an identifier; it must be dropped before the table is protected`, []table.Column{role(v, table.Identifier), w, class}},
	} {
		set := map[string]string{}
		for _, s := range strings.Fields(c.set) {
			k, v, _ := strings.Cut(s, "=")
			set[k] = v
		}
		got := ""
		if p, err := fitted(tabletest.Of(t, c.cols...), set); err != nil {
			got = "error: " + err.Error()
		} else {
			got = strings.Join(p.Changes(), ",")
		}
		if got != c.want {
			t.Errorf("%s: %q, expected %q", c.name, got, c.want)
		}
	}
}

// sapDraw returns a small table with a number, two categories, one of them the class, and missing values.
func sapDraw(r *rapid.T) *table.Table {
	n := rapid.IntRange(1, 40).Draw(r, "rows")
	codes := func(name string, labels int32) []int32 {
		return rapid.SliceOfN(rapid.Int32Range(-1, labels-1), n, n).Draw(r, name)
	}
	v := make([]float64, n)
	for i, c := range codes("v", 5) {
		if v[i] = float64(c); c < 0 {
			v[i] = math.NaN()
		}
	}
	tab := must.Get(table.New(table.NumColumn("v", 1, v), table.CatColumn("w", []string{"p", "q", "r"}, codes("w", 3)),
		role(table.CatColumn("class", []string{"a", "b"}, codes("class", 2)), table.Class)))(r)
	return tab
}

// TestSAPTwin checks, cell by cell, that a release suppresses as many critical cells of every class as it says and no
// other cell; in S2, so many of every value.
func TestSAPTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, percent := sapDraw(r), rapid.IntRange(0, 100).Draw(r, "percent")
		q := &SAPTechnique{P: float64(percent) / 100, Bins: 3,
			Scenario: rapid.SampledFrom(
				[]string{S1, S2},
			).Draw(r, "scenario"), Count: rapid.SampledFrom([]string{Critical, ClassSize}).Draw(r, "count")}
		plan := must.Get(q.Fit(context.Background(), tab, rng.Source{}))(r)
		out := must.Get(plan.Apply(tab, protecttest.Seed(3)))(r)
		class := tab.Cat(2)
		m := must.Get((&bore.Learner{Bins: 3}).Fit(context.Background(), tab, rng.Source{}))(r)
		for j := range 3 {
			cells, gone, size := map[int32]int{}, map[int32]int{}, map[int32]int{}
			codes := bore.Bins(tab.Num(0), 3).Codes(tab.Column(j))
			for i, code := range codes {
				group := int32(-1)
				switch {
				case q.Scenario == S2 && j == 2:
					group = code
				case q.Scenario == S1 && j < 2 && class[i] >= 0 && code >= 0 && code == m.(*bore.Model).Critical(j, int(class[i])):
					group = class[i]
				}
				size[class[i]]++
				cells[group]++
				if tab.MissingAt(i, j) && !out.MissingAt(i, j) {
					r.Fatalf("row %d, column %d is missing no longer", i, j)
				}
				if !tab.MissingAt(i, j) && out.MissingAt(i, j) {
					gone[group]++
				}
			}
			for g := range cells {
				of := cells[g]
				if q.Scenario == S1 && q.Count == ClassSize {
					of = size[g]
				}
				want := min(cells[g], (percent*of+99)/100)
				if g < 0 {
					want = 0
				}
				if gone[g] != want {
					r.Fatalf("%s, count %s, column %d, group %d: %d of %d cells suppressed at %d %%, expected %d",
						q.Scenario, q.Count, j, g, gone[g], cells[g], percent, want)
				}
			}
		}
	})
}

// Every set of cells is as likely: over 600 seeds a cell of ten is suppressed 3 in 10 times, and a pair of cells
// 3·2/(10·9) = 1 in 15 times. Each of the 55 counts is binomial within 5 standard deviations, with a false alarm rate
// of 55 · 6e-7 = 3e-5; the seeds are fixed.
func TestHypergeometric(t *testing.T) {
	const n, runs = 10, 600
	tab := tabletest.Of(t, table.CatColumn("w", []string{"p"}, make([]int32, n)),
		role(table.CatColumn("class", []string{"a"}, make([]int32, n)), table.Class))
	p := sapFit(t, tab, map[string]string{"p": "0.3"})
	var seen [n][n]float64
	for k := range runs {
		out := must.Get(p.Apply(tab, rng.New([32]byte{byte(k), byte(k >> 8)})))(t)
		for i := range n {
			for j := range i + 1 {
				if out.MissingAt(i, 0) && out.MissingAt(j, 0) {
					seen[i][j]++
				}
			}
		}
	}
	for i := range n {
		for j := range i + 1 {
			share := 1. / 15
			if i == j {
				share = 0.3
			}
			protecttest.Near(t, "times", seen[i][j], runs*share, 5*math.Sqrt(runs*share*(1-share)))
		}
	}
}

// In S1 an intruder who has the plan fills in every suppressed cell, its value or its bin; the package says so. One who
// has only the release, and works out by BORE what is critical there, is right about nine in ten cells or more of
// records like Adult's.
func TestIntruderFillsIn(t *testing.T) {
	tab := protecttest.AdultLike(t, 5000)
	p := sapFit(t, tab, map[string]string{"p": "0.2"})
	out := apply(t, p, tab, 1)
	fitted := must.Get(bore.New().Fit(context.Background(), out, rng.Source{}))(t)
	guess, class := fitted.(*bore.Model), tab.Cat(p.Class)
	cells, known, right := 0, 0, 0
	for k, r := range p.Rules {
		codes := r.Cuts.Codes(tab.Column(r.Column))
		for i := range tab.Rows() {
			if !out.MissingAt(i, r.Column) {
				continue
			}
			cells++
			if r.Critical[class[i]] == codes[i] {
				known++
			}
			if v := guess.Critical(k, int(class[i])); v >= 0 && contains(&guess.Columns[k], v, tab, i) {
				right++
			}
		}
	}
	if cells == 0 || known != cells {
		t.Errorf("anyone who has the plan knows %d of %d suppressed cells", known, cells)
	}
	if share := float64(right) / float64(cells); share < 0.9 {
		t.Errorf("anyone who has the release knows %.3f of the suppressed cells, expected 0.9 or more", share)
	} else {
		t.Logf("%d cells; anyone who has the release knows %.3f of them", cells, share)
	}
}

// contains reports whether a record's original value is that of a code.
func contains(c *bore.Column, code int32, t *table.Table, row int) bool {
	return c.Cuts.Codes(t.Slice(row, row+1).Column(c.Attribute))[0] == code
}

// The law of a cell is the share that is suppressed of its group, and sums to 1.
func TestSAPLaw(t *testing.T) {
	tab := protecttest.Mixed(300)
	for _, scenario := range []string{S1, S2} {
		p := sapFit(t, tab, map[string]string{"scenario": scenario, "p": "0.25"})
		out := apply(t, p, tab, 1)
		for j := range tab.Width() {
			if !slices.Contains(p.Changes(), tab.Attr(j).Name) {
				if _, ok := noisemodel.At(p, j, nil, tab, 0); ok {
					t.Errorf("column %q has a law but does not change", tab.Attr(j).Name)
				}
				continue
			}
			expected, gone := 0.0, 0.0
			for i := range tab.Rows() {
				k, ok := noisemodel.At(p, j, nil, tab, i)
				var x float64
				none := math.NaN()
				if !ok {
					t.Fatalf("column %q has no law", tab.Attr(j).Name)
				}
				if tab.Attr(j).Kind == table.Categorical {
					x, none = float64(tab.Cat(j)[i]), -1
				} else {
					x = tab.Num(j)[i]
				}
				if tab.MissingAt(i, j) {
					if k.P(x, none) != 1 || k.P(x, 1) != 0 {
						t.Fatal("a missing value does not stay missing")
					}
					continue
				}
				expected += k.P(x, none)
				protecttest.Near(t, "sum", k.P(x, x)+k.P(x, none), 1, 1e-15)
				if k.P(x, x+1) != 0 {
					t.Fatal("a value may become another one")
				}
				if out.MissingAt(i, j) {
					gone++
				}
			}
			protecttest.Near(t, "suppressed cells of "+tab.Attr(j).Name, gone, expected, 1e-9)
		}
	}
}

// The notes say what a suppressed cell tells, and which values are lost, without naming them.
func TestSAPNotes(t *testing.T) {
	w := table.CatColumn("w", []string{"p", "q"}, []int32{0, 0, 0, 0, 1})
	tab := tabletest.Of(t, w, role(table.CatColumn("class", []string{"a", "b"}, []int32{0, 0, 0, 0, 1}), table.Class))
	one := sapFit(t, tab, nil).Notes()
	two := sapFit(t, tab, map[string]string{"scenario": "s2"}).Notes()
	if len(one) != 2 || !strings.HasSuffix(one[1].String(), "in w (1)") || len(two) != 1 ||
		!strings.HasSuffix(two[0].String(), "in class (1)") {
		t.Errorf("notes %q and %q", one, two)
	}
	if d := sapFit(t, tab, map[string]string{"p": "0.125"}).Describe(); d.String() != "12.5 % of the critical values "+
		"suppressed (SAP, S1)" {
		t.Errorf("described as %q", d)
	}
}
