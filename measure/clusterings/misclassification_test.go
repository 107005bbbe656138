package clusterings

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/detective"
	"github.com/dither-data/dither/mine/recordclusters"

	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var miners = []mine.Miner{recordclusters.ROCK, recordclusters.QROCK, recordclusters.CORE, recordclusters.COOLCAT,
	recordclusters.LIMBO, detective.EXDETECTIVE}

func init() { mine.Register(func() []mine.Miner { return miners }) } // as catalog/all does, which imports this package

// TestConformanceOfMiners runs the suite for the miners that are not the default.
func TestConformanceOfMiners(t *testing.T) {
	for _, m := range miners {
		by := Misclassification
		by.New = func() measure.Meter { return param.Default(&misPreset{MisclassificationMeter{Miner: m.Name}}) }
		t.Run(m.Name, func(t *testing.T) { measuretest.Run(t, by) })
	}
}

// misPreset is a meter with its miner as the default.
type misPreset struct{ MisclassificationMeter }

func (p *misPreset) Params() param.Set {
	set := p.MisclassificationMeter.Params()
	set[0].Default = p.Miner
	return set
}

// misBlobs returns points around k centres that are far apart, the records of each in turn.
func misBlobs(t testing.TB, n, k int) *table.Table {
	r := rand.New(rand.NewPCG(3, 7))
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		angle := 2 * math.Pi * float64(i%k) / float64(k)
		x[i], y[i] = 20*math.Cos(angle)+r.NormFloat64(), 20*math.Sin(angle)+r.NormFloat64()
	}
	return tabletest.Of(t, tabletest.Numbers(0, x, y)...)
}

// with returns a meter with parameters set.
func with(t testing.TB, set map[string]string) *MisclassificationMeter {
	t.Helper()
	m := param.Default(&MisclassificationMeter{})
	must.NoError(t, m.Params().Apply(set))
	return m
}

func misTake(t testing.TB, r *measure.Release, set map[string]string) (measure.Value, MisclassificationDetail) {
	t.Helper()
	v, err := with(t, set).Measure(context.Background(), r, rng.Source{})
	if err == nil {
		err = measuretest.Sound(Misclassification, r, v)
	}
	must.NoError(t, err)
	return v, v.Detail.(MisclassificationDetail)
}

// mapped returns the table with every record moved.
func mapped(x *table.Table, f func(a, b float64) (float64, float64)) *table.Table {
	a, b := make([]float64, x.Rows()), make([]float64, x.Rows())
	for i := range a {
		a[i], b[i] = f(x.Num(0)[i], x.Num(1)[i])
	}
	return x.WithNum(0, a).WithNum(1, b)
}

// TestRoyTable54 has the transformations of Table 5.4 of Roy, after Oliveira & Zaiane 2003: translations and rotations
// keep all distances, so with clusters that begin at the same records no record moves, for any K; the table has up to
// 0.07 and 0.17, for luck.
func TestRoyTable54(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	a, b := make([]float64, 700), make([]float64, 700)
	for i := range a { // no clusters at all, so that where clustering begins decides where it ends
		a[i], b[i] = r.Float64(), r.Float64()
	}
	x := tabletest.Of(t, tabletest.Numbers(0, a, b)...)
	sin, cos := math.Sincos(1.1)
	for name, y := range map[string]*table.Table{
		"TDP": mapped(x, func(a, b float64) (float64, float64) { return a + 0.3, b - 0.2 }),
		"RDP": mapped(x, func(a, b float64) (float64, float64) { return a*cos + b*sin, b*cos - a*sin }),
	} {
		v, d := misTake(t, paired(x, y), map[string]string{"scale": "none"})
		for _, s := range d.Sweep {
			if v.Score != 0 || s.Points != 0 || s.Sizes != 0 || s.Rand != 1 {
				t.Errorf("%s: %v, %+v", name, v.Score, s)
			}
		}
	}
	scaled := mapped(x, func(a, b float64) (float64, float64) { return a * 1.4, b * 0.6 })
	if v, _ := misTake(t, paired(x, scaled), map[string]string{"scale": "none"}); v.Score == 0 {
		t.Error("SDP moves no record")
	}
}

// TestMovedRecords moves a known share of the records into another cluster.
func TestMovedRecords(t *testing.T) {
	x := misBlobs(t, 300, 3)
	y := mapped(x, func(a, b float64) (float64, float64) { return a, b })
	a, b := append([]float64(nil), y.Num(0)...), append([]float64(nil), y.Num(1)...)
	for i := range 30 { // ten records of each cluster become like their neighbours in the file, of the next one
		a[i], b[i] = x.Num(0)[i+31], x.Num(1)[i+31]
	}
	y = y.WithNum(0, a).WithNum(1, b)
	v, d := misTake(t, paired(x, y), nil)
	if v.Score != 0.1 || d.Sizes != 0 || d.Matched != 0 {
		t.Errorf("%v, M_E %v and %v; a tenth of the records moved, and sizes did not", v.Score, d.Sizes, d.Matched)
	}
	for _, size := range d.Before[:3] {
		if size != 100 {
			t.Errorf("sizes %v", d.Before)
		}
	}
	if s := d.Sweep[1]; s.K != 3 || s.Points != v.Score || len(d.Sweep) != 5 {
		t.Errorf("sweep %+v", d.Sweep)
	}
	if got := len(v.Parts); got != 3+6+10 {
		t.Errorf("%d parts: %v", got, v.Parts)
	}
	text, err := json.Marshal(v)
	if err != nil ||
		!strings.Contains(string(text), `"together":[[90,10,0,0]`) &&
			!strings.Contains(string(text), `"together":[[90,0,10,0]`) {
		t.Errorf("%s, error %v", text, err)
	}
}

// TestMisclassificationUnpaired: a shuffled part of the records has the clusters of all, so the original's records
// stay; a release of others puts them elsewhere.
func TestMisclassificationUnpaired(t *testing.T) {
	x := misBlobs(t, 300, 3)
	r := rand.New(rand.NewPCG(1, 1))
	v, d := misTake(t, &measure.Release{Original: x, Released: x.Gather(r.Perm(300)[:200])}, nil)
	if v.Score != 0 || d.Paired || len(v.Notes) != 1 || !strings.Contains(v.Notes[0].String(), "not paired") {
		t.Errorf("%v %v", v.Score, v.Notes)
	}
	// The release has clusters at 9 and 12, so 0, 1 and 10 are in the first of them.
	other := &measure.Release{
		Original: tabletest.Of(t, tabletest.Numbers(0, []float64{0, 1, 10, 11})...),
		Released: tabletest.Of(t, tabletest.Numbers(0, []float64{9, 12})...),
	}
	if v, d = misTake(t, other, map[string]string{"k": "2", "sweep": "false"}); v.Score != 0.25 || d.Matched != 0.5 {
		t.Errorf("score %v, %v", v.Score, d.Together)
	}
}

func TestMisclassificationEdges(t *testing.T) {
	nan := math.NaN()
	gone := []float64{nan, nan, nan, nan}
	x := tabletest.Of(t, tabletest.Numbers(0, []float64{1, 2, 9, 10}, []float64{5, 5, 5, 5})...)
	two := map[string]string{"k": "2", "sweep": "false"}
	for name, c := range map[string]struct {
		x, y  *table.Table
		set   map[string]string
		score float64
		note  string
	}{
		"all suppressed":        {x, x.WithNum(0, gone).WithNum(1, gone), two, 1, "0 before, 4 after"},
		"one column suppressed": {x, x.WithNum(1, gone), two, 0, ""},
		"one record suppressed": {x.Select(0), x.WithNum(0, []float64{1, nan, 9, 10}).Select(0), two, 0.25,
			"0 before, 1 after"},
		"missing in both": {tabletest.Of(t, tabletest.Numbers(0, []float64{1, nan, 9, 10})...),
			tabletest.Of(t, tabletest.Numbers(0, []float64{2, nan, 8, 10})...), two, 0, "1 before, 1 after"},
		"a constant that varies": {x, x.WithNum(1, []float64{0, 90, 0, 90}), two, 0, ""},
		"infinite":               {x, x.WithNum(0, []float64{1, 2, 9, math.Inf(1)}), two, 0.25, ""},
		"more clusters":          {x, x, map[string]string{"k": "9"}, 0, "not more than 4"},
		"one cluster": {x, x.WithNum(0, []float64{9, 2, 5, 1}), map[string]string{"k": "1", "sweep": "false"}, 0,
			""},
		"one record": {x.Slice(0, 1), x.Slice(1, 2), two, 0, "not more than 1"},
	} {
		t.Run(name, func(t *testing.T) {
			v, _ := misTake(t, paired(c.x, c.y), c.set)
			if notes := strings.Join(message.Written(v.Notes), "; "); v.Score != c.score || !strings.Contains(notes, c.note) ||
				c.note == "" && notes != "" {
				t.Errorf("score %v, notes %q; expected %v, %q", v.Score, notes, c.score, c.note)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	x, city := tabletest.Of(
		t,
		tabletest.Numbers(0, []float64{1, 2, 3})...), table.CatColumn("city", []string{"n", "s"}, []int32{0, 1, 0})
	c := tabletest.Of(t, city)
	for name, e := range map[string]struct {
		r     *measure.Release
		set   map[string]string
		text  string
		apart bool // it does not apply
	}{
		"no numbers": {paired(c, c), nil, "no numeric column", true},
		"all missing": {paired(x.WithNum(0, []float64{math.NaN(), math.NaN(), math.NaN()}), x), nil, "no numeric column",
			true},
		"no records":      {paired(x.Slice(0, 0), x.Slice(0, 0)), nil, "no records", false},
		"nothing out":     {&measure.Release{Original: x, Released: x.Slice(0, 0)}, nil, "no records", false},
		"no categories":   {paired(x, x), map[string]string{"miner": "rock"}, "no categorical column", true},
		"unknown column":  {paired(x, x), map[string]string{"columns": "z"}, `"z"`, false},
		"fewer than said": {paired(x, x.Slice(0, 1)), nil, "1 records", false},
	} {
		_, err := with(t, e.set).Measure(context.Background(), e.r, rng.Source{})
		if err == nil || !strings.Contains(err.Error(), e.text) || errors.Is(err, measure.ErrNotApplicable) != e.apart {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestSharedOriginal: releases that share an original have the figure that each has alone, whatever their seeds.
func TestSharedOriginal(t *testing.T) {
	r := measuretest.Release(false)
	want, _ := misTake(t, r, nil)
	base := paired(r.Original, r.Original).Working()
	for seed := range byte(3) {
		shared := paired(r.Original, r.Released)
		shared.Work = base.Work.Another()
		v, err := with(t, nil).Measure(context.Background(), shared, rng.New([32]byte{seed}))
		if err != nil || v.Score != want.Score {
			t.Errorf("seed %d: %v, error %v, expected %v", seed, v.Score, err, want.Score)
		}
	}
}

// TestMinersRefit: the clusters that a miner finds in the release are compared with those it finds in the original.
func TestMinersRefit(t *testing.T) {
	r := measuretest.Release(false)
	for _, m := range miners {
		before := must.Get(fit(context.Background(), r.Original, m, 3))(t)
		after := must.Get(fit(context.Background(), r.Released, m, 3))(t)
		want := must.Get(Compare(before.Labels(), after.Labels(), max(before.Clusters(), after.Clusters(), 1)))(t)
		v, d := misTake(t, r, map[string]string{"miner": m.Name})
		if v.Score != want.Points || len(d.Sweep) > 0 {
			t.Errorf("%s: %v, expected %v", m.Name, v.Score, want.Points)
		}
		r := &measure.Release{Original: r.Original, Released: r.Released.Slice(0, 200)}
		if _, d = misTake(t, r, map[string]string{"miner": m.Name}); d.Records != 240 {
			t.Errorf("%s: %d records compared", m.Name, d.Records)
		}
	}
}

func ExampleCompare() {
	c, _ := Compare([]int32{0, 0, 0, 1, 1}, []int32{1, 1, 1, 0, 0}, 2) // the same clusters with their numbers exchanged
	fmt.Println(c.Points, c.Sizes, c.Matched, c.Rand)
	// Output: 0 0.4 0 1
}

// TestCells: the sweep is of up to so many cells, and the score does not depend on it.
func TestCells(t *testing.T) {
	x := misBlobs(t, 300, 3)
	r := paired(x, mapped(x, func(a, b float64) (float64, float64) { return b, a + 3 }))
	all, d := misTake(t, r, map[string]string{"cells": "600"})
	few, none := misTake(t, r, map[string]string{"cells": "599"})
	if len(d.Sweep) != most-fewest+1 || len(all.Notes) != 0 {
		t.Errorf("of 600 cells: %d steps, notes %v", len(d.Sweep), all.Notes)
	}
	if none.Sweep != nil || len(few.Notes) != 1 || few.Score != all.Score {
		t.Errorf("of fewer cells: %d steps, notes %v, score %v, with the sweep %v", len(none.Sweep), few.Notes, few.Score,
			all.Score)
	}
}
