package c45

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// ratings are the tests of Rate, by column.
func ratings(p *Part, width int) [][]Rated {
	out := make([][]Rated, width)
	p.Rate(func(attr int, tests []Rated) { out[attr] = slices.Clone(tests) })
	return out
}

// rateTwin tries every test on every column.
func (d *dumb) rateTwin(cs []kase, tested []bool) [][]Rated {
	out := make([][]Rated, d.t.Width())
	for _, j := range d.attrs {
		try := func(at, cut float64) {
			gain, info, ok := d.measure(cs, j, at)
			if n := total(d.counts(cs)); ok && info > 0 {
				whole := int64(math.Round(info * n * (1 << 28)))
				out[j] = append(out[j], Rated{cut, float64(max(0, gain)) / float64(whole)})
			}
		}
		if d.t.Attr(j).Kind == table.Categorical {
			if !tested[j] {
				try(0, 0)
			}
			continue
		}
		var values []float64
		for _, c := range cs {
			if v := d.t.Num(j)[c.row]; !math.IsNaN(v) {
				values = append(values, v+0)
			}
		}
		slices.Sort(values)
		values = slices.Compact(values)
		for k := range values[:max(0, len(values)-1)] {
			try(values[k], (values[k]+values[k+1])/2)
		}
	}
	return out
}

// All tests of all records and of the parts of a test are rated as trying one by one rates them.
func TestRate(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab, l := drawTable(t), drawLearner(t)
		l.MinLeaf = max(1, l.MinLeaf)
		class := tab.Width() - 1
		data := must.Get(l.Code(context.Background(), tab, class))(t)
		d, cs := newTwin(l, tab, class, nil)
		tested := make([]bool, tab.Width())
		same := func(p *Part, cs []kase) {
			if got, want := p.Weight(), total(d.counts(cs)); got != want {
				t.Fatalf("weight %v, expected %v", got, want)
			}
			near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) })
			if diff := cmp.Diff(d.rateTwin(cs, tested), ratings(p, tab.Width()), near); diff != "" {
				t.Fatalf("twin -, part +\n%s", diff)
			}
		}
		all := data.All()
		same(all, cs)
		for j, tests := range ratings(all, tab.Width()) {
			if len(tests) == 0 || len(tab.Attr(j).Labels) > shareEmpty {
				continue
			}
			cut := tests[rapid.IntRange(0, len(tests)-1).Draw(t, "test")].Cut
			branches := 2
			if tab.Attr(j).Kind == table.Categorical {
				branches = len(tab.Attr(j).Labels)
				tested[j] = true
			}
			by, _ := d.split(cs, j, cut, branches, func(r int) int { return d.value(j, cut, r) })
			for k, p := range all.Divide(j, cut) {
				same(p, by[k])
			}
			tested[j] = false
		}
	})
}

// drawTest draws tests that a tree must have: tests that divide, tests that do not, leaves.
func drawTest(t *rapid.T, p *Part, tab *table.Table, depth int) *Test {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "free") == 0 {
		return nil
	}
	if len(p.live) == 0 || rapid.IntRange(0, 5).Draw(t, "leaf") == 0 {
		return &Test{Attr: -1}
	}
	test := &Test{Attr: p.g.cols[rapid.SampledFrom(p.live).Draw(t, "slot")].index}
	if tab.Attr(test.Attr).Kind == table.Numeric {
		test.Cut = rapid.Float64Range(-3, 40).Draw(t, "cut")
	}
	if rapid.Bool().Draw(t, "below") {
		for _, below := range p.Divide(test.Attr, test.Cut) {
			test.Below = append(test.Below, drawTest(t, below, tab, depth-1))
		}
	}
	return test
}

// A tree that begins with forced tests agrees with its twin in every node.
func TestForced(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab, l := drawTable(t), drawLearner(t)
		class := tab.Width() - 1
		data := must.Get(l.Code(context.Background(), tab, class))(t)
		test := drawTest(t, data.All(), tab, 3)
		got := must.Get(data.Grow(test))(t)
		d, cs := newTwin(l, tab, class, nil)
		want := flattenTwin(d.force(cs, make([]bool, tab.Width()), test))
		if diff := cmp.Diff(want, got.Nodes); diff != "" {
			t.Fatalf("twin -, learner +\n%s", diff)
		}
	})
}

// Plain gain ratios at the root of the weather table, without the cost of a threshold (Fletcher & Islam 2015, section
// 3: SysFor).
func TestRateWeather(t *testing.T) {
	l := New()
	data := must.Get(l.Code(context.Background(), weather(t), 4))(t)
	got := ratings(data.All(), 5)
	if n := []int{len(got[0]), len(got[1]), len(got[2]), len(got[3]), len(got[4])}; !slices.Equal(n,
		[]int{1, 9, 7, 1, 0}) {
		t.Fatalf("%v tests by column, expected 1, 9, 7, 1 and none of the class", n)
	}
	humidity := got[2][slices.IndexFunc(got[2], func(r Rated) bool { return r.Cut == 82.5 })]
	if want := 0.1518 / criterion.Entropy([]float64{7, 7}); math.Abs(humidity.Ratio-want) > 1e-4 {
		t.Errorf("humidity <= 82.5 has ratio %v, expected %v", humidity.Ratio, want)
	}
	if math.Abs(got[0][0].Ratio-0.1564) > 1e-4 || math.Abs(got[3][0].Ratio-0.0488) > 1e-4 {
		t.Errorf("outlook %v, windy %v, expected 0.1564 and 0.0488", got[0][0].Ratio, got[3][0].Ratio)
	}
}
