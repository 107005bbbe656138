package c45

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// weather is the table of Quinlan 1993, table 2-1, with the two humidities, 86 and 91, of the copy that Weka brings:
// 14 days.
func weather(t *testing.T) *table.Table {
	windy := []int32{1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0}
	tab := must.Get(table.New(
		table.CatColumn("outlook", []string{"sunny", "overcast", "rain"}, []int32{0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2}),
		table.NumColumn("temperature", 1, []float64{75, 80, 85, 72, 69, 72, 83, 64, 81, 71, 65, 75, 68, 70}),
		table.NumColumn("humidity", 1, []float64{70, 90, 85, 95, 70, 90, 86, 65, 75, 91, 70, 80, 80, 96}),
		table.CatColumn("windy", []string{"false", "true"}, windy),
		table.CatColumn("class", []string{"don't play", "play"}, []int32{1, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1})))(t)
	return tab
}

// rootVerdicts scans all attributes at the root.
func rootVerdicts(t *testing.T, tab *table.Table, class int) (*grower, []verdict) {
	l := New()
	g := &grower{
		Learner:   l,
		ctx:       context.Background(),
		places:    newPlaces(1),
		classes:   len(tab.Attr(class).Labels),
		occurring: 2,
		minLeaf:   2,
	}
	f := must.Get(g.load(tab, class, nil))(t)
	n := &spot{frame: f, rows: identity(nil, tab.Rows()), counts: make([]int64, g.classes)}
	s := new(scratch)
	g.look(n, s)
	return g, g.scanAll(n, s, identity(nil, len(g.cols)))
}

// The root of the tree for the weather table of Quinlan 1993, section 2.2, with the cost of thresholds of Quinlan
// 1996: only outlook has average gain.
func TestWeatherRoot(t *testing.T) {
	tab := weather(t)
	g, v := rootVerdicts(t, tab, 4)
	for _, c := range []struct {
		attr        string
		slot        int
		ok          bool
		gain, ratio float64
	}{
		{"outlook", 0, true, 0.2467, 0.1564},
		{"temperature", 1, false, 0.0453 - 0.2264, 0}, // 9 cuts tried
		{"humidity", 2, false, 0.1518 - 0.2005, 0},    // 7 cuts tried
		{"windy", 3, true, 0.0481, 0.0488},
	} {
		got := v[c.slot]
		if got.ok != c.ok || math.Abs(got.gain-c.gain) > 1e-4 || c.ok && math.Abs(got.gain/got.info-c.ratio) > 1e-4 {
			t.Errorf("%s: %+v, expected gain %v, ratio %v", c.attr, got, c.gain, c.ratio)
		}
	}
	if low, cut := g.cols[2].cut(v[2].low, v[2].next); cut != 80 || g.cols[2].values[low] != 80 {
		t.Errorf("humidity is cut at %v, expected 80, the largest value up to the midpoint 82.5", cut)
	}
	if best := g.choose(v, identity(nil, 4), 14); best != 0 {
		t.Errorf("attribute %d is chosen, expected outlook", best)
	}
}

// The whole tree of Quinlan 1993, figure 2-1, without pruning: outlook, then humidity and windy.
func TestWeatherTree(t *testing.T) {
	l := New()
	l.NoPrune = true
	tr := must.Get(l.Grow(context.Background(), weather(t), 4))(t)
	want := `outlook = sunny:
|   humidity <= 75: play (2)
|   humidity > 75: don't play (3)
outlook = overcast: play (4)
outlook = rain:
|   windy = false: play (3)
|   windy = true: don't play (2)
`
	if got := tr.Text(); got != want {
		t.Errorf("got\n%s expected\n%s", got, want)
	}
}

// Upper limits of error rates: Quinlan 1993, section 4.2, with the approximation of release 8.
func TestPessimisticErrors(t *testing.T) {
	for _, c := range []struct{ n, e, want float64 }{
		{6, 0, 0.2063}, {9, 0, 0.1428}, {1, 0, 0.75}, {16, 1, 0.1567}, {168, 1, 0.0155}, {14, 5, 0.4854}, {100, 10, 0.1281},
	} {
		if got := (c.e + extra(c.n, c.e, 0.25)) / c.n; math.Abs(got-c.want) > 5.1e-5 {
			t.Errorf("U(%v, %v) = %.5f, expected %v", c.n, c.e, got, c.want)
		}
	}
	if z := deviateOf(0.25); math.Abs(z-0.6925) > 1e-12 {
		t.Errorf("the deviate of 25%% is %v, expected 0.6925", z)
	}
}

// A record with a missing value goes down all branches by their shares: Quinlan 1993, section 3.3, where outlook of
// the overcast, windy day is missing.
func TestWeatherMissing(t *testing.T) {
	tab := weather(t)
	outlook := append([]int32(nil), tab.Cat(0)...)
	outlook[5] = -1
	tab = tab.WithCat(0, outlook)
	_, v := rootVerdicts(t, tab, 4)
	if math.Abs(v[0].gain-0.199) > 5e-4 || math.Abs(v[0].info-1.809) > 5e-4 {
		t.Errorf("gain %v and split information %v of outlook, expected 0.199 and 1.809", v[0].gain, v[0].info)
	}
	l := New()
	l.NoPrune = true
	tr := must.Get(l.Grow(context.Background(), tab, 4))(t)
	want := `outlook = sunny:
|   humidity <= 75: play (2)
|   humidity > 75: don't play (3.4/0.4)
outlook = overcast: play (3.2)
outlook = rain:
|   windy = false: play (3)
|   windy = true: don't play (2.4/0.4)
`
	if got := tr.Text(); got != want {
		t.Errorf("got\n%s expected\n%s", got, want)
	}
}
