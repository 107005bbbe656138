package linkage_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/linkage"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// people returns a table of many different people.
func people(t testing.TB, n int) *table.Table {
	r := rand.New(rand.NewPCG(7, 1))
	age, pay, town, sick := make([]float64, n), make([]float64, n), make([]int32, n), make([]int32, n)
	for i := range n {
		age[i], town[i], sick[i] = float64(18+r.IntN(60)), int32(r.IntN(5)), int32(r.IntN(2))
		pay[i] = table.Snap(1000+40*age[i]+300*r.NormFloat64(), 0.01)
	}
	class := table.CatColumn("sick", []string{"no", "yes"}, sick)
	class.Role = table.Class
	tab := must.Get(table.New(table.NumColumn("age", 1, age), table.NumColumn("pay", 0.01, pay),
		table.CatColumn("town", []string{"a", "b", "c", "d", "e"}, town), class))(t)
	return tab
}

// noise replaces every number by uniform noise and all but a fifth of the categories, which leaves those independent of
// the original ones.
func noise(t testing.TB, tab *table.Table) *table.Table {
	c := randomisedresponse.NewCategorical()
	c.P = 0.8
	for _, q := range []protect.Technique{rnat.New(), c} {
		plan, err := q.Fit(context.Background(), tab, rng.Source{})
		must.NoError(t, err)
		if tab, err = executor.Run(context.Background(), plan, tab, rng.New([32]byte{9}), protect.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	return tab
}

func take(t testing.TB, r *measure.Release, set map[string]string) (measure.Value, linkage.LinkageDetail) {
	t.Helper()
	m := linkage.Linkage.New()
	must.NoError(t, m.Params().Apply(set))
	v := must.Get(m.Measure(context.Background(), r, rng.New([32]byte{1})))(t)
	return v, v.Detail.(linkage.LinkageDetail)
}

// settings are the ways to link.
var settings = map[string]map[string]string{
	"distance":            nil,
	"records":             {"lookFor": "records"},
	"one to one":          {"oneToOne": "true"},
	"one to one, greedy":  {"oneToOne": "true", "optimal": "10"},
	"probabilistic":       {"method": "probabilistic", "tolerance": "0"},
	"probabilistic, town": {"method": "probabilistic", "tolerance": "0", "block": "town"},
}

// Released as they are, all persons are linked to their record; of noise, no more than by guessing: 1 of n on average.
// The number of links by chance is about Poisson's with mean 1, and exceeds 10 once in 10^8 times.
func TestBothEnds(t *testing.T) {
	long.Only(t, "linkage at both ends of noise")
	const n = 800
	tab := people(t, n)
	noisy := noise(t, tab)
	for name, set := range settings {
		v, d := take(t, &measure.Release{Original: tab, Released: tab, Paired: true}, set)
		if v.Score != 1 || v.Hi != 1 || !(v.Lo > 0.99) {
			t.Errorf("%s: the original itself has %v in %v to %v", name, v.Score, v.Lo, v.Hi)
		}
		for i, p := range d.Records() {
			if !(p > 0.99) {
				t.Fatalf("%s: record %d is at risk by %v", name, i, p)
			}
		}
		if v, _ = take(t, &measure.Release{Original: tab, Released: noisy, Paired: true}, set); v.Score*n > 10 {
			t.Errorf("%s: of noise %v persons are linked", name, v.Score*n)
		}
	}
}

// Three persons by hand: the first is released as nobody else is, the other two as the same record, and of these the
// chance finds half.
func TestByHand(t *testing.T) {
	col := func(v ...float64) *table.Table { return tabletest.Of(t, table.NumColumn("x", 1, v)) }
	r := &measure.Release{Original: col(0, 8, 10), Released: col(1, 9, 9), Paired: true}
	v, d := take(t, r, nil)
	lo, hi := confidence.Wilson(2, 3)
	if math.Abs(v.Score-2./3) > 1e-15 || math.Abs(v.Lo-lo) > 1e-12 || math.Abs(v.Hi-hi) > 1e-12 || *d.Second != 1 {
		t.Errorf("%v in %v to %v, second %v", v.Score, v.Lo, v.Hi, *d.Second)
	}
	want := "Of 3 people, 2 (66.7 %) are linked to their record: their own record is the nearest; guessing would find 1."
	if got := d.Sentence().String(); got != want {
		t.Errorf("%q, expected %q", got, want)
	}
	if got := d.Records(); got[0] != 1 || got[1] != 0.5 || got[2] != 0.5 {
		t.Errorf("risks %v", got)
	}
}

// An intruder who knows less links fewer, and who knows nothing guesses.
func TestIntruder(t *testing.T) {
	tab := people(t, 500)
	r := &measure.Release{Original: tab, Released: tab, Paired: true}
	last := 1.1
	for _, who := range []*intruder.Intruder{
		{Name: "all", Knows: []string{"age", "pay", "town"}},
		{Name: "vague", Knows: []string{"age", "town"}, Within: map[string]float64{"age": 2}},
		{Name: "vaguer", Knows: []string{"age", "town"},
			Bands: map[string][]float64{"age": {40, 60}}, Groups: map[string][][]string{"town": {{"a", "b"}, {"c", "d"}}}},
		{Name: "nothing", Secret: []string{"sick"}},
	} {
		v, d := take(t, r.Against(who), nil)
		if v.Score >= last || d.Intruder != who.Name {
			t.Errorf("%s links %v, one who knows more %v", who.Name, v.Score, last)
		}
		last = v.Score
	}
	if math.Abs(last-1./500) > 1e-12 {
		t.Errorf("who knows nothing links %v, expected %v", last, 1./500)
	}
}

// Persons in a class known by a band are equally near: each is linked by the inverse of their number.
func TestBandsAreClasses(t *testing.T) {
	tab := people(t, 300)
	who := &intruder.Intruder{Name: "bands", Knows: []string{"age"}, Bands: map[string][]float64{"age": {30, 50}}}
	v, _ := take(t, (&measure.Release{Original: tab, Released: tab, Paired: true}).Against(who), nil)
	if want := 3. / 300; math.Abs(v.Score-want) > 1e-12 {
		t.Errorf("%v, expected three bands of 300 persons: %v", v.Score, want)
	}
}

// Suppressed values link nobody, and a table that is suppressed altogether leaves guesses.
func TestSuppressed(t *testing.T) {
	tab := people(t, 200)
	gone := tab
	for j, c := range tab.Columns() {
		if c.Num != nil {
			v := make([]float64, 200)
			for i := range v {
				v[i] = math.NaN()
			}
			gone = gone.WithNum(j, v)
		} else {
			v := make([]int32, 200)
			for i := range v {
				v[i] = -1
			}
			gone = gone.WithCat(j, v)
		}
	}
	v, _ := take(t, &measure.Release{Original: tab, Released: gone, Paired: true}, nil)
	if math.Abs(v.Score-1./200) > 1e-12 {
		t.Errorf("%v, expected 1/200", v.Score)
	}
	if v, _ = take(t, &measure.Release{Original: tab, Released: gone, Paired: true},
		settings["probabilistic"]); v.Score > 0 {
		t.Errorf("%v links by agreements that there are none of", v.Score)
	}
}

// Above the parameter pairs persons are sampled, and the value says so.
func TestSampled(t *testing.T) {
	tab := people(t, 2000)
	r := &measure.Release{Original: tab, Released: noise(t, tab), Paired: true}
	for _, set := range []map[string]string{{"pairs": "2000"}, {"pairs": "2000000", "method": "probabilistic"}} {
		v, d := take(t, r, set)
		judged := 0
		for _, p := range d.Records() {
			if p == p {
				judged++
			}
		}
		says := fmt.Sprintf("a sample of %d of 2,000 people", judged)
		if judged != len(d.Rows) || judged < 100 || judged > 200 || !slices.Contains(message.Written(v.Notes), says) {
			t.Errorf("%v: %d persons are judged, notes %q", set, judged, v.Notes)
		}
	}
}

// A block that the release changes hides own records, and a note says of how many.
func TestBlockThatDiffers(t *testing.T) {
	tab := people(t, 300)
	town := tab.Find("town")
	moved := slices.Clone(tab.Cat(town))
	for i := range 30 {
		moved[i] = (moved[i] + 1) % 2
	}
	for _, c := range []struct {
		released *table.Table
		apart    int
	}{{tab, 0}, {tab.WithCat(town, moved), 30}} {
		m := linkage.Linkage.New()
		must.NoError(t, m.Params().Apply(settings["probabilistic, town"]))
		v := must.Get(m.Measure(context.Background(), &measure.Release{Original: tab, Released: c.released, Paired: true},
			rng.Source{}))(t)
		said := slices.ContainsFunc(message.Written(v.Notes),
			func(s string) bool { return strings.HasPrefix(s, "30 of 300 people differ in it") })
		if d := v.Detail.(linkage.LinkageDetail); d.Apart != c.apart || said != (c.apart > 0) {
			t.Errorf("%d persons apart, expected %d; notes %q", d.Apart, c.apart, v.Notes)
		}
	}
}

func TestRefused(t *testing.T) {
	tab := people(t, 20)
	vague := &intruder.Intruder{Name: "vague", Knows: []string{"age"}, Within: map[string]float64{"age": 2}}
	for name, c := range map[string]struct {
		r    *measure.Release
		set  map[string]string
		says string
	}{
		"unpaired": {&measure.Release{Original: tab, Released: tab.Slice(0, 10)}, nil, "paired"},
		"vague records": {(&measure.Release{Original: tab, Released: tab, Paired: true}).Against(vague), settings["records"],
			"age"},
		"unknown block": {(&measure.Release{Original: tab, Released: tab, Paired: true}).Against(vague),
			settings["probabilistic, town"], "town"},
	} {
		m := linkage.Linkage.New()
		must.NoError(t, m.Params().Apply(c.set))
		if _, err := m.Measure(context.Background(), c.r, rng.Source{}); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Every way to link passes the suite, not only the default.
func TestConformanceOfSettings(t *testing.T) {
	for name, set := range settings {
		if name == "probabilistic, town" { // the suite's tables have no town
			continue
		}
		m := linkage.Linkage
		m.New = func() measure.Meter { return &setter{param.Default(&linkage.LinkageMeter{}), set} }
		t.Run(name, func(t *testing.T) { measuretest.Run(t, m) })
	}
}

// setter sets its parameters before it measures.
type setter struct {
	*linkage.LinkageMeter
	set map[string]string
}

func (m *setter) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	if err := m.Params().Apply(m.set); err != nil {
		return measure.Value{}, err
	}
	return m.LinkageMeter.Measure(ctx, r, src)
}

// TestBlind: columns released as they are among noisy ones are named; where all are, or none is, there is nothing to
// say.
func TestBlind(t *testing.T) {
	tab := people(t, 200)
	r := &measure.Release{Original: tab, Released: noise(t, tab), Paired: true}
	one := r.Released
	for j := range 2 {
		n := must.Get(one.WithColumn(j, tab.Column(j)))(t)
		one = n
	}
	want := tab.Attr(0).Name + " and " + tab.Attr(1).Name + " are released unchanged; distance to records"
	for name, c := range map[string]struct {
		released *table.Table
		told     bool
	}{"some": {one, true}, "all": {tab, false}} {
		v, d := take(t, &measure.Release{Original: tab, Released: c.released, Paired: true}, nil)
		if got := strings.Contains(strings.Join(message.Written(v.Notes), "\n"), want); got != c.told ||
			(d.Intact != nil) != c.told {
			t.Errorf("%s intact: notes %q, %v", name, v.Notes, d.Intact)
		}
	}
}
