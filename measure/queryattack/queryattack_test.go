package queryattack

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestConformance(t *testing.T) { measuretest.Run(t, Measure, measuretest.AnyIdentical()) }

var nan = math.NaN()

func meter() *Meter { return param.Default(&Meter{}) }

// knows returns a release as an intruder sees it who knows all columns but the last.
func knows(original, released *table.Table) *measure.Release {
	r := &measure.Release{Original: original, Released: released, Paired: original.Rows() == released.Rows()}
	last := original.Attr(original.Width() - 1).Name
	return r.Against(&intruder.Intruder{Name: "x", Knows: []string{intruder.All}, Secret: []string{last}})
}

func take(t tabletest.T, m *Meter, r *measure.Release) (measure.Value, Detail) {
	v := must.Get(m.Measure(context.Background(), r, rng.New([32]byte{3})))(t)
	return v, v.Detail.(Detail)
}

// TestBothEnds releases a table as it is, which gives what the intruder finds before the release, and with uniform
// noise over the whole domain of every column, which gives the 1/n of a guess: of records drawn anew each is among the
// matches equally often, so a query finds 1/n on average where it has matches. The score is a mean over 2,000 queries,
// and five standard errors of it, as the queries show them, are allowed.
func TestBothEnds(t *testing.T) {
	original := people(t, 2000)
	r := &measure.Release{Original: original, Released: original, Paired: true}
	m := meter()
	m.Queries = 2000
	v, d := take(t, m, r)
	if math.Abs(v.Score-d.Before.Mean) > 1e-12 || d.Unmatched != 0 || d.Before != d.After || v.Score < 0.2 {
		t.Errorf("released as it is: score %v, before %+v, after %+v, unmatched %v", v.Score, d.Before, d.After, d.Unmatched)
	}
	released := original
	for _, q := range []protect.Technique{rnat.New(), randomcategoricalOne(t)} {
		plan, err := q.Fit(context.Background(), original, rng.Source{})
		must.NoError(t, err)
		if released, err = executor.Run(context.Background(), plan, released, rng.New([32]byte{9}),
			protect.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	r.Released = released
	v, d = take(t, m, r)
	if se := (v.Hi - v.Score) / 1.96; v.Score > 1./2000+5*se || v.Score > d.Before.Mean/50 {
		t.Errorf("with uniform noise: score %v with standard error %v, %v before", v.Score, se, d.Before.Mean)
	}
}

// randomcategoricalOne returns the technique that changes every category.
func randomcategoricalOne(t *testing.T) protect.Technique {
	q := randomisedresponse.NewCategorical()
	must.NoError(t, q.Params().Apply(map[string]string{"p": "0.75"}))
	return q
}

// TestNeverMoreThanBefore: whatever a release does to the values, no query has a greater probability of a right find
// than in the original.
func TestNeverMoreThanBefore(t *testing.T) {
	r := measuretest.Release(true)
	for _, missing := range []string{Strict, Wildcard} {
		m := meter()
		m.Missing = missing
		view := must.Get(r.View())(t)
		a := m.attack(r, view)
		l, _ := m.draw(context.Background(), a, rng.New([32]byte{}))
		f := must.Get(a.ask(context.Background(), l))(t)
		for k, p := range f.right {
			if p > f.s1[k].before*(1+1e-12) {
				t.Fatalf("%s: query %d finds %v, before %v", missing, k, p, f.s1[k].before)
			}
		}
	}
}

// TestStopRule has few possible queries: a table of two columns with two values each has 2 + 2 + 4.
func TestStopRule(t *testing.T) {
	labels := []string{"u", "v"}
	tab := tabletest.Of(t, table.CatColumn("a", labels, []int32{0, 0, 1, 1}),
		table.CatColumn("b", labels, []int32{0, 1, 0, 1}), table.CatColumn("s", labels, []int32{0, 0, 1, 1}))
	v, d := take(t, meter(), knows(tab, tab))
	if d.Queries != 8 || !d.Complete {
		t.Errorf("%d queries, complete %v, expected all 8", d.Queries, d.Complete)
	}
	// Four queries have two matches and four have one.
	if v.Score != 0.75 || d.Before.Q1 != 0.5 || d.Before.Q3 != 1 {
		t.Errorf("score %v, quartiles %+v", v.Score, d.Before)
	}
	// The queries a = u and a = u with b tell s for certain, b alone by half.
	if s := d.Secrets[0]; s.Column != "s" || s.OwnBefore != 0.875 || s.Values[0].Before.Mean != 0.5 {
		t.Errorf("secret %+v", s)
	}
	// The rule counts tries in a row: a wide table has new queries at nearly every one.
	m := meter()
	m.Tries = 3
	if _, d := take(t, m, knows(people(t, 300), people(t, 300))); d.Queries < 100 {
		t.Errorf("a wide table has %d queries", d.Queries)
	}
	m = meter()
	m.Queries = 5
	if _, d := take(t, m, knows(tab, tab)); d.Queries != 5 || d.Complete {
		t.Errorf("%d queries, complete %v, expected 5 of 8", d.Queries, d.Complete)
	}
}

// TestSuppression suppresses a value of the known column of half the records, and the wanted value of one: strict, a
// query finds fewer records, and 1 over their number rises while the right finds fall; as wildcards they stay among the
// matches.
func TestSuppression(t *testing.T) {
	labels := []string{"u", "v"}
	tab := tabletest.Of(t, table.CatColumn("a", labels, []int32{0, 0, 0, 0}),
		table.CatColumn("s", labels, []int32{0, 0, 1, 1}))
	released := tab.WithCat(0, []int32{0, -1, 0, -1}).WithCat(1, []int32{-1, 0, 1, 1})
	v, d := take(t, meter(), knows(tab, released))
	if d.Queries != 1 || d.Before.Mean != 0.25 || d.After.Mean != 0.5 || v.Score != 0.25 {
		t.Errorf("strict: score %v, before %+v, after %+v", v.Score, d.Before, d.After)
	}
	if s := d.Secrets[0]; s.Values[0].After.Mean != 0 || s.Values[1].After.Mean != 0.5 {
		t.Errorf("strict: secret %+v", s)
	}
	m := meter()
	m.Missing = Wildcard
	v, d = take(t, m, knows(tab, released))
	if d.After.Mean != 0.25 || v.Score != 0.25 || d.Secrets[0].Values[0].After.Mean != 0.25 {
		t.Errorf("wildcard: score %v, after %+v, secret %+v", v.Score, d.After, d.Secrets[0])
	}
	all := tab.WithCat(0, []int32{-1, -1, -1, -1})
	if v, d = take(t, meter(), knows(tab, all)); v.Score != 0 || d.Unmatched != 1 || d.Secrets[0].OwnAfter != 0 {
		t.Errorf("all suppressed: score %v, unmatched %v", v.Score, d.Unmatched)
	}
	if v, d = take(t, m, knows(tab, all)); v.Score != 0.25 || d.Unmatched != 0 {
		t.Errorf("all suppressed, wildcard: score %v, unmatched %v", v.Score, d.Unmatched)
	}
}

// TestUnpaired takes S1 after the release for the score.
func TestUnpaired(t *testing.T) {
	labels := []string{"u", "v"}
	tab := tabletest.Of(t, table.CatColumn("a", labels, []int32{0, 0, 0}), table.CatColumn("s", labels, []int32{0, 0, 1}))
	v, d := take(t, meter(), knows(tab, tab.Slice(0, 2)))
	if v.Score != 0.5 || d.Right != nil || !strings.Contains(v.Notes[0].String(), "not paired") {
		t.Errorf("score %v, right %v, notes %q", v.Score, d.Right, v.Notes)
	}
	if v, d = take(t, meter(), knows(tab, tab.Slice(0, 0))); v.Score != 0 || d.Unmatched != 1 {
		t.Errorf("nothing released: score %v, unmatched %v", v.Score, d.Unmatched)
	}
}

// TestSecrets reports the most frequent of many values, and bins of numbers.
func TestSecrets(t *testing.T) {
	n := 200
	labels, many := make([]string, 70), make([]int32, n)
	numbers, known := make([]float64, n), make([]int32, n)
	for i := range many {
		many[i] = int32(i * i % 70)
		numbers[i] = float64(i % 40)
		known[i] = int32(i % 2)
	}
	for k := range labels {
		labels[k] = string(rune('A' + k))
	}
	tab := tabletest.Of(t, table.CatColumn("k", []string{"u", "v"}, known), table.CatColumn("m", labels, many),
		table.NumColumn("x", 1, numbers))
	r := (&measure.Release{Original: tab, Released: tab, Paired: true}).Against(
		&intruder.Intruder{Name: "x", Knows: []string{"k"}, Secret: []string{"m", "x"}})
	_, d := take(t, meter(), r)
	if n := len(d.Secrets[0].Values); n != mostShown {
		t.Errorf("%d values are reported, expected %d", n, mostShown)
	}
	if n := len(d.Secrets[1].Values); n != 10 || d.Secrets[1].Values[9].Name != "bin 10 of 10" {
		t.Errorf("bins %+v", d.Secrets[1].Values)
	}
	text, err := json.Marshal(d)
	if err != nil || strings.Contains(string(text), "Risk") {
		t.Errorf("JSON %s, error %v", text, err)
	}
}

func TestRecords(t *testing.T) {
	labels := []string{"u", "v", "w"}
	tab := tabletest.Of(t, table.CatColumn("a", labels, []int32{0, 1, 1, -1}),
		table.CatColumn("s", labels, []int32{0, 0, 1, 1}))
	released := tab.WithCat(0, []int32{0, 1, 2, 0})
	_, d := take(t, meter(), knows(tab, released))
	// a = u is about the first and finds it and the last; a = v is about the second or the third and finds the second
	// alone.
	got := d.Records()
	if got[0] != 0.5 || !math.IsNaN(got[3]) || !(got[1] == 1 && math.IsNaN(got[2]) || got[2] == 0 && math.IsNaN(got[1])) {
		t.Errorf("records %v", got)
	}
}

func TestRefusals(t *testing.T) {
	labels := []string{"u", "v"}
	tab := tabletest.Of(t, table.CatColumn("a", labels, []int32{0, 1}), table.CatColumn("s", labels, []int32{0, 1}))
	nobody := &measure.Release{Original: tab, Released: tab, Paired: true}
	for name, r := range map[string]*measure.Release{
		"knows nothing":     nobody.Against(&intruder.Intruder{Name: "x", Secret: []string{"s"}}),
		"no value is known": knows(tab.WithCat(0, []int32{-1, -1}), tab),
		"no records":        knows(tab.Slice(0, 0), tab.Slice(0, 0)),
		"no released table": {Original: tab},
	} {
		if v, err := meter().Measure(context.Background(), r, rng.Source{}); err == nil ||
			errors.Is(err, measure.ErrNotApplicable) != (name != "no released table") {
			t.Errorf("%s: score %v, %v", name, v.Score, err)
		}
	}
}

func TestSentence(t *testing.T) {
	labels := []string{"u", "v"}
	tab := tabletest.Of(t, table.CatColumn("a", labels, []int32{0, 0, 1, 1}),
		table.CatColumn("s", labels, []int32{0, 0, 1, 1}))
	_, d := take(t, meter(), knows(tab, tab))
	for _, want := range []string{"Asking 2 random questions", "50 % in the original and 50 % in the release",
		"; 0 % of the questions",
		"own value of s goes from 100 % to 100 %"} {
		if got := d.Sentence().String(); !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}

// TestBins puts equal values in one bin, whatever their number.
func TestBins(t *testing.T) {
	for _, c := range []struct {
		values []float64
		cuts   []float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{2, 3, 4}},
		{[]float64{8, nan, 7, 6, 5, 4, 3, 2, 1}, []float64{3, 5, 7}},
		{[]float64{0, 0, 0, 0, 0, 0, 0, 9}, []float64{9}},
		{[]float64{0, 0, 0, 1, 1, 1, 9, 9}, []float64{1, 9}},
		{[]float64{5, 5}, nil},
		{[]float64{nan}, nil},
		{nil, nil},
	} {
		if got := bins(c.values, 4); !slices.Equal(got.cuts, c.cuts) || got.size != len(c.cuts)+1 {
			t.Errorf("%v: cuts %v and %d bins, expected %v", c.values, got.cuts, got.size, c.cuts)
		}
	}
}
