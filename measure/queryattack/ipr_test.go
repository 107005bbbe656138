package queryattack

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/protect/bestorrest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestBreached(t *testing.T) {
	for _, c := range []struct {
		before, after []float64
		want          float64
	}{
		{[]float64{0.6, 0.4}, []float64{0.9, 0.1}, 1},
		{[]float64{0.6, 0.4}, []float64{0.1, 0.9}, 0},
		{[]float64{0.6, 0.4}, []float64{0.5, 0.5}, 0.5},
		{[]float64{0.5, 0.5}, []float64{0.9, 0.1}, 1},
		{[]float64{0.4, 0.4, 0.2}, []float64{0.4, 0.4, 0.2}, 1},
		{[]float64{0.4, 0.4, 0.2}, []float64{0.2, 0.4, 0.4}, 0.5},
		{[]float64{0.6, 0.4}, []float64{0, 0}, 0},
		{[]float64{0, 0}, []float64{1, 0}, nan},
		{nil, nil, nan},
	} {
		if got := breached(c.before, c.after); got != c.want && (got == got || c.want == c.want) {
			t.Errorf("%v and %v: %v, expected %v", c.before, c.after, got, c.want)
		}
	}
}

// TestIPRByHand has people in three towns, whose most common secrets are v, v and w, and a release of other records,
// fewer of them: in the first town it is v still, in the second it has become w, and the third has nobody left. By sex,
// v and w before, both are breached. Of town and sex together the original has five answers, pf u, pm v, qf v, qm w and
// rm w, and the release v, one of u and v, v, w and none.
func TestIPRByHand(t *testing.T) {
	town, sex, secret := []string{"p", "q", "r"}, []string{"f", "m"}, []string{"u", "v", "w"}
	of := func(towns, sexes, secrets []int32) *table.Table {
		return tabletest.Of(t, table.CatColumn("town", town, towns), table.CatColumn("sex", sex, sexes),
			table.CatColumn("s", secret, secrets))
	}
	original := of([]int32{0, 0, 0, 1, 1, 1, 2, 2, 2}, []int32{0, 1, 1, 0, 0, 1, 1, 1, 1},
		[]int32{0, 1, 1, 1, 1, 2, 2, 2, 2})
	released := of([]int32{0, 0, 0, 1, 1, 1}, []int32{0, 1, 1, 1, 1, 0}, []int32{1, 1, 0, 2, 2, 1})
	v, d := take(t, meter(), knows(original, released))
	want := []IPR{{1, 5, 100 * (1 - 3./5)}, {2, 5, 100 * (1 - 2.5/5)}}
	got := d.Secrets[0].IPR
	for k, r := range got {
		if k >= len(want) || r.Columns != want[k].Columns || r.Queries != want[k].Queries ||
			math.Abs(r.Ratio-want[k].Ratio) > 1e-9 {
			t.Errorf("IPR %+v, expected %+v", got, want)
		}
	}
	if !slices.ContainsFunc(v.Parts, func(p measure.Part) bool {
		return p.Name.String() == "IPR of s, queries of 2 columns, %" && math.Abs(p.Score-50) < 1e-9
	}) {
		t.Errorf("parts %+v", v.Parts)
	}
	if text := d.Sentence().String(); !strings.Contains(text, "about 1, 2 columns, 40 %, 50 % no longer give the most "+
		"common s") {
		t.Error(text)
	}
}

// A release as it is has IPR 0, whatever the ties; one without records has 100; and one by CLIFF, of fewer records,
// lies between.
func TestIPREnds(t *testing.T) {
	original := people(t, 600)
	plan := must.Get(bestorrest.CLIFFNew().Fit(t.Context(), original, rng.New([32]byte{4})))(t)
	some := must.Get(plan.Apply(original, rng.New([32]byte{5})))(t)
	m := meter()
	m.Queries = 1000
	for name, c := range map[string]struct {
		released *table.Table
		lo, hi   float64
	}{"as it is": {original, 0, 0}, "nothing": {original.Slice(0, 0), 100, 100}, "CLIFF": {some, 1, 99}} {
		r := (&measure.Release{Original: original, Released: c.released}).Against(
			&intruder.Intruder{Name: "x", Knows: []string{intruder.All}, Secret: []string{"c7", "n0"}})
		_, d := take(t, m, r)
		for _, s := range d.Secrets {
			if len(s.IPR) != 3 {
				t.Fatalf("%s: IPR of %s is %+v", name, s.Column, s.IPR)
			}
			for _, r := range s.IPR {
				if r.Queries < 10 || r.Ratio < c.lo-1e-9 || r.Ratio > c.hi+1e-9 {
					t.Errorf("%s: IPR of %s is %+v, expected %v to %v", name, s.Column, r, c.lo, c.hi)
				}
			}
		}
	}
	// Without a secret there is no ratio and nothing is said of it.
	_, d := take(t, m,
		measuretest.Release(true).Against(&intruder.Intruder{Name: "x", Knows: []string{intruder.All}, Secret: nil}))
	if text := d.Sentence().String(); strings.Contains(text, "IPR") != (len(d.Secrets) == 1) {
		t.Error(text)
	}
}
