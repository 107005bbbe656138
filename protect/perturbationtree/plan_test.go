package perturbationtree

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

func refused(t *testing.T, tab *table.Table, set map[string]string, want string) {
	t.Helper()
	q := New()
	must.NoError(t, q.Params().Apply(set))
	if _, err := q.Fit(context.Background(), tab, protecttest.Seed(1)); err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, expected %q", err, want)
	}
}

func TestRefusals(t *testing.T) {
	gap := math.NaN()
	rare := marked(1, table.NumColumn("x", 1, []float64{gap, 3, gap, gap}), table.NumColumn("s", 1, []float64{1, 2, 3, 4}))
	refused(t, rare, nil, `column "x" has 1 known value; a group needs at least 2`)
	three := marked(1, table.NumColumn("x", 1, []float64{3, 4, 5}))
	refused(t, three, map[string]string{"inside": Microaggregate, "k": "4"}, "at least 4")
	refused(t, three, map[string]string{"leafMin": "5", "leafMax": "3"},
		`parameter "leafMin" is 5, expected at most "leafMax", 3`)
	refused(t, three, map[string]string{"inside": Microaggregate, "k": "9", "leafMax": "8"},
		`parameter "k" is 9, expected at most "leafMax", 8`)
	release(t, three, map[string]string{"k": "9", "leafMax": "3"}) // k is for microaggregation
	release(t, three, map[string]string{"leafMin": "3"})
	refused(t, three, map[string]string{"by": "others"}, "all numeric columns are confidential")
	refused(t, three, map[string]string{"except": "y"}, `no column "y"`)
}

// A weight that is no weight is an error, as in all techniques that average, and not a reason to leave weights out;
// swaps use none.
func TestBadWeights(t *testing.T) {
	for _, bad := range []float64{0, -1, math.NaN()} {
		w := table.NumColumn("w", 0, []float64{1, 2, bad, 4})
		w.Role = table.Weight
		tab := marked(1, table.NumColumn("x", 1, []float64{1, 2, 3, 4}), w)
		refused(t, tab, nil, `column "w": 1 value is missing or not above 0`)
		refused(t, tab, map[string]string{"inside": Microaggregate}, `column "w"`)
		release(t, tab, map[string]string{"inside": Swap})
		good := table.NumColumn("w", 0, []float64{1, 2, 3, 4})
		good.Role, good.Domain = table.Weight, table.Interval{Lo: -1, Hi: 4}
		fitted := marked(1, table.NumColumn("x", 1, []float64{1, 2, 3, 4}), good)
		later := tab.WithAttr(1, *fitted.Attr(1))
		if _, err := fit(t, fitted, nil).Apply(later, protecttest.Seed(1)); err == nil ||
			!strings.Contains(err.Error(), `column "w"`) {
			t.Errorf("weight %v at the release: %v", bad, err)
		}
	}
}

// The note counts the leaves of which two values are averaged, also where others of the leaf are missing.
func TestPairsAreNoted(t *testing.T) {
	gap := math.NaN()
	s := table.NumColumn("s", 1, []float64{0, 0, 0, 0, 9, 9, 9, 9})
	for want, v := range map[string][]float64{
		"":         {1, 2, 3, 4, 5, 6, 7, 8},
		"1 leaves": {1, gap, 2, gap, 5, 6, 7, 8},
		"2 leaves": {1, gap, 2, gap, gap, gap, 3, 4},
	} {
		p := fit(t, marked(1, table.NumColumn("x", 1, v), s), map[string]string{"by": "others", "leafMax": "4"})
		notes := strings.Join(message.Written(p.Notes()), "\n")
		if p.Parts[0].Tree.Leaves() != 2 || strings.Contains(notes, "average two values") != (want != "") ||
			!strings.Contains(notes, want) {
			t.Errorf("%v: the notes are %q, expected %q", v, notes, want)
		}
	}
}

// The plan is of the records it was fitted on: others may leave too few in a leaf.
func TestTooFewInALeaf(t *testing.T) {
	tab := protecttest.Mixed(100)
	p := fit(t, tab, nil)
	_, err := p.Apply(tab.Slice(0, 7), protecttest.Seed(1))
	if err == nil || !strings.Contains(err.Error(), "apply the plan to the records it was fitted on") {
		t.Errorf("the error is %v", err)
	}
}

// Roles decide what changes, and partition=each gives every column a tree over itself and the others.
func TestColumns(t *testing.T) {
	tab := protecttest.Mixed(300)
	income := *tab.Attr(1)
	income.Role = table.Confidential
	tab = tab.WithAttr(1, income)
	score := *tab.Attr(5)
	score.Role = table.Confidential
	tab = tab.WithAttr(5, score)
	p := fit(t, tab, map[string]string{"partition": "each"})
	if len(p.Parts) != 2 || !slices.Equal(p.Parts[0].Tests, []int{0, 1, 2, 3, 6}) ||
		!slices.Equal(p.Parts[1].Tests, []int{0, 2, 3, 5, 6}) {
		t.Errorf("parts %+v", p.Parts)
	}
	if group, _ := p.Group(tab); slices.Max(group) != 0 {
		t.Error("records of several trees need not meet")
	}
	p = fit(t, tab, map[string]string{"by": "others"})
	if !slices.Equal(p.Changes(), []string{"income", "score"}) || !slices.Equal(p.Parts[0].Tests, []int{0, 2, 3, 6}) {
		t.Errorf("%q change by tests of %v", p.Changes(), p.Parts[0].Tests)
	}
	p = fit(t, tab, map[string]string{"except": "income,score"})
	if len(p.Parts) != 0 || p.Segmentation() != nil || !strings.Contains(p.Notes()[0].String(), "the release is the "+
		"original") {
		t.Errorf("without columns the parts are %v, the notes %q", p.Parts, p.Notes())
	}
}

// A coin per cut: the draw of the fit's seed decides, and of many cuts at ties both sides occur.
func TestCoin(t *testing.T) {
	v := make([]float64, 900)
	for i := range v {
		v[i] = float64(i % 300)
	}
	tab := marked(1, table.NumColumn("x", 1, v))
	set := map[string]string{"ties": "coin", "leafMax": "12"}
	a, b := fit(t, tab, set), fit(t, tab, set)
	below, at := 0, 0
	for _, n := range a.Parts[0].Tree.Nodes {
		if n.Attr >= 0 && n.Cut != math.Trunc(2*n.Cut)/2 {
			below++
		} else if n.Attr >= 0 && n.Cut == math.Trunc(n.Cut) {
			at++
		}
	}
	if below == 0 || at == 0 || !slices.Equal(a.Parts[0].Tree.Nodes, b.Parts[0].Tree.Nodes) {
		t.Errorf("%d cuts below a value, %d at one", below, at)
	}
}

func TestNotes(t *testing.T) {
	p := fit(t, protecttest.Mixed(300), map[string]string{"leafMax": "3"})
	notes := strings.Join(message.Written(p.Notes()), "\n")
	for _, want := range []string{"leaves of 2 to", "leafMin=3", "categorical columns"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not in the notes %q", want, notes)
		}
	}
	if d := fit(t, protecttest.Mixed(300), map[string]string{"inside": Microaggregate}).Describe(); !strings.Contains(
		d.String(), "groups of 3") {
		t.Errorf("the plan says %q", d)
	}
}

// A table without a class has segments, too; those of more trees than keys can number are left out.
func TestSegmentation(t *testing.T) {
	tab := protecttest.Mixed(300)
	if f := fit(t, tab, nil).Segmentation(); f.Class() != tab.Width()-1 {
		t.Errorf("the class is column %d", f.Class())
	}
	if f := fit(t, tab.Select(0, 1, 2), nil).Segmentation(); f.Class() != -1 {
		t.Errorf("the class is column %d", f.Class())
	}
	p := fit(t, tab, nil)
	for range 20 {
		p.Parts = append(p.Parts, p.Parts[0])
	}
	if p.Segmentation() != nil {
		t.Error("there are more than 2^63 keys, but a segmentation")
	}
}

func TestCheck(t *testing.T) {
	tab := protecttest.Mixed(40)
	for want, change := range map[string]func(p *Plan){
		"inside is":         func(p *Plan) { p.Inside = "x" },
		"groups of 1":       func(p *Plan) { p.Least = 1 },
		"in blocks of 3":    func(p *Plan) { p.BlockMax = 3 },
		"ascending":         func(p *Plan) { p.Parts = append(p.Parts, p.Parts[0]) },
		"categorical":       func(p *Plan) { p.Parts[0].Tests[5] = 7 },
		"no column":         func(p *Plan) { p.Parts[0].Columns = nil },
		"scales":            func(p *Plan) { p.Parts[0].Low = nil },
		"finite":            func(p *Plan) { p.Parts[0].Width[0] = math.NaN() },
		"missing":           func(p *Plan) { p.Parts[0].Tree.Nodes = nil },
		"tests column 6 of": func(p *Plan) { p.Parts[0].Tree.Nodes[0].Attr = 6 },
	} {
		p := fit(t, tab, nil)
		change(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", want, err)
		}
	}
	if err := fit(t, tab, nil).Check(); err != nil {
		t.Error(err)
	}
}

// Values outside a declared domain, infinite ones too, count as the nearest end.
func TestValuesOutside(t *testing.T) {
	inf := math.Inf(1)
	x := table.NumColumn("x", 1, []float64{-inf, -5, 1, 2, 8, 9, 40, inf})
	x.Domain, x.Declared = table.Interval{Lo: 0, Hi: 10}, true
	tab := marked(1, x)
	if got, want := release(t, tab, map[string]string{"leafMax": "2"}).Num(0),
		[]float64{1, 1, 1, 1, 8, 8, 10, 10}; !slices.Equal(got, want) {
		t.Errorf("%v are released, expected %v", got, want)
	}
	got := slices.Sorted(slices.Values(release(t, tab, map[string]string{"inside": Swap}).Num(0)))
	if want := []float64{0, 0, 1, 2, 8, 9, 10, 10}; !slices.Equal(got, want) {
		t.Errorf("%v are swapped, expected %v", got, want)
	}
}
