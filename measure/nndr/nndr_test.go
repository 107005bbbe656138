package nndr

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearesttest"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/randomcategorical"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestConformance(t *testing.T) { measuretest.Run(t, Measure) }

func take(t testing.TB, r *measure.Release, set map[string]string) (measure.Value, *Detail) {
	t.Helper()
	m := Measure.New()
	if err := m.Params().Apply(set); err != nil {
		t.Fatal(err)
	}
	v, err := m.Measure(context.Background(), r, rng.Source{})
	if err != nil {
		t.Fatal(err)
	}
	return v, v.Detail.(*Detail)
}

// Released as they are, all records are copies; uniform noise points at no more originals than the hold-out does, nor do other people.
func TestBothEnds(t *testing.T) {
	const n = 1000
	all := nearesttest.People(t, 3*n)
	tab, held, others := all.Slice(0, n), all.Slice(n, 2*n), all.Slice(2*n, 3*n)
	noisy := tab
	for _, q := range []protect.Technique{rnat.New(), randomcategorical.New()} {
		plan, err := q.Fit(context.Background(), tab, rng.Source{})
		if err != nil {
			t.Fatal(err)
		}
		if noisy, err = executor.Run(context.Background(), plan, noisy, rng.New([32]byte{9}), protect.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, holdout := range []*table.Table{nil, held} {
		v, d := take(t, &measure.Release{Original: tab, Released: tab, Holdout: holdout}, nil)
		if v.Score != 1 || d.Below != 1 || d.Released.Median != 0 || slices.Min(d.Records()) < 0.99 {
			t.Errorf("of copies: %v, %+v", v.Score, d)
		}
		if v, _ = take(t, &measure.Release{Original: tab, Released: noisy, Holdout: holdout}, nil); v.Score > 0.053 || v.Lo != 0 {
			t.Errorf("of noise: %v from %v", v.Score, v.Lo)
		}
		// Of other people as many point at one original as of the control. Both shares are about 0.05 with a standard deviation of 0.007:
		// the difference exceeds 0.05 once in 2 million draws.
		if v, d = take(t, &measure.Release{Original: tab, Released: others, Holdout: holdout}, nil); v.Score > 0.053 || v.Lo != 0 {
			t.Errorf("of other people: %v from %v, %+v", v.Score, v.Lo, d)
		}
	}
}

// Ratios, shares and risks by hand.
func TestByHand(t *testing.T) {
	col := func(v ...float64) *table.Table {
		return tabletest.Of(t, table.NumColumn("x", 1, v))
	}
	r := &measure.Release{Original: col(0, 10, 20), Released: col(1, 10, 15), Holdout: col(2, 14, 28)}
	_, d := take(t, r, map[string]string{"percent": "50"})
	// Released 1/9, 0/10 and 5/5; hold-out 2/8, 4/6 and 8/18.
	if near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }; !near(d.Threshold, 4./9) || !near(d.Below, 2./3) ||
		!near(d.Expected, 2./3) || !near(d.Released.Median, 1./9) || !near(d.Control.Median, 4./9) {
		t.Errorf("%+v", d)
	}
	if want := []float64{1, 1, 0}; !slices.Equal(d.Records(), want) {
		t.Errorf("risks %v, expected %v", d.Records(), want)
	}
	if s := d.Sentence().String(); !strings.Contains(s, "66.7 % of the released records") || !strings.Contains(s, "of the hold-out, 66.7 %") {
		t.Error(s)
	}
}

// Two originals have no second nearest one each, nor has one alone.
func TestFew(t *testing.T) {
	tab := nearesttest.People(t, 3)
	for _, r := range []*measure.Release{{Original: tab.Slice(0, 2), Released: tab}, {Original: tab.Slice(0, 1), Released: tab, Holdout: tab}} {
		if _, err := Measure.New().Measure(context.Background(), r, rng.Source{}); err == nil || !strings.Contains(err.Error(), "few") {
			t.Error(err)
		}
	}
}

// Without a hold-out the value says what stands for it.
func TestAlone(t *testing.T) {
	tab := nearesttest.People(t, 50)
	v, d := take(t, &measure.Release{Original: tab, Released: tab}, nil)
	if !d.Alone || len(v.Notes) != 1 || !strings.Contains(v.Notes[0].String(), "without a hold-out") {
		t.Errorf("%+v, %q", d, v.Notes)
	}
}

// Of equal originals copies are no nearer than the originals are to each other.
func TestDuplicates(t *testing.T) {
	tab := nearesttest.People(t, 100)
	rows := make([]int, 200)
	for i := range rows {
		rows[i] = i / 2
	}
	tab = tab.Gather(rows)
	if v, _ := take(t, &measure.Release{Original: tab, Released: tab}, nil); v.Score != 0 {
		t.Errorf("%v", v.Score)
	}
}
