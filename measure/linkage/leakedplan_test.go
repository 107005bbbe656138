package linkage

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var insider = &intruder.Intruder{Name: "thief", Knows: []string{"all"}, Secret: []string{"role:class"}, Plan: true}

// forest returns a forest of stumps on the first number of a table, one for each cut.
func forest(t *table.Table, cuts []float64) *tree.Forest {
	f := &tree.Forest{}
	class := t.WithRole(table.Class)
	at := slices.IndexFunc(t.Attrs(), func(a table.Attribute) bool { return a.Kind == table.Numeric })
	for _, cut := range cuts {
		n := []float64{1, 1}
		f.Trees = append(f.Trees, &tree.Tree{Attrs: t.Attrs(), Class: class, Nodes: []tree.Node{
			{Attr: at, Cut: cut, Kids: []int32{1, 2}, Counts: []float64{2, 2}}, {Attr: -1, Counts: n}, {Attr: -1, Counts: n}}})
	}
	return f
}

// leakedPeople returns a table with an age, a postcode and a class.
func leakedPeople(n int, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 2))
	age, code, class := make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		age[i], code[i], class[i] = float64(r.IntN(100)), float64(r.IntN(1000)), int32(r.IntN(2))
	}
	c := table.CatColumn("sick", []string{"no", "yes"}, class)
	c.Role = table.Class
	return tabletest.Must(table.NumColumn("age", 1, age), table.NumColumn("code", 1, code), c)
}

// inside draws ages anew between the cuts they were between, and codes anew everywhere.
func inside(t *table.Table, cuts []float64, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 9))
	age, code := slices.Clone(t.Num(0)), slices.Clone(t.Num(1))
	ends := slices.Concat([]float64{-1}, cuts, []float64{99})
	for i, v := range age {
		k := 1
		for v > ends[k] {
			k++
		}
		age[i] = ends[k-1] + 1 + float64(r.IntN(int(ends[k]-ends[k-1])))
		code[i] = float64(r.IntN(1000))
	}
	return t.WithNum(0, age).WithNum(1, code)
}

// mechanism is a plan that changes some columns.
type mechanism struct {
	attrs   []table.Attribute
	changes []string
}

func (m mechanism) Schema() []table.Attribute { return m.attrs }
func (m mechanism) Changes() []string         { return m.changes }

func leakedTake(t testing.TB, r *measure.Release, who *intruder.Intruder) (measure.Value, *LeakedPlanDetail) {
	t.Helper()
	v := must.Get(LeakedPlan.New().Measure(context.Background(), r.Against(who), rng.Source{}))(t)
	return v, v.Detail.(*LeakedPlanDetail)
}

func release(original, released *table.Table, by segment.Segmentation, changes ...string) *measure.Release {
	r := &measure.Release{Original: original, Released: released, Paired: true, Making: measure.Making{Segments: by}}
	r.Mechanisms = append(r.Mechanisms, mechanism{original.Attrs(), changes})
	return r
}

// Each stump of the forest has many records in its leaves, but where 48 of them meet, people are alone; one stump links
// nobody.
func TestLeakedPlanPlanted(t *testing.T) {
	tab := leakedPeople(60, 1)
	var cuts []float64
	for c := 2.0; c < 98; c += 2 {
		cuts = append(cuts, c)
	}
	v, d := leakedTake(t, release(tab, inside(tab, cuts, 1), forest(tab, cuts), "age", "code"), insider)
	if d.Alone < 10 || v.Lo < 0.3 || d.Linked != d.Inside || float64(d.Alone) > d.Linked {
		t.Errorf("%v from %v, %+v", v.Score, v.Lo, *d)
	}
	tab = leakedPeople(2000, 2)
	v, d = leakedTake(t, release(tab, inside(tab, []float64{50}, 1), forest(tab, []float64{50}), "age", "code"), insider)
	if math.Abs(v.Score-2./2000) > 1e-12 || v.Hi > 0.005 || d.Segments != 2 {
		t.Errorf("of two segments %v to %v are linked", v.Score, v.Hi)
	}
}

// A column that the plan leaves as it is tells those of a segment apart; without the plan nobody is asked.
func TestUntouched(t *testing.T) {
	tab := leakedPeople(500, 3)
	kept := inside(tab, []float64{50}, 1).WithNum(1, tab.Num(1))
	v, d := leakedTake(t, release(tab, kept, forest(tab, []float64{50}), "age"), insider)
	if v.Lo < 0.5 || d.Inside > 3 || !slices.Equal(d.Untouched, []string{"code"}) {
		t.Errorf("%v, %+v", v.Score, *d)
	}
	r := release(tab, kept, forest(tab, []float64{50}), "age")
	for name, r := range map[string]*measure.Release{
		"no plan": {Original: tab, Released: kept, Paired: true, Intruder: insider},
		"no leak": r.Against(&intruder.Intruder{Name: "x", Knows: []string{"all"}}),
		"no groups": (&measure.Release{Original: tab, Released: kept, Paired: true,
			Making: measure.Making{Segments: segment.ByGroups(tab, nil)}}).Against(insider),
	} {
		if _, err := LeakedPlan.New().Measure(t.Context(), r, rng.Source{}); !errors.Is(err, measure.ErrNotApplicable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Who knows less of what is tested has more segments to look in: by hand, of ages in bands.
func TestLeakedPlanTwin(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		tab := leakedPeople(rapid.IntRange(1, 40).Draw(rt, "n"), rapid.Uint64().Draw(rt, "seed"))
		cuts := []float64{20, 40, 60, 80}
		off := float64(rapid.IntRange(0, 30).Draw(rt, "off"))
		known := rapid.Bool().Draw(rt, "age is known")
		who := &intruder.Intruder{Name: "x", Knows: []string{"code"}, Plan: true}
		if known {
			who.Knows, who.Within = []string{"age", "code"}, map[string]float64{"age": off}
		}
		released := inside(tab, cuts, 5)
		v, _ := leakedTake(t, release(tab, released, forest(tab, cuts), "age", "code"), who)
		part := func(v float64) int { k, _ := slices.BinarySearch(cuts, v); return k }
		sum := 0.0
		for i := range tab.Rows() {
			there := 0.0
			for k := range tab.Rows() {
				p := part(released.Num(0)[k])
				if a := tab.Num(0)[i]; !known || p >= part(a-off) && p <= part(a+off) {
					there++
				}
			}
			sum += 1 / there
		}
		if want := sum / float64(tab.Rows()); math.Abs(v.Score-want) > 1e-9 {
			rt.Fatalf("%v, expected %v", v.Score, want)
		}
	})
}

// A million records in 50 segments, of which all that is tested is known, take 2 times the yardstick; where it is known
// within 5 years, 4 times.
func BenchmarkExact1M(b *testing.B) { bench(b, insider) }
func BenchmarkWithin1M(b *testing.B) {
	bench(b,
		&intruder.Intruder{Name: "x", Knows: []string{"age", "code"}, Within: map[string]float64{"age": 5}, Plan: true})
}

func bench(b *testing.B, who *intruder.Intruder) {
	tab := leakedPeople(1_000_000, 1)
	var cuts []float64
	for c := 2.0; c < 98; c += 2 {
		cuts = append(cuts, c)
	}
	r := release(tab, inside(tab, cuts, 1), forest(tab, cuts[:48]), "age", "code")
	for b.Loop() {
		leakedTake(b, r, who)
	}
	yardstick.Report(b)
}
