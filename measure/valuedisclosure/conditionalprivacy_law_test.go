package valuedisclosure

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/noise/uncertainty"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/protect/forestframework"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/leafnoise"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"github.com/dither-data/dither/wrap"
)

// conditionalPeople returns a table with a class that depends on the rest.
func conditionalPeople(t tabletest.T, n int, large bool) *table.Table {
	r := rand.New(rand.NewPCG(7, 11))
	age, pay, spare := make([]float64, n), make([]float64, n), make([]float64, n)
	city, class := make([]int32, n), make([]int32, n)
	for i := range n {
		age[i] = float64(18 + r.IntN(60))
		city[i] = int32(r.IntN(4))
		pay[i] = math.Floor(20 + age[i] + 10*float64(city[i]) + 8*r.NormFloat64())
		if large {
			pay[i] = table.Snap(1000*pay[i]*r.Float64(), 0.01)
		}
		spare[i] = r.Float64()
		if age[i] > 45 && city[i] != 2 || r.IntN(8) == 0 {
			class[i] = 1
		}
	}
	c := table.CatColumn("class", []string{"no", "yes"}, class)
	c.Role = table.Class
	step := 1.0
	if large {
		step = 0.01
	}
	return tabletest.Of(t, table.NumColumn("age", 1, age), table.NumColumn("pay", step, pay),
		table.NumColumn("spare", 0, spare), table.CatColumn("city", []string{"n", "e", "s", "w"}, city), c)
}

func find(t *testing.T, d ConditionalPrivacyDetail, name string) ConditionalPrivacyColumn {
	for _, c := range d.Columns {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("column %q is not judged", name)
	return ConditionalPrivacyColumn{}
}

// figures averages the laws of all records, one by one.
func figures(n, size int, value func(i int) int, law func(i, y int) float64) uncertainty.Figures {
	j := uncertainty.Joint{Weights: matrix(size, size)}
	for i := range n {
		for y := range size {
			j.Weights[value(i)][y] += law(i, y)
		}
	}
	f, err := j.Figures()
	if err != nil {
		panic(err)
	}
	return f
}

// TestUniformLaw compares RNAT's figures with its law of displacement, and random categories with theirs.
func TestUniformLaw(t *testing.T) {
	tab := conditionalPeople(t, 500, false)
	r := planned(t, rnat.New(), nil, tab)
	_, d := conditionalTake(t, r)
	lo, hi := table.Range(tab.Num(0))
	size := int(hi-lo) + 1
	kernel := wrap.Kernel(wrap.UniformLaw(size))
	at := func(i int) int { return int(tab.Num(0)[i] - lo) }
	want := figures(500, size, at, func(i, y int) float64 { return kernel[at(i)][y] })
	got := find(t, d, "age")
	if got.Source != FromLaw || math.Abs(got.Information-want.Information) > 1e-12 ||
		math.Abs(got.Before-want.Privacy()) > 1e-9 ||
		got.Lo != got.Loss {
		t.Errorf("age: %+v, expected %+v", got, want)
	}
	// A continuous column is uniform but for the value itself, whose share vanishes.
	if got := find(t, d, "spare"); got.Source != FromLaw || got.Loss > 1e-6 {
		t.Errorf("spare: %+v", got)
	}
	_, d = conditionalTake(t, planned(t, randomisedresponse.NewCategorical(), map[string]string{"p": "0.4"}, tab))
	want = figures(500, 4, func(i int) int { return int(tab.Cat(3)[i]) }, func(i, y int) float64 {
		if y == int(tab.Cat(3)[i]) {
			return 0.6
		}
		return 0.4 / 3
	})
	if got := find(t, d, "city"); got.Source != FromLaw || math.Abs(got.Information-want.Information) > 1e-12 {
		t.Errorf("city: %+v, expected %+v", got, want)
	}
}

// TestLawInsideSegments compares LINFAPT, whose noise stays in the leaf's range of what its rule tests and leaves the
// rest alone, with the average of the laws of all records.
func TestLawInsideSegments(t *testing.T) {
	tab := conditionalPeople(t, 600, false)
	r := planned(t, leafnoise.Influential.New(), map[string]string{"minLeaf": "30"}, tab)
	lo, hi := table.Range(tab.Num(0))
	keys := make([]uint64, 600)
	must.NoError(t, r.Segments.Route(tab, keys))
	plan := r.Mechanisms[0]
	tested := 0
	want := figures(600, int(hi-lo)+1, func(i int) int { return int(tab.Num(0)[i] - lo) }, func(i, y int) float64 {
		part := r.Segments.Segment(keys[i])
		if k, ok := noisemodel.At(plan, 0, &part, tab, i); ok {
			tested++
			return k.P(tab.Num(0)[i], float64(y)+lo)
		}
		if float64(y)+lo == tab.Num(0)[i] {
			return 1
		}
		return 0
	})
	if tested == 0 {
		t.Fatal("no leaf tests the age")
	}
	_, d := conditionalTake(t, r)
	if got := find(t, d, "age"); got.Source != FromLaw || math.Abs(got.Information-want.Information) > 1e-9 {
		t.Errorf("age: %+v, expected %+v", got, want)
	}
}

// TestLawAndPairsAgree takes two frameworks of 5,000 records by their plans and by the pairs alone. In cells the pairs
// see less than the law, some 0.1 bits of noise as wide as theirs; the standard error of an estimate is below 0.02
// bits.
func TestLawAndPairsAgree(t *testing.T) {
	long.Only(t, "5,000 records by two plans")
	for name, q := range map[string]protect.Technique{"framework": framework.NewFramework(),
		"forest framework": forestframework.New()} {
		r := planned(t, q, map[string]string{"minLeaf": "300"}, conditionalPeople(t, 5000, true))
		_, law := conditionalTake(t, r)
		r.Mechanisms, r.Segments = nil, nil
		_, pairs := conditionalTake(t, r)
		for k, c := range law.Columns {
			p := pairs.Columns[k]
			if c.Kind == "numeric" && c.Source != FromLaw || p.Source == FromLaw {
				t.Errorf("%s: %s: %s and %s", name, c.Name, c.From, p.From)
			}
			if d := c.Information - p.Information; d < -0.06 || d > 0.2 {
				t.Errorf("%s: %s: %v bits by the law and %v by the pairs", name, c.Name, c.Information, p.Information)
			}
		}
	}
}

// TestDealtOut takes the class of RPT from the pairs: the plan's law says nothing of how the classes are spread.
func TestDealtOut(t *testing.T) {
	tab := conditionalPeople(t, 500, false)
	r := planned(t, classnoise.NewRPT(), map[string]string{"minLeaf": "30"}, tab)
	_, d := conditionalTake(t, r)
	if c := find(t, d, "class"); c.Source != FromPairs || !c.Perturbed {
		t.Errorf("class: %+v", c)
	}
	if c := find(t, d, "age"); c.Perturbed || c.Source != FromNothing {
		t.Errorf("age: %+v", c)
	}
}

// TestIdentityIsWorst: no technique gives away more than the values themselves.
func TestIdentityIsWorst(t *testing.T) {
	tab := conditionalPeople(t, 800, true)
	worst, _ := conditionalTake(t, paired(tab, tab))
	for name, q := range map[string]protect.Technique{"rnat": rnat.New(), "framework": framework.NewFramework(),
		"forest framework": forestframework.New(),
		"rpt":              classnoise.NewRPT(), "random categorical": randomisedresponse.NewCategorical()} {
		r := planned(t, q, nil, tab)
		for range 2 {
			if v, _ := conditionalTake(t, r); v.Score > worst.Score {
				t.Errorf("%s: score %v, identity %v", name, v.Score, worst.Score)
			}
			r.Mechanisms, r.Segments = nil, nil
		}
	}
}

// TestUnpaired has only the plan to go by: what it does not change is released as it is, and what it deals out anew
// cannot be judged.
func TestUnpaired(t *testing.T) {
	tab := conditionalPeople(t, 500, false)
	r := planned(t, rnat.New(), nil, tab.Select(0, 1, 2, 3))
	_, with := conditionalTake(t, r)
	r.Paired, r.Released = false, r.Released.Slice(0, 400)
	v, d := conditionalTake(t, r)
	if c := find(t, d, "age"); c.Loss != find(t, with, "age").Loss || c.Intervals != nil || c.Source != FromLaw {
		t.Errorf("age: %+v", c)
	}
	if c := find(t, d, "city"); c.Perturbed || v.Score == c.Loss {
		t.Errorf("city: %+v, score %v", c, v.Score)
	}
	for i, risk := range d.Records() {
		if !math.IsNaN(risk) {
			t.Fatalf("record %d is judged", i)
		}
	}
	r = planned(t, classnoise.NewRPT(), map[string]string{"minLeaf": "30"}, tab)
	r.Paired = false
	if _, d := conditionalTake(t, r); len(d.Columns) != 4 {
		t.Errorf("%d columns are judged, expected all but the class", len(d.Columns))
	}
}

// broken is a plan whose laws are no laws.
type broken struct{ p float64 }

func (b broken) P(_, _ float64) float64 { return b.p }

func (broken) Schema() []table.Attribute { return nil }

func (broken) Changes() []string { return nil }

func (b broken) Law(int) (noisemodel.Column, bool) { return noisemodel.Everywhere(b), true }

// TestNoLaw takes what does not sum to 1 for no law, and goes by the pairs.
func TestNoLaw(t *testing.T) {
	tab := conditionalPeople(t, 200, false)
	released := planned(t, rnat.New(), nil, tab).Released
	for _, p := range []float64{0, 1, math.NaN(), math.Inf(1)} {
		r := paired(tab, released)
		r.Mechanisms = []noisemodel.Mechanism{broken{p}}
		if _, d := conditionalTake(t, r); find(t, d, "age").Source != FromPairs {
			t.Errorf("the probability %v is taken for a law: %+v", p, find(t, d, "age"))
		}
	}
}

// TestTargets takes every other record of cells of four, in the order of the rows, where only half as many are wanted;
// each stands for two. Missing values are none.
func TestTargets(t *testing.T) {
	x := make([]float64, 1024)
	for i := range x {
		x[i] = float64(i)
	}
	x = append(x, nan)
	tab := tabletest.Of(t, table.NumColumn("x", 1, x))
	s := &study{release: paired(tab, tab)}
	d := conditionalDivide(ascending(x), conditionalMostCells, 1)
	l := &channel{joint: uncertainty.Joint{Weights: matrix(len(d.widths), 1)}, x: d.number(x)}
	for _, most := range []int{2048, 512} {
		got := s.targets([]noisemodel.Column{noisemodel.Everywhere(broken{1})}, x, l, most)
		if len(got) != min(most, 1024) {
			t.Fatalf("%d targets of at most %d", len(got), most)
		}
		for k, g := range got {
			if each := 1024 / len(got); g.weight != float64(each) || g.value != float64(each*(k+1)-1) ||
				g.kernel != (broken{1}) {
				t.Fatalf("target %d of at most %d: %+v", k, most, g)
			}
		}
	}
}
