package uncertainty

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func knowledgeTake(r *measure.Release, set map[string]string) (measure.Value, KnowledgeDetail, error) {
	m := Knowledge.New()
	if err := m.Params().Apply(set); err != nil {
		return measure.Value{}, KnowledgeDetail{}, err
	}
	v, err := m.Measure(context.Background(), r, rng.New([32]byte{3}))
	d, _ := v.Detail.(KnowledgeDetail)
	return v, d, err
}

// protected returns a release of a table by the Framework.
func protected(t testing.TB, tab *table.Table) *measure.Release {
	t.Helper()
	p := must.Get(framework.NewFramework().Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(executor.Run(context.Background(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	r := &measure.Release{
		Original: tab,
		Released: out,
		Paired:   true,
		Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{p}, Segments: p.(protect.Segmented).Segmentation()},
	}
	for _, s := range p.(protect.Composite).Steps() {
		r.Mechanisms = append(r.Mechanisms, s)
	}
	return r
}

// TestKnowledgeByHand follows four records released as they are: what the first two attributes leave open, in either
// order, and of the chosen third record.
func TestKnowledgeByHand(t *testing.T) {
	class := table.CatColumn("class", []string{"a", "b"}, []int32{0, 0, 1, 1})
	class.Role = table.Class
	tab := tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 1, 2, 2}),
		table.NumColumn("y", 1, []float64{1, 2, 2, 2}), class)
	r := &measure.Release{Original: tab, Released: tab, Paired: true}
	v, d, err := knowledgeTake(r, map[string]string{"record": "3", "classFrom": "record"})
	must.NoError(t, err)
	h := -2./3*math.Log2(2./3) - 1./3*math.Log2(1./3)
	for k, want := range [][4]float64{{2, 1, 2, 1}, {1, 0, 1, 0}, {0.5, 0, 1, 0}} {
		check(t, d, k, want)
	}
	if v.Score != 0.5 || d.Curve[1].Attribute != "x" || d.Curve[2].Attribute != "y" {
		t.Errorf("score %v, curve %+v", v.Score, d.Curve)
	}
	if want := "With all 2 attributes known, 0.50 bits of doubt about the record are left of 2.00; in the unperturbed " +
		"file 0.50."; d.Sentence().String() != want {
		t.Errorf("sentence %q", d.Sentence().String())
	}
	if _, d, err = knowledgeTake(r, map[string]string{"record": "3", "classFrom": "record", "order": "y"}); err != nil {
		t.Fatal(err)
	}
	check(t, d, 1, [4]float64{3 * math.Log2(3) / 4, 3 * h / 4, math.Log2(3), h})
	if d.Curve[1].Attribute != "y" || d.Curve[2].Attribute != "x" {
		t.Errorf("curve %+v", d.Curve)
	}
}

// check compares the mean and the chosen entropies of record and class with k attributes known; the release is the
// original.
func check(t *testing.T, d KnowledgeDetail, k int, want [4]float64) {
	t.Helper()
	for _, p := range []Pair{d.Curve[k].Released, d.Curve[k].Original} {
		if math.Abs(p.Record-want[0])+math.Abs(*p.Class-want[1]) > 1e-12 {
			t.Errorf("%d known: %v and %v, expected %v", k, p.Record, *p.Class, want)
		}
	}
	for _, p := range []Pair{d.Chosen[k].Released, d.Chosen[k].Original} {
		if math.Abs(p.Record-want[2])+math.Abs(*p.Class-want[3]) > 1e-12 {
			t.Errorf("%d known, chosen: %v and %v, expected %v", k, p.Record, *p.Class, want)
		}
	}
}

// TestEnds: with nothing known the doubt is log2 n in either file; with everything known the score is that of
// reidentification, on the same targets; the curve of the unperturbed file never rises.
func TestEnds(t *testing.T) {
	r := protected(t, protecttest.Mixed(150))
	for _, orders := range []string{"0", "3"} {
		v, d, err := knowledgeTake(r, map[string]string{"orders": orders, "targets": "1000"})
		must.NoError(t, err)
		first, last := d.Curve[0], d.Curve[len(d.Curve)-1]
		if math.Abs(first.Released.Record-math.Log2(150))+math.Abs(first.Original.Record-math.Log2(150)) > 1e-9 {
			t.Errorf("nothing known leaves %v and %v bits", first.Released.Record, first.Original.Record)
		}
		h, err := Reidentification.New().Measure(context.Background(), r, rng.Source{})
		if err != nil || math.Abs(h.Score-v.Score) > 1e-9 || math.Abs(last.Released.Record-v.Score) > 1e-9 {
			t.Errorf("everything known leaves %v bits, reidentification says %v, error %v", v.Score, h.Score, err)
		}
		for k := range d.Curve[1:] {
			if d.Curve[k+1].Original.Record > d.Curve[k].Original.Record+1e-9 {
				t.Errorf("one more attribute raises the doubt from %v to %v bits", d.Curve[k].Original.Record,
					d.Curve[k+1].Original.Record)
			}
		}
		if last.Original.Record > 0.01 || last.Released.Record < 1 {
			t.Errorf("everything known leaves %v bits of the release, %v of the original", last.Released.Record,
				last.Original.Record)
		}
		if (orders == "0") != (d.Curve[1].Attribute != "") {
			t.Errorf("%s orders: the first attribute is %q", orders, d.Curve[1].Attribute)
		}
	}
}

// TestEntropySample: the targets are a sample of so many, and the chosen record does not move their mean.
func TestEntropySample(t *testing.T) {
	r := protected(t, protecttest.Mixed(300))
	a, d, err := knowledgeTake(r, map[string]string{"targets": "120"})
	if err != nil || d.Targets != 120 || !(a.Lo < a.Score && a.Score < a.Hi) ||
		!strings.Contains(strings.Join(message.Written(a.Notes), ";"), "a sample of 120 of 300") {
		t.Errorf("%d targets, %v in %v to %v, notes %q, error %v", d.Targets, a.Score, a.Lo, a.Hi, a.Notes, err)
	}
	_, e, err := knowledgeTake(r, map[string]string{"targets": "120", "record": "299"})
	if err != nil || !reflect.DeepEqual(d.Curve, e.Curve) || len(e.Chosen) != len(e.Curve) {
		t.Errorf("the chosen record changes the curve, error %v", err)
	}
}

// TestNoClass has no class entropies.
func TestNoClass(t *testing.T) {
	tab := protecttest.Mixed(60).Select(0, 5)
	_, d, err := knowledgeTake(&measure.Release{Original: tab, Released: tab, Paired: true}, nil)
	if err != nil || d.Curve[2].Released.Class != nil || d.Curve[2].Original.Class != nil {
		t.Errorf("%+v, error %v", d, err)
	}
}

func TestKnowledgeErrors(t *testing.T) {
	tab := protecttest.Mixed(60)
	same := &measure.Release{Original: tab, Released: tab, Paired: true}
	for name, c := range map[string]struct {
		r    *measure.Release
		set  map[string]string
		want string
	}{
		"no such row":    {same, map[string]string{"record": "61"}, "there is no row 61"},
		"no such column": {same, map[string]string{"order": "age,shoe"}, `"shoe" is not an attribute`},
		"unknown column": {same.Against(&intruder.Intruder{Name: "x", Knows: []string{"age"}}),
			map[string]string{"order": "city"}, `"city" is not an attribute`},
		"column named twice": {same, map[string]string{"order": "age,age"}, "named twice"},
		"no rows":            {&measure.Release{Original: tab.Slice(0, 0), Released: tab}, nil, "no records"},
		"nothing released":   {&measure.Release{Original: tab, Released: tab.Slice(0, 0)}, nil, "no records"},
	} {
		if _, _, err := knowledgeTake(c.r, c.set); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOutsider: the curve of an outsider starts at log2 n, the doubt given that the person is in the file, and the
// sentence says so.
func TestKnowledgeOutsider(t *testing.T) {
	tab := protecttest.Mixed(60)
	r := (&measure.Release{Original: tab, Released: tab, Paired: true}).Against(
		&intruder.Intruder{Name: "x", Knows: []string{"age"}, Outsider: true},
	)
	_, d, err := knowledgeTake(r, map[string]string{"membership": "0.1"})
	if err != nil || math.Abs(d.Curve[0].Released.Record-math.Log2(60)) > 1e-9 || math.Abs(d.Outside-0.9) > 1e-12 ||
		!strings.Contains(d.Sentence().String(), "given that a person is in the file") {
		t.Errorf("%+v, sentence %q, error %v", d, d.Sentence().String(), err)
	}
}
