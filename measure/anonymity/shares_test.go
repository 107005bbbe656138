package anonymity

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// shares measures a table released as it is, whose first column is known and whose second is secret, by every model.
func shares(t tabletest.T, known, secret []float64, set map[string]string) map[string]measure.Value {
	tab := tabletest.Of(t, column("k", known...), column("s", secret...))
	out := map[string]measure.Value{}
	for _, e := range shareMeasures() {
		m := e.New()
		must.NoError(t, m.Params().Apply(set))
		i := &intruder.Intruder{Name: "x", Knows: []string{"k"}, Secret: []string{"s"}}
		r := (&measure.Release{Original: tab, Released: tab, Paired: true}).Against(i)
		v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
		out[e.Name] = v
	}
	return out
}

// TestSharesByHand: of eight records two have the value 1 (p = 1/4) and six the value 2. Of the first class of four
// half have 1, the second has 2 alone.
func TestSharesByHand(t *testing.T) {
	got := shares(t, []float64{1, 1, 1, 1, 2, 2, 2, 2}, []float64{1, 1, 2, 2, 2, 2, 2, 2}, nil)
	for name, want := range map[string]float64{
		"alphak":          1,           // the second class
		"deltadisclosure": math.Log(2), // 1/2 of 1/4, against 4/3 and 2/3 of 3/4
		"betalikeness":    1,           // (1/2 - 1/4) / (1/4)
		// 1 gains 1 of the ln 4 = 1.386 that it may; 2 gains 1/3 of the ln 4/3 = 0.288 that it may
		"enhancedbetalikeness": (1. / 3) / math.Log(4./3),
	} {
		if v := got[name]; math.Abs(v.Score-want) > 1e-12 || v.Part("smallest-class") != 4 {
			t.Errorf("%s: %v with k = %v, expected %v", name, v.Score, v.Part("smallest-class"), want)
		}
	}
	if v := got["deltadisclosure"]; v.Part("lacking") != 0.5 {
		t.Errorf("%v are in classes that lack a value, expected a half", v.Part("lacking"))
	}
}

// TestSharesOfTheWhole: where every class is like the whole, nothing is gained.
func TestSharesOfTheWhole(t *testing.T) {
	got := shares(t, []float64{1, 1, 1, 2, 2, 2}, []float64{5, 6, 7, 7, 5, 6}, nil)
	for name, want := range map[string]float64{"alphak": 1. / 3, "deltadisclosure": 0, "betalikeness": 0,
		"enhancedbetalikeness": 0} {
		if v := got[name]; v.Score != want {
			t.Errorf("%s: %v, expected %v", name, v.Score, want)
		}
	}
}

// TestSharesEqualTwin takes the definitions literally, record by record.
func TestSharesEqualTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 25).Draw(t, "rows")
		of := func(values ...float64) []float64 {
			return rapid.SliceOfN(rapid.SampledFrom(values), n, n).Draw(t, "values")
		}
		known, secret := of(0, 1, 2, tClosenessNan), of(1, 2, 3, 40, tClosenessNan)
		got := shares(t, known, secret, nil)
		all := slices.DeleteFunc(slices.Clone(secret), math.IsNaN)
		share := func(of []float64, v float64) float64 {
			k := 0.0
			for _, x := range of {
				if x == v {
					k++
				}
			}
			return k / float64(len(of))
		}
		want, lacking := map[string]float64{}, 0.0
		for i := range n {
			var class []float64
			for k := range n {
				if same := known[i] == known[k] || known[i] != known[i] && known[k] != known[k]; same && secret[k] == secret[k] {
					class = append(class, secret[k])
				}
			}
			lacks := false
			for _, v := range all {
				q, p := share(class, v), share(all, v)
				lacks = lacks || q == 0
				if !(q > 0) {
					continue
				}
				gain := (q - p) / p
				want["alphak"] = max(want["alphak"], q)
				want["deltadisclosure"] = max(want["deltadisclosure"], math.Abs(math.Log(q/p)))
				want["betalikeness"] = max(want["betalikeness"], gain)
				if gain > 0 {
					want["enhancedbetalikeness"] = max(want["enhancedbetalikeness"], gain/-math.Log(p))
				}
			}
			if lacks && len(class) > 0 {
				lacking++
			}
		}
		for name, v := range got {
			if math.Abs(v.Score-want[name]) > 1e-9 {
				t.Fatalf("%s: %v, expected %v", name, v.Score, want[name])
			}
		}
		if v := got["deltadisclosure"]; math.Abs(v.Part("lacking")-lacking/float64(n)) > 1e-12 {
			t.Fatalf("%v lack a value, expected %v of %d", v.Part("lacking"), lacking, n)
		}
	})
}

// TestSharesPeople: a value is as common in a class as people have it there, however many records they have.
func TestSharesPeople(t *testing.T) {
	measuretest.CountsPeople(t, shareMeasures()[0],
		intruder.Intruder{Name: "x", Knows: []string{"a", "b"}, Secret: []string{"c"}}, "value", "any")
	// in a class of two people both have the value 1, and one has 2 as well: the share of 1 is that of both
	tab := tabletest.Of(t, column("k", 1, 1, 1), column("s", 1, 2, 1))
	r := &measure.Release{Original: tab, Released: tab, Paired: true, Owners: measure.Owners{Person: "who",
		Persons: map[string]map[table.RecordID]int32{"who": {tab.ID(0): 0, tab.ID(1): 0, tab.ID(2): 1}}}}
	v, err := shareMeasures()[0].New().Measure(context.Background(),
		r.Against(&intruder.Intruder{Name: "x", Knows: []string{"k"}, Secret: []string{"s"}}), rng.Source{})
	if err != nil || v.Score != 1 || v.Part("smallest-class") != 2 {
		t.Errorf("%+v, %v", v, err)
	}
}
