package ranking

import (
	"math"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
)

func judged(t *testing.T, c *study.Comparison) Verdict {
	t.Helper()
	k := contest(t, c, Options{})
	return k.Judge()
}

func TestLeaders(t *testing.T) {
	for _, w := range []struct {
		name        string
		half        float64
		trials      []trial
		known, lead string
		price       Price
	}{
		{"one leads", 0.001, []trial{{"a", false, 94, 0.9, 0.2}, {"b", false, 80, 0.9, 0.1}}, "a b", "a", HighestRisk},
		{"a tie", 0.01, []trial{{"a", false, 93, 0.9, 0.2}, {"b", false, 94, 0.9, 0.5}, {"c", false, 70, 0.9, 0.2}}, "b a c",
			"b a", HighestRisk},
		{"at the same risk", 0.001, []trial{{"a", false, 94, 0.9, 0.2}, {"b", false, 80, 0.9, 0.2}}, "a b", "a", SameRisk},
		{"none safer", 0.001, []trial{{"a", false, 94, 0.9, 0.2}, {"b", false, 80, 0.9, 0.2}, {"c", false, 80, 0.9, 0.4}},
			"a b c", "a", NoneSafer},
		{"some safer", 0.001, []trial{{"a", false, 94, 0.9, 0.2}, {"b", false, 80, 0.9, 0.1}, {"c", false, 79, 0.9, 0.4}},
			"a b c", "a", NoPrice},
		{"a risk that tells nothing", 0.001, []trial{{"a", false, 94, 0.9, 1}, {"b", false, 80, 0.9, 1}}, "a b", "a",
			NoPrice},
		{"alone", 0.001, []trial{{"a", false, 94, 0.9, 0.2}}, "a", "a", NoPrice},
		{"a baseline wins nothing", 0.001, []trial{{"base", true, 95, 1, 0}, {"b", false, 80, 0.9, 0.1}}, "b", "b", NoPrice},
		{"one was not measured", 0.001, []trial{{"a", false, math.NaN(), 0.9, 0.2}, {"b", false, 80, 0.9, 0.1}}, "b", "b",
			NoPrice},
	} {
		c := compared(w.half, 1, w.trials...)
		v := judged(t, c)
		if known, lead := names(c, v.Known), names(c, v.Lead); known != w.known || lead != w.lead || v.Price() != w.price {
			t.Errorf("%s: known %s, lead %s, price %v; want %s, %s, %v", w.name, known, lead, v.Price(), w.known, w.lead,
				w.price)
		}
	}
	if v := judged(t, compared(0.001, 1)); v.Known != nil || v.Lead != nil {
		t.Error("somebody leads a comparison of nothing")
	}
}

// TestRiskAlone: without utility the risk decides, and says nothing besides.
func TestRiskAlone(t *testing.T) {
	c := compared(0.001, 1, trial{"a", false, 94, 0.9, 0.2}, trial{"b", false, 80, 0.9, 0.1},
		trial{"c", false, 99, 0.9, 0.15})
	c.Measures[0].Side, c.Measures[1].Side = measure.Cost, measure.Cost
	v := judged(t, c)
	if v.By == nil || v.By != v.Risk || names(c, v.Known) != "b c a" || names(c, v.Lead) != "b" || v.Price() != NoPrice {
		t.Errorf("by %v, known %s, lead %s", v.By, names(c, v.Known), names(c, v.Lead))
	}
	if _, ok := v.Safer(); ok {
		t.Error("the risk breaks a tie in itself")
	}
	c.Measures[2].Side = measure.Cost
	if v := judged(t, c); v.By != nil || v.Known != nil {
		t.Error("a cost decides")
	}
}

func TestTies(t *testing.T) {
	tie := func(alikeA, alikeB, linkA, linkB float64) (*study.Comparison, Verdict) {
		c := compared(0.005, 1, trial{"a", false, 93.4, alikeA, linkA}, trial{"b", false, 93, alikeB, linkB},
			trial{"c", false, 50, 0.99, 0.01})
		return c, judged(t, c)
	}
	c, v := tie(0.9, 0.9, 0.5, 0.2)
	if e, ok := v.Safer(); !ok || names(c, []Entrant{e}) != "b" {
		t.Errorf("the safer is not told: %v %v", e, ok)
	}
	if _, in := v.Elsewhere(); in != nil {
		t.Error("a tie elsewhere breaks the tie")
	}
	c, v = tie(0.9, 0.8, 0.2, 0.2)
	if e, in := v.Elsewhere(); len(in) != 1 || in[0].Name != "alike" || names(c, []Entrant{e}) != "a" {
		t.Errorf("who is ahead elsewhere is not told: %v %v", e, in)
	}
	if _, ok := v.Safer(); ok {
		t.Error("an equal risk breaks the tie")
	}
	// A further measure that speaks for the other leader: neither is ahead.
	c, _ = tie(0.9, 0.8, 0.2, 0.2)
	c.Measures = append(c.Measures, c.Measures[1])
	c.Measures[3].Label, c.Measures[3].Name = "further", "further"
	for s, mean := range []float64{1, 0.3, 0.6, 0.1} {
		c.Summaries = append(c.Summaries, study.Summary{Setting: s, Measure: 3, Mean: mean, Lo: mean, Hi: mean})
	}
	v = judged(t, c)
	if e, in := v.Elsewhere(); in != nil {
		t.Errorf("%v is ahead in %v though they speak for different leaders", e, in)
	}
}

func TestSafest(t *testing.T) {
	c := compared(0.01, 1, trial{"a", false, 94, 0.9, 0.5}, trial{"b", false, 80, 0.9, 0.2},
		trial{"c", false, 70, 0.9, 0.49}, trial{"d", false, 60, 0.9, math.NaN()})
	v := judged(t, c)
	if e, ok := v.Safest(v.Field); !ok || names(c, []Entrant{e}) != "b" {
		t.Error("the lowest mean risk is not the safest")
	}
	if e, ok := v.ClearlySafer(v.Over(v.Risk, 1)); !ok || names(c, []Entrant{e}) != "b" {
		t.Error("who is clearly safer is not found")
	}
	if _, ok := v.ClearlySafer(v.Over(v.Risk, 2)); ok {
		t.Error("somebody is clearly safer than the safest")
	}
	if v.Useless() {
		t.Error("a risk that tells releases from the original is called useless")
	}
	if v.AgainstOriginal(v.Known[0]) != Level || v.AgainstOriginal(v.Known[1]) != Behind {
		t.Error("94 of 95 per cent within one is level, 80 is behind")
	}
	v.Risk = nil
	if _, ok := v.Safest(v.Field); ok {
		t.Error("there is a safest without a risk")
	}
}

func TestWins(t *testing.T) {
	c := compared(0.001, 3, trial{"a", false, 90, 0.9, 0.2}, trial{"b", false, 80, 0.9, 0.1})
	for i := range c.Summaries {
		if s := &c.Summaries[i]; s.Data == 2 && s.Setting == 2 && s.Measure == 0 {
			s.Mean = 92
		}
	}
	v := judged(t, c)
	if n := v.Wins(v.Known[0]); names(c, v.Known[:1]) != "a" || n != 2 {
		t.Errorf("%s wins %d of 3, want a, 2", names(c, v.Known[:1]), n)
	}
}
