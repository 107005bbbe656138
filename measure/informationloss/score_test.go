package informationloss

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/anonymity/infoloss"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/measure/internal/proximity"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// numbers returns a table of so many correlated numbers far from 0, all different.
func numbers(t testing.TB, rows, cols int) *table.Table {
	r := rand.New(rand.NewPCG(3, 5))
	values := make([][]float64, cols)
	for range rows {
		shared := r.NormFloat64()
		for j := range values {
			values[j] = append(values[j], 100+10*(shared+r.NormFloat64()))
		}
	}
	var out []table.Column
	for j, v := range values {
		out = append(out, table.NumColumn(string(rune('a'+j)), 0, v))
	}
	return tabletest.Of(t, out...)
}

// moved returns the table with normal noise of a standard deviation.
func moved(tab *table.Table, sd float64) *table.Table {
	r := rand.New(rand.NewPCG(8, 5))
	for j := range tab.Width() {
		v := slices.Clone(tab.Num(j))
		for i := range v {
			v[i] += sd * r.NormFloat64()
		}
		tab = tab.WithNum(j, v)
	}
	return tab
}

func scoreTake(t testing.TB, r *measure.Release, set map[string]string) (measure.Value, *ScoreDetail) {
	t.Helper()
	m := Score.New()
	must.NoError(t, m.Params().Apply(set))
	v := must.Get(m.Measure(context.Background(), r, rng.New([32]byte{1})))(t)
	return v, v.Detail.(*ScoreDetail)
}

// Released as they are, numbers lose nothing and everything is linked and disclosed: 12.5 + 12.5 + 25. Noise over the
// whole domain loses most and links nobody: by chance 1 of 500 is linked on average, and of the ranks those of the
// intervals, 5.5 % on average, hold the original value.
func TestBothEnds(t *testing.T) {
	tab := numbers(t, 500, 5)
	v, d := scoreTake(t, &measure.Release{Original: tab, Released: tab, Paired: true}, map[string]string{"tolerance": "0"})
	if v.Score != 50 || v.Lo != 50 || v.Hi != 50 || d.IL != 0 || d.ID != 100 || slices.Min(d.Records()) != 1 {
		t.Errorf("of the original %v, parts %v", v.Score, v.Parts)
	}
	plan := must.Get(rnat.New().Fit(context.Background(), tab, rng.Source{}))(t)
	noisy := must.Get(executor.Run(context.Background(), plan, tab, rng.New([32]byte{9}), protect.Options{}))(t)
	v, d = scoreTake(t, &measure.Release{Original: tab, Released: noisy, Paired: true}, nil)
	if d.DLD.Value > 1 || d.PLD.Value > 1.5 || d.ID > 8 || d.IL < 25 {
		t.Errorf("of noise %v", v.Parts)
	}
}

// A little noise is better than either end.
func TestTradeOff(t *testing.T) {
	tab := numbers(t, 500, 5)
	score := func(sd float64) float64 {
		v, _ := scoreTake(t, &measure.Release{Original: tab, Released: moved(tab, sd), Paired: true}, nil)
		return v.Score
	}
	none, some, much := score(1e-9), score(10), score(1000)
	if !(some < none-15 && some < much-15) {
		t.Errorf("scores %v, %v and %v", none, some, much)
	}
}

// The score is what its parts add up to, each taken alone.
func TestParts(t *testing.T) {
	ctx := context.Background()
	tab := numbers(t, 300, 4)
	r := &measure.Release{Original: tab, Released: moved(tab, 4), Paired: true}
	v, d := scoreTake(t, r, map[string]string{"attributes": "3", "stable": "true"})
	known := nearest.Everything(tab)
	order := tab.Order(rng.New([32]byte{1}))
	dld, pld := 0.0, 0.0
	for k := 1; k <= 3; k++ {
		near := must.Get(nearest.Distance{Pairs: math.MaxInt}.Link(ctx, tab, r.Released, known[:k], order))(t)
		for _, p := range near.First {
			dld += p / 9
		}
		alike, err := nearest.Probabilistic{Tolerance: 0.1, Pairs: math.MaxInt}.Match(ctx, tab, r.Released, known[:k], order)
		must.NoError(t, err)
		for i, to := range alike.Link {
			if to == i {
				pld += 1. / 9
			}
		}
	}
	il := must.Get(infoloss.Of(ctx, tab, r.Released, []int{0, 1, 2, 3}, true))(t)
	id := 0.0
	for j := range 4 {
		ranks := proximity.RankColumn(tab.Num(j), r.Released.Num(j))
		for w := 1; w <= 10; w++ {
			id += ranks.Share(w) * 100 / 40
		}
	}
	want := 0.5*il.Total(true) + 0.125*dld + 0.125*pld + 0.25*id
	if math.Abs(v.Score-want) > 1e-9 || math.Abs(d.DLD.Value-dld) > 1e-9 || math.Abs(d.PLD.Value-pld) > 1e-9 ||
		math.Abs(d.ID-id) > 1e-9 {
		t.Errorf("%v of %v, expected %v of %v, %v, %v and %v", v.Score, v.Parts, want, il.Total(true), dld, pld, id)
	}
	if len(d.ByDistance) != 3 || len(d.ByLaw) != 3 || !slices.Equal(d.Attributes, []string{"a", "b", "c"}) ||
		v.Lo != v.Score ||
		v.Hi != v.Score {
		t.Errorf("%v in %v to %v, by distance %v", v.Score, v.Lo, v.Hi, d.ByDistance)
	}
}

// Columns that the release leaves alone are neither lost nor disclosed.
func TestChangedColumns(t *testing.T) {
	tab := numbers(t, 200, 3)
	released := tab.WithNum(1, moved(tab, 10).Num(1))
	if _, d := scoreTake(t, &measure.Release{Original: tab, Released: released, Paired: true}, nil); !slices.Equal(
		d.Columns, []string{"b"}) {
		t.Errorf("columns %v", d.Columns)
	}
}

// Suppressed altogether, numbers are lost and not disclosed, and links are guesses.
func TestSuppressed(t *testing.T) {
	tab := numbers(t, 100, 2)
	gone := tab
	for j := range 2 {
		gone = gone.WithNum(j, slices.Repeat([]float64{math.NaN()}, 100))
	}
	v, d := scoreTake(t, &measure.Release{Original: tab, Released: gone, Paired: true}, nil)
	if d.IL != 100 || d.ID != 0 || math.Abs(d.DLD.Value-1) > 1e-9 || d.PLD.Value != 0 || math.Abs(v.Score-50.125) > 1e-9 {
		t.Errorf("%v of %v", v.Score, v.Parts)
	}
}

// Some missing values do no harm: a release of the original is still linked and disclosed.
func TestMissing(t *testing.T) {
	tab := numbers(t, 300, 3)
	for j := range 3 {
		v := slices.Clone(tab.Num(j))
		for i := j; i < 300; i += 10 {
			v[i] = math.NaN()
		}
		tab = tab.WithNum(j, v)
	}
	_, d := scoreTake(t, &measure.Release{Original: tab, Released: tab, Paired: true}, map[string]string{"tolerance": "0"})
	// A tenth lacks the first number and is linked by guessing until the second is known.
	if d.IL != 0 || d.ID != 100 || d.DLD.Value < 95 || d.PLD.Value < 90 || d.ByDistance[2] != 100 {
		t.Errorf("%+v, by distance %v", d.DLD, d.ByDistance)
	}
}

// The sentence and the riskiest records speak of the links.
func TestSentence(t *testing.T) {
	tab := numbers(t, 50, 2)
	_, d := scoreTake(t, &measure.Release{Original: tab, Released: moved(tab, 3), Paired: true}, nil)
	for _, says := range []string{"of 100, lower is better", "of the information is lost", "one to 2 attributes"} {
		if !strings.Contains(d.Sentence().String(), says) {
			t.Errorf("%q does not say %q", d.Sentence().String(), says)
		}
	}
	sum := 0.0
	for _, p := range d.Records() {
		sum += 100 * p / 50
	}
	if math.Abs(sum-d.DLD.Value) > 1e-9 {
		t.Errorf("the risks have a mean of %v, DLD is %v", sum, d.DLD.Value)
	}
}

// Samples have an interval that holds the exact score: it is wider than the 95 % of each share.
func TestSampled(t *testing.T) {
	tab := numbers(t, 2000, 3)
	r := &measure.Release{Original: tab, Released: moved(tab, 1), Paired: true}
	all, _ := scoreTake(t, r, nil)
	v, _ := scoreTake(t, r, map[string]string{"pairs": "3000000"})
	if !(v.Lo < v.Score && v.Score < v.Hi && v.Lo < all.Score && all.Score < v.Hi) ||
		!strings.Contains(strings.Join(message.Written(v.Notes), "\n"), "samples") {
		t.Errorf("%v in %v to %v, of all %v, notes %q", v.Score, v.Lo, v.Hi, all.Score, v.Notes)
	}
}

func TestRefused(t *testing.T) {
	tab := numbers(t, 20, 2)
	words := tabletest.Of(t, table.CatColumn("c", []string{"x", "y"}, make([]int32, 20)))
	for says, r := range map[string]*measure.Release{
		"paired":     {Original: tab, Released: tab},
		"no records": {Original: tab.Slice(0, 0), Released: tab.Slice(0, 0), Paired: true},
		"no numeric": {Original: words, Released: words, Paired: true},
		"knows no":   (&measure.Release{Original: tab, Released: tab, Paired: true}).Against(&intruder.Intruder{Name: "x"}),
	} {
		if _, err := Score.New().Measure(context.Background(), r, rng.Source{}); err == nil ||
			!strings.Contains(err.Error(), says) ||
			errors.Is(err, measure.ErrNotApplicable) != (says != "no records") {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// An attribute that the original lacks altogether has nothing to lose or to disclose.
func TestNothingToLose(t *testing.T) {
	tab := numbers(t, 50, 1).WithNum(0, slices.Repeat([]float64{math.NaN()}, 50))
	v, d := scoreTake(t, &measure.Release{Original: tab, Released: tab, Paired: true}, nil)
	if d.IL != 0 || d.ID != 0 || math.Abs(d.DLD.Value-2) > 1e-9 || math.Abs(v.Score-0.25) > 1e-9 {
		t.Errorf("%v of %v", v.Score, v.Parts)
	}
}
