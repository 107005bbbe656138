package syntheticrisk

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/measure/internal/nearesttest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// closenessEach runs a test of every measure.
func closenessEach(t *testing.T, run func(t *testing.T, m measure.Measure)) {
	for _, m := range closenessMeasures {
		t.Run(m.Name, func(t *testing.T) { run(t, m) })
	}
}

// named returns a measure by its name.
func named(name string) measure.Measure {
	return closenessMeasures[slices.IndexFunc(closenessMeasures, func(m measure.Measure) bool { return m.Name == name })]
}

// closenessTake measures a release with parameters.
func closenessTake(
	t testing.TB, m measure.Measure, r *measure.Release, set map[string]string,
) (measure.Value, *nearest.Comparison) {
	t.Helper()
	meter := m.New()
	must.NoError(t, meter.Params().Apply(set))
	v := must.Get(meter.Measure(context.Background(), r, rng.Source{}))(t)
	if d, ok := v.Detail.(*DcrDetail); ok {
		return v, d.Comparison
	}
	return v, v.Detail.(*NndrDetail).Comparison
}

// Released as they are, all records are copies; uniform noise is not nearer to originals than the hold-out is and
// points at no more of them, nor do other people.
func TestClosenessBothEnds(t *testing.T) {
	const n = 1000
	all := nearesttest.People(t, 3*n)
	tab, held, others := all.Slice(0, n), all.Slice(n, 2*n), all.Slice(2*n, 3*n)
	noisy := tab
	for _, q := range []protect.Technique{rnat.New(), randomisedresponse.NewCategorical()} {
		plan, err := q.Fit(context.Background(), tab, rng.Source{})
		must.NoError(t, err)
		noisy = must.Get(executor.Run(context.Background(), plan, noisy, rng.New([32]byte{9}), protect.Options{}))(t)
	}
	// Of other people as many are as near, and point at one original, as of the control. Both shares are about 0.05 with
	// a standard deviation of 0.007: the difference exceeds 0.05 once in 2 million draws. Distances of noise are larger.
	const chance = 0.053
	ofNoise := map[string]float64{"dcr": 0, "nndr": chance}
	closenessEach(t, func(t *testing.T, m measure.Measure) {
		for _, holdout := range []*table.Table{nil, held} {
			v, d := closenessTake(t, m, &measure.Release{Original: tab, Released: tab, Holdout: holdout}, nil)
			if v.Score != 1 || d.Below != 1 || d.Released.Median != 0 || slices.Min(d.Risk()) < 0.99 {
				t.Errorf("of copies: %v, %+v", v.Score, d)
			}
			v, _ = closenessTake(t, m, &measure.Release{Original: tab, Released: noisy, Holdout: holdout}, nil)
			if v.Score > ofNoise[m.Name] || v.Lo != 0 {
				t.Errorf("of noise: %v from %v", v.Score, v.Lo)
			}
			v, d = closenessTake(t, m, &measure.Release{Original: tab, Released: others, Holdout: holdout}, nil)
			if v.Score > chance || v.Lo != 0 {
				t.Errorf("of other people: %v from %v, %+v", v.Score, v.Lo, d)
			}
			own, ok := v.Detail.(*DcrDetail)
			if !ok || holdout == nil {
				continue
			}
			if math.Abs(*own.Nearer-0.5) > 5*math.Sqrt(0.25/n) || *own.NearerExpected != 0.5 {
				t.Errorf("a share of %v of other people is nearer to the original", *own.Nearer)
			}
		}
	})
}

// closenessColumn returns a table of a number.
func closenessColumn(t *testing.T, v ...float64) *table.Table {
	return tabletest.Of(t, table.NumColumn("x", 1, v))
}

// says checks the sentence of a comparison by hand, of which two of three are near.
func says(t *testing.T, d interface{ Sentence() message.Sentence }) {
	t.Helper()
	s := d.Sentence().String()
	if !strings.Contains(s, "66.7 % of the released records") || !strings.Contains(s, "of the hold-out, 66.7 %") {
		t.Error(s)
	}
}

// Without a hold-out the value says what stands for it.
func TestAlone(t *testing.T) {
	tab := nearesttest.People(t, 50)
	closenessEach(t, func(t *testing.T, m measure.Measure) {
		v, d := closenessTake(t, m, &measure.Release{Original: tab, Released: tab}, nil)
		if !d.Alone || len(v.Notes) != 1 || !strings.Contains(v.Notes[0].String(), "without a hold-out") {
			t.Errorf("%+v, %q", d, v.Notes)
		}
		if own, ok := v.Detail.(*DcrDetail); ok && own.Nearer != nil {
			t.Errorf("%v are nearer to the original than to no hold-out", *own.Nearer)
		}
	})
}

// Of equal originals copies are no nearer than the originals are to each other.
func TestDuplicates(t *testing.T) {
	tab := nearesttest.People(t, 100)
	rows := make([]int, 200)
	for i := range rows {
		rows[i] = i / 2
	}
	tab = tab.Gather(rows)
	closenessEach(t, func(t *testing.T, m measure.Measure) {
		v, _ := closenessTake(t, m, &measure.Release{Original: tab, Released: tab}, nil)
		if v.Score != 0 {
			t.Errorf("%v", v.Score)
		}
		if d, ok := v.Detail.(*DcrDetail); ok && !strings.Contains(d.Sentence().String(), "records equal a person's") {
			t.Errorf("of copies it says %q", d.Sentence())
		}
	})
}

// Distances, shares and risks by hand.
func TestDistancesByHand(t *testing.T) {
	r := &measure.Release{
		Original: closenessColumn(t, 0, 10, 20),
		Released: closenessColumn(t, 1, 10, 15),
		Holdout:  closenessColumn(t, 3, 14, 28),
	}
	v, _ := closenessTake(t, named("dcr"), r, map[string]string{"percent": "50"})
	d := v.Detail.(*DcrDetail)
	unit := math.Sqrt2 * 10 // the standard deviation is 10
	if !closenessNear(d.Threshold, 4/unit) || !closenessNear(d.Below, 2./3) || !closenessNear(d.Expected, 2./3) ||
		!closenessNear(d.Released.Median, 1/unit) || v.Score != 0 {
		t.Errorf("score %v, %+v", v.Score, d)
	}
	lo, hi := confidence.Wilson(2, 3)
	if !closenessNear(v.Hi, (hi-lo)/(1-lo)) || v.Lo != 0 {
		t.Errorf("interval %v to %v", v.Lo, v.Hi)
	}
	// The hold-out is 3, 4 and 8 away; 15 is as near to 10 as to 20.
	if want := []float64{1, 1, 0}; !slices.Equal(d.Records(), want) {
		t.Errorf("risks %v, expected %v", d.Records(), want)
	}
	if !closenessNear(*d.Nearer, 2./3) || *d.NearerExpected != 0.5 { // 15 is nearer to 14
		t.Errorf("%v are nearer to the original, expected of others %v", *d.Nearer, *d.NearerExpected)
	}
	says(t, d)
}

// Ratios, shares and risks by hand: released 1/9, 0/10 and 5/5; hold-out 2/8, 4/6 and 8/18.
func TestRatiosByHand(t *testing.T) {
	r := &measure.Release{
		Original: closenessColumn(t, 0, 10, 20),
		Released: closenessColumn(t, 1, 10, 15),
		Holdout:  closenessColumn(t, 2, 14, 28),
	}
	v, _ := closenessTake(t, named("nndr"), r, map[string]string{"percent": "50"})
	d := v.Detail.(*NndrDetail)
	if !closenessNear(d.Threshold, 4./9) || !closenessNear(d.Below, 2./3) || !closenessNear(d.Expected, 2./3) ||
		!closenessNear(d.Released.Median, 1./9) || !closenessNear(d.Control.Median, 4./9) {
		t.Errorf("%+v", d)
	}
	if want := []float64{1, 1, 0}; !slices.Equal(d.Records(), want) {
		t.Errorf("risks %v, expected %v", d.Records(), want)
	}
	says(t, d)
}

func closenessNear(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// Two originals have no second nearest one each, nor has one alone.
func TestFew(t *testing.T) {
	tab := nearesttest.People(t, 3)
	for _, r := range []*measure.Release{
		{Original: tab.Slice(0, 2), Released: tab},
		{Original: tab.Slice(0, 1), Released: tab, Holdout: tab},
	} {
		_, err := named("nndr").New().Measure(context.Background(), r, rng.Source{})
		if err == nil || !strings.Contains(err.Error(), "few") {
			t.Error(err)
		}
	}
}

// For 30,162 records of 15 attributes, numbers moved by a little, either takes 4 times the yardstick (half of the
// processor time on two cores), for a million, of which 100,000 and as many of the control are judged, 20 times.
func BenchmarkClosenessMeasure(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"30k", 30_162}, {"1M", 1_000_000}} {
		t := protecttest.AdultLike(b, size.rows)
		released := nearesttest.Moved(t)
		for _, m := range closenessMeasures {
			b.Run(m.Name+"/"+size.name, func(b *testing.B) {
				for b.Loop() { // a release of its own, for it remembers
					release := &measure.Release{Original: t, Released: released}
					must.Get(m.New().Measure(context.Background(), release, rng.Source{}))(b)
				}
				yardstick.Report(b)
			})
		}
	}
}
