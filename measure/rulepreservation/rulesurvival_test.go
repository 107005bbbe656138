package rulepreservation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// facts are the items of a record, as words; those with a question mark may be there.
type facts map[string]bool

func factsOf(t *table.Table) []facts {
	out := make([]facts, t.Rows())
	for i := range out {
		out[i] = facts{}
		for j := range t.Width() {
			c := t.Column(j)
			switch {
			case c.MissingAt(i):
			case c.Kind == table.Categorical:
				out[i][c.Name+"="+c.Labels[c.Cat[i]]] = true
			case c.Kind == table.SetValued:
				for _, v := range c.Sets.Present.Row(i) {
					out[i][c.Name+"="+c.Labels[v]] = true
				}
				for _, v := range c.Sets.Unknown.Row(i) {
					out[i]["?"+c.Name+"="+c.Labels[v]] = true
				}
			default:
				out[i][fmt.Sprint(c.Name, "=", c.Num[i])] = true
			}
		}
	}
	return out
}

// survivalTwin counts records one by one: how many surely have all items, and how many may.
func survivalTwin(records []facts, items []string) (sure, may float64) {
	for _, r := range records {
		certain, possible := true, true
		for _, w := range items {
			certain, possible = certain && r[w], possible && (r[w] || r["?"+w])
		}
		if certain {
			sure++
		}
		if possible {
			may++
		}
	}
	return sure, may
}

// rulesOf lists the rules of a table by the three readings, of sets of at most three items.
func rulesOf(m *RuleSurvivalMeter, records []facts) (out [3]map[string]bool) {
	for k := range out {
		out[k] = map[string]bool{}
	}
	n := float64(len(records))
	least := max(2, math.Ceil(m.Support*n-1e-9))
	words := map[string]bool{}
	for _, r := range records {
		for w := range r {
			words[strings.TrimPrefix(w, "?")] = true
		}
	}
	var all []string
	for w := range words {
		all = append(all, w)
	}
	slices.Sort(all)
	judge := func(with []string, end string) {
		both := append(slices.Clone(with), end)
		s, p := survivalTwin(records, both)
		ws, wp := survivalTwin(records, with)
		es, ep := survivalTwin(records, []string{end})
		low, high := s/wp, 1.0
		if ws > 0 {
			high = min(1, p/ws)
		}
		for k, r := range [3]struct{ support, confidence, wanted float64 }{{s, low, ep},
			{(s + p) / 2, (low + high) / 2, (es + ep) / 2}, {p, high, es}} {
			if r.support >= least && r.confidence >= m.Confidence && r.confidence*n/r.wanted >= m.Lift {
				out[k][strings.Join(with, " ")+" => "+end] = true
			}
		}
	}
	for a, x := range all {
		for b, y := range all {
			if a == b {
				continue
			}
			judge([]string{x}, y)
			for _, z := range all[:b] {
				if z != x {
					judge([]string{z, y}, x)
				}
			}
		}
	}
	return out
}

func jaccard(a, b map[string]bool) float64 {
	both := 0
	for r := range a {
		if b[r] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// TestRuleSurvivalTwin: score, counts and readings are those of counting every rule record by record.
func TestRuleSurvivalTwin(t *testing.T) {
	doubts := 0
	long.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 30).Draw(t, "rows")
		draw := func(uncertain bool) *table.Table {
			cat, num := make([]int32, rows), make([]float64, rows)
			present, unknown := make([][]int32, rows), make([][]int32, rows)
			for i := range rows {
				cat[i] = int32(rapid.IntRange(-1, 1).Draw(t, "code"))
				num[i] = float64(rapid.IntRange(0, 1).Draw(t, "number"))
				present[i] = []int32{}
				for v := range int32(3) {
					switch d := rapid.IntRange(0, 3).Draw(t, "item"); {
					case d == 3 && uncertain:
						unknown[i] = append(unknown[i], v)
					case d > 0:
						present[i] = append(present[i], v)
					}
				}
			}
			return must.Get(table.New(table.CatColumn("c", []string{"x", "y"}, cat), table.NumColumn("n", 1, num),
				table.SetColumn("s", []string{"p", "q", "r"}, table.SetsOf(present, unknown))))(t)
		}
		m := param.Default(&RuleSurvivalMeter{})
		m.Support, m.Confidence = rapid.SampledFrom(
			[]float64{0.1, 0.2, 0.3},
		).Draw(t, "support"), rapid.SampledFrom([]float64{0.5, 0.7, 0.8}).Draw(t, "confidence")
		m.Lift = rapid.SampledFrom([]float64{0, 1.1}).Draw(t, "lift")
		uncertain := rapid.Bool().Draw(t, "uncertain")
		r := &measure.Release{Original: draw(false), Released: draw(uncertain)}
		r.Released = sameDomain(t, r)
		v, err := m.Measure(context.Background(), r, rng.Source{})
		had, has := rulesOf(m, factsOf(r.Original)), rulesOf(m, factsOf(r.Released))
		if errors.Is(err, measure.ErrNotApplicable) {
			if len(had[1])+len(has[1]) > 0 {
				t.Fatalf("%v, and there are %d and %d rules", err, len(had[1]), len(has[1]))
			}
			return
		}
		must.NoError(t, err)
		d := v.Detail.(RuleSurvivalDetail)
		if want := jaccard(had[1], has[1]); v.Score != want || d.Original != len(had[1]) || d.Released != len(has[1]) {
			t.Fatalf("%v of %d and %d rules, expected %v of %d and %d", v.Score, d.Original, d.Released, want, len(had[1]),
				len(has[1]))
		}
		if d.Readings == nil {
			return
		}
		doubts++
		if low, high := jaccard(had[1], has[0]), jaccard(had[1], has[2]); math.Abs(d.Readings.Pessimistic-low) > 0 ||
			math.Abs(d.Readings.Optimistic-high) > 0 {
			t.Fatalf("readings %+v, expected %v and %v", *d.Readings, low, high)
		}
	})
	long.Drawn(t, doubts > 0, "no release had doubtful items")
}

// sameDomain gives the release numbers of the same values: items of numbers are those of the original.
func sameDomain(t *rapid.T, r *measure.Release) *table.Table {
	known := map[float64]bool{}
	for _, v := range r.Original.Num(1) {
		known[v] = true
	}
	c := r.Released.Column(1)
	c.Num = slices.Clone(c.Num)
	for i, v := range c.Num {
		if !known[v] {
			c.Num[i] = math.NaN()
		}
	}
	out := must.Get(r.Released.WithColumn(1, c))(t)
	return out
}

func survivalTake(t *testing.T, m *RuleSurvivalMeter, r *measure.Release) (measure.Value, RuleSurvivalDetail) {
	t.Helper()
	v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
	return v, v.Detail.(RuleSurvivalDetail)
}

// TestDetail: a rule that was always right and is lost, one that is new, by strength and in words.
func TestDetail(t *testing.T) {
	cat := func(name string, codes ...int32) table.Column {
		return table.CatColumn(name, []string{"a", "b"}, codes)
	}
	before := tabletest.Of(t, cat("x", 0, 0, 0, 0, 1, 1, 1, 1), cat("y", 0, 0, 0, 0, 1, 1, 1, 1),
		cat("z", 0, 1, 0, 1, 0, 1, 0, 1))
	after := tabletest.Of(t, cat("x", 0, 0, 0, 0, 1, 1, 1, 1), cat("y", 0, 1, 0, 1, 0, 1, 0, 1),
		cat("z", 0, 1, 0, 1, 0, 1, 0, 1))
	m := param.Default(&RuleSurvivalMeter{})
	m.Items = 2
	v, d := survivalTake(t, m, &measure.Release{Original: before, Released: after})
	if v.Score != 0 || d.Original != 4 || d.Lost != 4 || d.New != 4 || d.Kept != 0 || len(d.Drawn) != 8 {
		t.Errorf("%v, %+v", v.Score, d)
	}
	want := RuleSurvivalRule{
		If:     []string{"y=a"},
		Then:   "x=a",
		Before: RuleSurvivalStrength{0.5, 1},
		After:  RuleSurvivalStrength{0.25, 0.5},
	}
	if got := d.StrongestLost[0]; !slices.Equal(got.If, want.If) || got.Then != want.Then || got.Before != want.Before ||
		got.After != want.After {
		t.Errorf("%+v, expected %+v", got, want)
	}
	if got := d.StrongestNew[0]; got.Before != (RuleSurvivalStrength{0.25, 0.5}) ||
		got.After != (RuleSurvivalStrength{0.5, 1}) {
		t.Errorf("%+v", got)
	}
	if last := d.Bands[len(d.Bands)-1]; last != (Band{1, 1, 4, 0}) {
		t.Errorf("%+v", d.Bands)
	}
}

// TestEffort: the support is raised where the search takes too much, and the note says to what; what is counted is as
// with that support asked for.
func TestEffort(t *testing.T) {
	r := &measure.Release{Original: busy(t, 3), Released: busy(t, 4)}
	m := param.Default(&RuleSurvivalMeter{})
	m.Support, m.Confidence, m.Effort, m.Lift = 0.001, 0.3, 1, 0
	v, d := survivalTake(t, m, r)
	if d.Support <= 0.001 || d.Asked != 0.001 || len(v.Notes) == 0 ||
		!strings.Contains(v.Notes[0].String(), "the least support was raised from 0.1 %") {
		t.Fatalf("support %v, notes %q", d.Support, v.Notes)
	}
	m.Support, m.Effort = d.Support, 1000
	if w, e := survivalTake(t, m, r); w.Score != v.Score || e.Original != d.Original || len(w.Notes) > 0 {
		t.Errorf("%v of %d rules, expected %v of %d", w.Score, e.Original, v.Score, d.Original)
	}
}

// busy is 3,000 records with 60 items that are drawn with falling frequency.
func busy(t *testing.T, seed int32) *table.Table {
	rows := make([][]int32, 3000)
	x := uint32(seed)
	for i := range rows {
		rows[i] = []int32{}
		for v := range int32(60) {
			if x = x*1664525 + 1013904223; x>>8 < uint32(1<<24)/uint32(v+2) {
				rows[i] = append(rows[i], v)
			}
		}
	}
	labels := make([]string, 60)
	for v := range labels {
		labels[v] = fmt.Sprint("item ", v)
	}
	return tabletest.Of(t, table.SetColumn("s", labels, table.SetsOf(rows, nil)))
}
