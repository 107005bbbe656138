package uncertainty

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func classDisclosureTake(r *measure.Release, set map[string]string) (measure.Value, ClassDisclosureDetail, error) {
	m := ClassDisclosure.New()
	if err := m.Params().Apply(set); err != nil {
		return measure.Value{}, ClassDisclosureDetail{}, err
	}
	v, err := m.Measure(context.Background(), r, rng.Source{})
	d, _ := v.Detail.(ClassDisclosureDetail)
	return v, d, err
}

// small is six records of two numbers; the class follows the first.
func small(t *testing.T) *table.Table {
	class := table.CatColumn("class", []string{"a", "b", "c"}, []int32{0, 0, 1, 1, 2, -1})
	class.Role = table.Class
	return tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 1, 1, 1, 2, 3}), class)
}

// TestClassDisclosureByHand takes the classes as released: of the four records with x = 1 two have class a and two b;
// class c is certain for x = 2; the record without a class counts as the shares of the others.
func TestClassDisclosureByHand(t *testing.T) {
	tab := small(t)
	r := &measure.Release{Original: tab, Released: tab, Paired: true}
	set := map[string]string{"classFrom": "record", "threshold": "0.5", "v": "0.2"}
	v, d, err := classDisclosureTake(r, set)
	must.NoError(t, err)
	others := -2*0.4*math.Log2(0.4) - 0.2*math.Log2(0.2)
	for k, want := range []float64{1, 1, 1, 1, 0, others} {
		if math.Abs(d.H[k]-want) > 1e-12 {
			t.Errorf("row %d: %v, expected %v", k, d.H[k], want)
		}
	}
	if math.Abs(v.Score-(4+others)/6) > 1e-12 || d.Below != 1.0/6 || !d.Secure || math.Abs(d.Right-0.6) > 1e-12 ||
		d.Majority != 0.4 {
		t.Errorf("score %v, %+v", v.Score, d)
	}
	if risk := d.Records(); risk[4] != 1 || risk[5] > risk[0] {
		t.Errorf("records %v", risk)
	}
	want := "The class it infers for a person is right for 60 % of them; naming the largest class is right for 40 %. " +
		"16.7 % of the people have a class entropy below 0.5 bits."
	if d.Sentence().String() != want {
		t.Errorf("sentence %q", d.Sentence().String())
	}
	set["classes"] = "a,b"
	if _, d, err = classDisclosureTake(r, set); err != nil {
		t.Fatal(err)
	}
	in := -0.8*math.Log2(0.8) - 0.2*math.Log2(0.2)
	for k, want := range []float64{0, 0, 0, 0, 0, in} {
		if math.Abs(d.H[k]-want) > 1e-12 {
			t.Errorf("being a or b, row %d: %v, expected %v", k, d.H[k], want)
		}
	}
}

// TestBothEnds: a file released as it is discloses the class of anyone who is unique; noise over the whole domain
// leaves the shares of the classes.
func TestClassDisclosureBothEnds(t *testing.T) {
	tab := protecttest.Mixed(300).Select(1, 10)
	v, _, err := classDisclosureTake(&measure.Release{Original: tab, Released: tab, Paired: true},
		map[string]string{"classFrom": "record"})
	if err != nil || v.Score > 0.1 {
		t.Errorf("the original has %v bits, error %v", v.Score, err)
	}
	p := must.Get(rnat.New().Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
	shares, n := make([]float64, 3), 0.0
	for _, c := range tab.Cat(1) {
		if c >= 0 {
			shares[c]++
			n++
		}
	}
	want := 0.0
	for _, s := range shares {
		want -= s / n * math.Log2(s/n)
	}
	v, d, err := classDisclosureTake(
		&measure.Release{
			Original: tab,
			Released: out,
			Paired:   true,
			Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{p}},
		},
		nil,
	)
	if err != nil || math.Abs(v.Score-want) > 0.02 || math.Abs(d.Right-d.Majority) > 0.05 {
		t.Errorf("uniform noise has %v bits, expected %v; right %v, majority %v; error %v", v.Score, want, d.Right,
			d.Majority, err)
	}
}

// TestErrors: without a class to disclose there is nothing to measure.
func TestClassDisclosureErrors(t *testing.T) {
	tab := small(t)
	plain := *tab.Attr(1)
	plain.Role = 0
	number := table.NumColumn("n", 1, []float64{1, 2})
	number.Role = table.Class
	numeric := tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 2}), number)
	same := func(tab *table.Table) *measure.Release {
		return &measure.Release{Original: tab, Released: tab, Paired: true}
	}
	for name, c := range map[string]struct {
		r    *measure.Release
		set  map[string]string
		want string
	}{
		"no class":      {same(tab.WithAttr(1, plain)), nil, "no column has the role class"},
		"numeric class": {same(numeric), nil, "no class can be inferred"},
		"class is known": {same(tab).Against(&intruder.Intruder{Name: "all", Knows: []string{"x", "class"},
			Secret: []string{}}), nil, "knows the class"},
		"unknown class":   {same(tab), map[string]string{"classes": "z"}, `"z" is not a value`},
		"no record":       {same(tab.Slice(0, 0)), nil, "no records"},
		"record, numeric": {same(numeric), map[string]string{"classFrom": "record"}, "no class can be inferred"},
	} {
		if _, _, err := classDisclosureTake(c.r, c.set); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
