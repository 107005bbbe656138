package study

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestJudgePairless: of a release of which no record is anybody's, nothing is withheld because it could not be
// measured; what tells its people from others beyond doubt withholds it, and without others that is not judged.
func TestJudgePairless(t *testing.T) {
	found := figured("found", "a", math.NaN(), 0, 0)
	found.Err, found.Skip = message.Text("the rows are not paired"), true
	learned := func(lo, hi float64) Measured { return figured("learned", "a", (lo+hi)/2, lo, hi) }
	dcr := func(lo, hi float64) Measured { return figured("dcr", "", (lo+hi)/2, lo, hi) }
	for name, c := range map[string]struct {
		control  bool
		measures []Measured
		lookups  []Lookups
		state    State
		reasons  int
		broken   string
	}{
		"all shown": {true, []Measured{found, learned(0, 0.05), dcr(0, 0.05)},
			[]Lookups{{Intruder: "a", Tried: 9000, Others: Others{0, 9000}, Hi: 0.001}}, WithCare, 1, ""},
		"too few": {true, []Measured{found, learned(0, 0.3), dcr(0, 0.05)},
			[]Lookups{{Intruder: "a", Found: 3, Tried: 30, Others: Others{3, 30}, Hi: 0.2}}, Unjudged, 2, ""},
		"no others": {false, []Measured{found, learned(0.5, 0.9), dcr(0, 0.05)}, nil, Unjudged, 2, ""},
		"learned":   {true, []Measured{found, learned(0.1, 0.3), dcr(0, 0.05)}, nil, Withheld, 2, "learned"},
		"copies":    {false, []Measured{found, learned(0.1, 0.3), dcr(0.1, 0.3)}, nil, Withheld, 3, "dcr"},
		"looked up": {true, []Measured{found, learned(0, 0.05), dcr(0, 0.05)},
			[]Lookups{{Intruder: "a", Found: 9, Tried: 30, Others: Others{0, 30}, Lo: 0.02, Hi: 0.4}}, Withheld, 2,
			limit.Lookup},
	} {
		full := must.Get(limit.Preset("default"))(t)
		full.Limits = slices.DeleteFunc(full.Limits, func(l limit.Limit) bool {
			return l.Measure != "found" && l.Measure != limit.Lookup
		})
		e := Evidence{Limits: full, Unpaired: true, Control: c.control, Lookups: c.lookups}
		if v := Judge(&Outcome{Measures: c.measures}, e); v.State != Withheld {
			t.Errorf("%s: where its people may be in it, the release is %s", name, v.State)
		}
		e.Limits = full.WithoutPairs()
		e.Limits.Limits = slices.DeleteFunc(e.Limits.Limits, func(l limit.Limit) bool { return l.Measure == "membership" })
		v := Judge(&Outcome{Measures: c.measures}, e)
		if v.State != c.state || len(v.Reasons) != c.reasons {
			t.Errorf("%s: %s, %d reasons: %s", name, v.State, len(v.Reasons), said(v))
		}
		if b := v.Broken(); (len(b) > 0) != (c.broken != "") || len(b) > 0 && b[0].Measure != c.broken {
			t.Errorf("%s: broken are %+v", name, b)
		}
	}
}

// TestWayOut: a release without pairs that is not shown to keep a limit says what may have to be accepted, and keeps
// the limit once that is accepted.
func TestWayOut(t *testing.T) {
	s := must.Get(limit.Preset("default"))(t)
	o := &Outcome{Measures: []Measured{figured("learned", "a", 0.1, 0, 0.304), figured("learned", "b", 0.1, 0, 0.21),
		figured("dcr", "", 0, 0, 0.05), figured("membership", "a", 0, 0, 0.05)}}
	s.Limits = slices.DeleteFunc(s.Limits, func(l limit.Limit) bool { return l.Measure != "found" })
	judged := func() *Verdict { return Judge(o, Evidence{Limits: s.WithoutPairs(), Unpaired: true, Control: true}) }
	if v := judged(); v.State != Unjudged || !slices.ContainsFunc(v.Reasons, func(r Reason) bool {
		return strings.Contains(r.Remedy().String(), "(--accept learned=0.31)")
	}) {
		t.Errorf("%s: %+v", v.State, v.Reasons)
	}
	must.NoError(t, s.Accept("learned=0.31"))
	if v := judged(); v.State != WithCare || len(v.Gate.Undecided) > 0 {
		t.Errorf("%s: %s", v.State, said(v))
	}
}

// TestWithoutPairs: the bound on people found, also one that was accepted, is that of each that stands for it, and one
// that is there stays.
func TestWithoutPairs(t *testing.T) {
	s := must.Get(limit.Preset("default"))(t)
	must.NoError(t, s.Accept("found=0.2"))
	got := s.WithoutPairs()
	for name, want := range map[string]float64{"learned": 0.2, "dcr": 0.2, "membership": 0.09} {
		if l := got.Find(name); l == nil || *l.Max != want || !l.IfAny {
			t.Errorf("%s: %+v", name, l)
		}
	}
	if err := s.Accept("dcr=0.5"); err != nil || *s.WithoutPairs().Find("dcr").Max != 0.5 ||
		*s.WithoutPairs().Find("learned").Max != 0.2 {
		t.Errorf("accepted alone: %+v, %v", s.Limits, err)
	}
	if got.Find("found") != nil || s.Find("found") == nil || !got.Pairless || s.Pairless {
		t.Errorf("%+v", got)
	}
}

// TestLookUpApartTwin compares whom a released record points at with all records looked at one by one.
func TestLookUpApartTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		draw := func(name string) *table.Table {
			n := rapid.IntRange(1, 12).Draw(r, name+" n")
			value := rapid.SampledFrom([]float64{0, 1, 2, math.NaN()})
			var cols [][]float64
			for range 2 {
				cols = append(cols, rapid.SliceOfN(value, n, n).Draw(r, name))
			}
			return tabletest.Of(r, tabletest.Numbers(0, cols...)...)
		}
		rel := &measure.Release{Original: draw("original"), Released: draw("released"), Holdout: draw("hold-out")}
		var names []string
		for _, a := range rel.Original.Attrs() {
			names = append(names, a.Name)
		}
		got := must.Get(LookUpApart(context.Background(), rel, &intruder.Intruder{Name: "a", Knows: names}, rng.Source{}))(r)
		found, others := pointedTwin(rel.Original, rel.Released), pointedTwin(rel.Holdout, rel.Released)
		if got.Found != found || got.Others.Found != others || got.Tried != rel.Original.Rows() ||
			got.Others.Tried != rel.Holdout.Rows() || !(got.Lo <= got.Share() && got.Share() <= got.Hi) {
			r.Fatalf("%+v, expected %d and %d", got, found, others)
		}
	})
}

// pointedTwin counts the people of whom one released record has all that is known.
func pointedTwin(people, released *table.Table) (found int) {
	for i := range people.Rows() {
		n, known := 0, false
		for k := range released.Rows() {
			same := true
			for j := range people.Width() {
				v := people.Num(j)[i]
				known = known || v == v
				same = same && (v != v || released.Num(j)[k] == v)
			}
			if same {
				n++
			}
		}
		if known && n == 1 {
			found++
		}
	}
	return found
}

// A sure copy is looked up far more often than others are; without others nobody can tell.
func TestLookUpApartEnds(t *testing.T) {
	x := make([]float64, 200)
	for i := range x {
		x[i] = float64(i)
	}
	tab := tabletest.Of(t, tabletest.Numbers(0, x)...)
	half := tab.Slice(0, 100)
	who := &intruder.Intruder{Name: "a", Knows: []string{tab.Attr(0).Name}}
	for name, c := range map[string]struct {
		released *table.Table
		share    float64
	}{"copies": {half, 1}, "all of both": {tab, 0}} {
		r := &measure.Release{Original: half, Released: c.released, Holdout: tab.Slice(100, 200)}
		l, err := LookUpApart(context.Background(), r, who, rng.Source{})
		if err != nil || l.Share() != c.share || (l.Lo > 0.9) != (c.share == 1) {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
	}
	l, err := LookUpApart(context.Background(), &measure.Release{Original: half, Released: half}, who, rng.Source{})
	if l != nil || err != nil {
		t.Errorf("without others: %+v, %v", l, err)
	}
}
