package framework

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// A column with too few values in a leaf gets noise there and does not keep the others from being regenerated together;
// two columns that hardly meet make the leaf small.
func TestMissing(t *testing.T) {
	tab, tr := two(t, 1000)
	leaf := extFrameworkLeaves(tr, tab)
	blank := func(j int, keep func(i int) bool) *table.Table {
		v := slices.Clone(tab.Num(j))
		for i := range v {
			if !keep(i) {
				v[i] = math.NaN()
			}
		}
		return tab.WithNum(j, v)
	}
	few := blank(2, func(i int) bool { return i%2 == 1 || i < 10 })
	for _, technique := range []string{GADP, CGADP, EGADP} {
		p := handed(t, few, tr, map[string]string{"technique": technique})
		if f := p.Facts; f.Sparse != (Count{1, 500}) || f.Pooled.Leaves+f.Noised.Leaves != 0 {
			t.Fatalf("facts %+v", f)
		}
		out := extFrameworkRelease(t, p, few, 1)
		a, b := few.WithNum(2, few.Num(0)), out.WithNum(2, out.Num(0)) // x and y only
		if _, cov := drift(a, b, leaf, 2); cov > 0.318 {
			t.Errorf("%s: covariances of the other columns are off by %v", technique, cov)
		}
	}
	apart := blank(2, func(i int) bool { return i%4 != 0 })
	y := slices.Clone(tab.Num(1))
	for i := range y {
		if i%4 == 2 {
			y[i] = math.NaN()
		}
	}
	apart = apart.WithNum(1, y)
	if f := handed(t, apart, tr, nil).Facts; f.Pooled != (Count{1, 500}) {
		t.Errorf("two columns without common records: facts %+v", f)
	}
}

// Where too few records are complete, here none, EGADP keeps what pairs of values tell, as GADP does.
func TestFewComplete(t *testing.T) {
	tab, _ := two(t, 300)
	u, z, y, want := mmap.Columns(
		nil,
		3,
		300,
	), mmap.Columns(nil, 3, 300), mmap.Columns(nil, 3, 300), mmap.Columns(nil, 3, 300)
	r := rand.New(rand.NewPCG(1, 2))
	for j := range u {
		for i := range u[j] {
			if u[j][i], z[j][i] = tab.Num(j)[i], r.NormFloat64(); i%3 == j {
				u[j][i] = math.NaN()
			}
		}
	}
	s := &drawing{numbers: &numbers{technique: EGADP, columns: []int{0, 1, 2}}, division: &division{}}
	must.NoError(t, s.replace(y, u, z))
	must.NoError(t, gadp.GADPReplace(want, u, z, make([]float64, 3)))
	if fmt.Sprint(y) != fmt.Sprint(want) {
		t.Error("EGADP releases something else")
	}
}

// Values far outside their domain, infinite ones too, count as its ends: they neither break the moments nor the
// guarantee.
func TestDirty(t *testing.T) {
	tab, tr := two(t, 400)
	v := slices.Clone(tab.Num(1))
	v[3], v[4], v[5] = math.Inf(1), math.Inf(-1), 1e300
	tab = tab.WithNum(1, v)
	for _, technique := range []string{GADP, CGADP, EGADP} {
		out := extFrameworkRelease(t, handed(t, tab, tr, map[string]string{"technique": technique}), tab, 1)
		for i, v := range out.Num(1) {
			if !(v >= -1000 && v <= 1000) {
				t.Errorf("%s: row %d is %v", technique, i, v)
			}
		}
	}
}

// The largest domains there are give a release inside them, or an error of one line.
func TestHuge(t *testing.T) {
	tab, tr := two(t, 400)
	a := *tab.Attr(1)
	a.Domain = table.Interval{Lo: -8e307, Hi: 8e307}
	v := slices.Clone(tab.Num(1))
	for i := range v {
		v[i] *= 2e305
	}
	tab = tab.WithAttr(1, a).WithNum(1, v)
	tr.Attrs = tab.Attrs()
	for _, technique := range []string{GADP, CGADP, EGADP} {
		p := handed(t, tab, tr, map[string]string{"technique": technique})
		out, err := p.Apply(tab, rng.New([32]byte{1}))
		if err != nil {
			if strings.Contains(err.Error(), "\n") || technique == CGADP {
				t.Errorf("%s: %q", technique, err)
			}
			continue
		}
		for i, v := range out.Num(1) {
			if !a.Domain.Contains(v) {
				t.Fatalf("%s: row %d is %v", technique, i, v)
			}
		}
	}
}

// A column too small for a variance is refused, by the leaves and by what lends small ones its moments, not released as
// it is.
func TestTiny(t *testing.T) {
	tab, tr := two(t, 400)
	a := *tab.Attr(1)
	a.Domain, a.Step = table.Interval{Lo: -1e-167, Hi: 1e-167}, math.Ldexp(1, -600)
	v := slices.Clone(tab.Num(1))
	for i := range v {
		v[i] *= 1e-170
	}
	tab = tab.WithAttr(1, a).WithNum(1, v)
	tr.Attrs = tab.Attrs()
	for _, technique := range []string{GADP, EGADP} {
		if _, err := handed(t, tab, tr, map[string]string{"technique": technique}).Apply(tab,
			rng.New([32]byte{1})); err == nil {
			t.Errorf("%s: a release", technique)
		}
	}
	if _, err := normal([][]float64{tab.Num(0), tab.Num(1)}, 2); err == nil {
		t.Error("moments are lent")
	}
}

// Notes name columns and counts, never values.
func TestNotes(t *testing.T) {
	f := Facts{Need: 8, Pooled: Count{1, 2}, Noised: Count{3, 4}, Sparse: Count{5, 6}, Constant: Count{7, 8}}
	notes := strings.Join(message.Written(f.notes()), "\n")
	for _, want := range []string{"1 leaf with 2 records", "3 leaves with 4 records", "5 leaves with 6",
		"7 leaves with 8", "fewer than 8 records"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q:\n%s", want, notes)
		}
	}
	if notes := new(Facts).notes(); notes != nil {
		t.Errorf("nothing to note gives %q", notes)
	}
	p := extFrameworkFit(t, protecttest.Mixed(300), map[string]string{"minLeaf": "5"})
	if notes := p.Notes(); len(notes) == 0 || !strings.Contains(notes[0].String(), "leaves around them") {
		t.Errorf("notes %q", notes)
	}
}

// A normal law leaves values of a leaf outside it; with C-GADP none do. A decoded plan needs a share for every column.
func TestForcedColumnsAreNoted(t *testing.T) {
	for technique, want := range map[string]bool{GADP: true, EGADP: true, CGADP: false} {
		p := extFrameworkFit(t, protecttest.Mixed(600), map[string]string{"technique": technique, "minLeaf": "60"})
		if notes := strings.Join(message.Written(p.Notes()), "\n"); strings.Contains(notes,
			"forced into the domain") != want {
			t.Errorf("%s: notes %s", technique, notes)
		}
		if p.Facts.Forced = []float64{1}; p.Check() == nil {
			t.Errorf("%s: a plan with one share for %d columns is accepted", technique, len(p.Numeric))
		}
	}
}

// TestExtFrameworkExcept checks that columns named in except stay, the class included, and that the class technique is
// then left out.
func TestExtFrameworkExcept(t *testing.T) {
	tab := protecttest.Mixed(300)
	p := extFrameworkFit(t, tab, map[string]string{"except": "age, city, risk"})
	if got := strings.Join(p.Changes(), ","); got != "income,temperature,ratio,score,hours,sex,size" || p.Class != "" {
		t.Errorf("the plan changes %s, class technique %q", got, p.Class)
	}
}

// A plan that is not consistent is refused.
func TestCheck(t *testing.T) {
	tab := protecttest.Mixed(300)
	good := must.Get(json.Marshal(extFrameworkFit(t, tab, map[string]string{"minLeaf": "5"})))(t)
	for name, spoil := range map[string]func(*ExtFrameworkPlan){
		"technique":     func(p *ExtFrameworkPlan) { p.Technique = "" },
		"outside":       func(p *ExtFrameworkPlan) { p.Outside = fence.OutsideAllow },
		"class":         func(p *ExtFrameworkPlan) { p.Class = "alpt" },
		"spread":        func(p *ExtFrameworkPlan) { p.Spread = -1 },
		"numeric":       func(p *ExtFrameworkPlan) { p.Numeric = []int{4} },
		"given":         func(p *ExtFrameworkPlan) { p.Given = []int{99} },
		"given twice":   func(p *ExtFrameworkPlan) { p.Given = p.Numeric[:1] },
		"pool a leaf":   func(p *ExtFrameworkPlan) { p.Pools = p.Tree.Leaves()[:1] },
		"pool outside":  func(p *ExtFrameworkPlan) { p.Pools = []int32{int32(len(p.Tree.Nodes))} },
		"pool negative": func(p *ExtFrameworkPlan) { p.Pools = []int32{-1} },
		"pools nested":  func(p *ExtFrameworkPlan) { p.Pools = []int32{0, 0} },
		"tree":          func(p *ExtFrameworkPlan) { p.Tree = nil },
	} {
		p := &ExtFrameworkPlan{}
		must.NoError(t, json.Unmarshal(good, p))
		if err := p.Check(); err != nil {
			t.Fatalf("a good plan is refused: %v", err)
		}
		p = &ExtFrameworkPlan{}
		must.NoError(t, json.Unmarshal(good, p))
		spoil(p)
		if p.Check() == nil {
			t.Errorf("%s: a bad plan passes", name)
		}
	}
}

// A table without numbers, and one whose class is its only column, have a release.
func TestNothingToRegenerate(t *testing.T) {
	mixed := protecttest.Mixed(100)
	for _, tab := range []*table.Table{mixed.Select(10), mixed.Select(4, 7, 10)} {
		p := must.Get(NewExtFramework().Fit(context.Background(), tab, rng.New([32]byte{5})))(t)
		extFrameworkRelease(t, p, tab, 1)
	}
}
