package dcr

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/confidence"
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

// Released as they are, all records are copies; uniform noise is not nearer to originals than the hold-out is, nor are other people.
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
		if v, _ = take(t, &measure.Release{Original: tab, Released: noisy, Holdout: holdout}, nil); v.Score != 0 {
			t.Errorf("of noise: %v", v.Score)
		}
		// Of other people as many are near as of the control. Both shares are about 0.05 with a standard deviation of 0.007: the difference
		// exceeds 0.05 once in 2 million draws.
		if v, d = take(t, &measure.Release{Original: tab, Released: others, Holdout: holdout}, nil); v.Score > 0.053 || v.Lo != 0 {
			t.Errorf("of other people: %v from %v, %+v", v.Score, v.Lo, d)
		}
		if holdout != nil && math.Abs(*d.Nearer-0.5) > 5*math.Sqrt(0.25/n) || holdout != nil && *d.NearerExpected != 0.5 {
			t.Errorf("a share of %v of other people is nearer to the original", *d.Nearer)
		}
	}
}

// Distances, shares and risks by hand.
func TestByHand(t *testing.T) {
	col := func(v ...float64) *table.Table {
		return tabletest.Of(t, table.NumColumn("x", 1, v))
	}
	r := &measure.Release{Original: col(0, 10, 20), Released: col(1, 10, 15), Holdout: col(3, 14, 28)}
	v, d := take(t, r, map[string]string{"percent": "50"})
	unit := math.Sqrt2 * 10 // the standard deviation is 10
	if near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }; !near(d.Threshold, 4/unit) || !near(d.Below, 2./3) ||
		!near(d.Expected, 2./3) || !near(d.Released.Median, 1/unit) || v.Score != 0 {
		t.Errorf("score %v, %+v", v.Score, d)
	}
	_, hi := confidence.Wilson(2, 3)
	lo, _ := confidence.Wilson(2, 3)
	if math.Abs(v.Hi-(hi-lo)/(1-lo)) > 1e-12 || v.Lo != 0 {
		t.Errorf("interval %v to %v", v.Lo, v.Hi)
	}
	if want := []float64{1, 1, 0}; !slices.Equal(d.Records(), want) { // the hold-out is 3, 4 and 8 away; 15 is as near to 10 as to 20
		t.Errorf("risks %v, expected %v", d.Records(), want)
	}
	if math.Abs(*d.Nearer-2./3) > 1e-12 || *d.NearerExpected != 0.5 { // 15 is nearer to 14
		t.Errorf("%v are nearer to the original, expected of others %v", *d.Nearer, *d.NearerExpected)
	}
	if s := d.Sentence().String(); !strings.Contains(s, "66.7 % of the released records") || !strings.Contains(s, "of the hold-out, 66.7 %") {
		t.Error(s)
	}
}

// Without a hold-out the value says what stands for it.
func TestAlone(t *testing.T) {
	tab := nearesttest.People(t, 50)
	v, d := take(t, &measure.Release{Original: tab, Released: tab}, nil)
	if !d.Alone || d.Nearer != nil || len(v.Notes) != 1 || !strings.Contains(v.Notes[0].String(), "without a hold-out") {
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
