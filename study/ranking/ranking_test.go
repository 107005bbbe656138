package ranking

import (
	"math"
	"testing"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/study"
)

// finding makes the last measure one that counts the people who are found, with an upper bound above every score by so
// much.
func finding(c *study.Comparison, above float64) *study.Comparison {
	c.Measures[2].Finds, c.Measures[2].Label, c.Measures[2].Name = true, "found (knows the quasi-identifiers)", "found"
	c.Measures[2].Varied, c.Measures[2].Who = "", "knows the quasi-identifiers"
	for _, s := range c.Summaries {
		if s.Measure == 2 {
			cell := study.Cell{Data: s.Data, Setting: s.Setting, Fold: 1, Repeat: 1, Scores: make([]study.Score, 3)}
			cell.Scores[2] = study.Score{Score: s.Mean, Lo: s.Mean, Hi: s.Mean + above}
			c.Cells = append(c.Cells, cell)
		}
	}
	return c
}

// TestChoice: what is taken must be fit for release by the upper bound, the best that is left leads, and ties and few
// folds are told from each other.
func TestChoice(t *testing.T) {
	for _, w := range []struct {
		name        string
		c           *study.Comparison
		limit       float64
		take, close string
		unfit       string
		enough      bool
	}{
		{"the best lets too many be found", finding(compared(0.001, 1, trial{"a", false, 94, 0.9, 0.2},
			trial{"b", false, 80, 0.9, 0.05}), 0.01), 0, "b", "", "a", true},
		{"by the upper bound alone", finding(compared(0.001, 1, trial{"a", false, 94, 0.9, 0.085},
			trial{"b", false, 80, 0.9, 0.05}), 0.01), 0, "b", "", "a", true},
		{"the limit is another", finding(compared(0.001, 1, trial{"a", false, 94, 0.9, 0.2},
			trial{"b", false, 80, 0.9, 0.05}), 0.01), 0.3, "a", "", "", true},
		{"none is fit", finding(compared(0.001, 1, trial{"a", false, 94, 0.9, 0.2}), 0.01), 0, "", "", "a", true},
		{"a tie", finding(compared(0.01, 1, trial{"a", false, 94, 0.9, 0.05}, trial{"b", false, 93.5, 0.9, 0.05}), 0.01), 0,
			"", "a b", "", true},
		{"a tie with a safer one", finding(compared(0.01, 1, trial{"a", false, 94, 0.9, 0.08},
			trial{"b", false, 93.5, 0.9, 0.01}), 0.001), 0, "b", "a b", "", true},
		{"too wide to tell", finding(compared(0.4, 1, trial{"a", false, 94, 0.9, 0.05}, trial{"b", false, 70, 0.9, 0.05}),
			0.01), 0, "", "", "", false},
		{"nobody measured whether people are found",
			compared(0.001, 1, trial{"a", false, 94, 0.9, 0.2}, trial{"b", false, 80, 0.9, 0.05}), 0, "", "", "", true},
		{"it could not be measured", finding(compared(0.001, 1, trial{"a", false, 94, 0.9, math.NaN()},
			trial{"b", false, 80, 0.9, 0.05}), 0.01), 0, "b", "", "a", true},
	} {
		var opt Options
		if w.limit > 0 {
			opt.Limits = &limit.Set{Limits: []limit.Limit{{Measure: "found", Max: &w.limit}}}
		}
		k := contest(t, w.c, opt)
		v := k.Judge()
		var take []Entrant
		if e, ok := v.Take(); ok {
			take = append(take, e)
		}
		if got := names(w.c, take); got != w.take || names(w.c, v.TooClose()) != w.close ||
			names(w.c, v.Unfit()) != w.unfit ||
			v.Enough() != w.enough {
			t.Errorf("%s: take %q, too close %q, unfit %q, enough %v", w.name, got, names(w.c, v.TooClose()),
				names(w.c, v.Unfit()), v.Enough())
		}
		for _, e := range v.Unfit() {
			if e.Standing != Aside && e.Standing != Unknown {
				t.Errorf("%s: one that is not for release stands on the map", w.name)
			}
		}
	}
}

// TestFewRuns: a tie of few runs, or of one fold, is none.
func TestFewRuns(t *testing.T) {
	tie := func(folds, cells int) bool {
		c := finding(compared(0.01, 1, trial{"a", false, 94, 0.9, 0.05}, trial{"b", false, 93.5, 0.9, 0.05}), 0.01)
		c.Folds = folds
		for i := range c.Summaries {
			c.Summaries[i].Cells = cells
		}
		v := judged(t, c)
		return v.Enough()
	}
	if !tie(2, 5) || tie(2, 4) || tie(1, 5) {
		t.Error("five runs over two folds are the least")
	}
	c := compared(0.01, 1)
	for folds, want := range map[int][2]int{2: {5, 0}, 5: {10, 0}, 10: {0, 2}} {
		c.Folds = folds
		v := judged(t, c)
		if f, r := v.MoreFolds(); f != want[0] || r != want[1] {
			t.Errorf("%d folds: asks for %d, or %d repeats", folds, f, r)
		}
	}
}

// TestBinds: a limit holds against the intruders who are named, and one that is declared against all.
func TestBinds(t *testing.T) {
	c := finding(compared(0.001, 1, trial{"a", false, 94, 0.9, 0.05}), 0.01)
	c.Measures = append(c.Measures, c.Measures[2])
	c.Measures[3].Label, c.Measures[3].Who = "found (knows everything but the class)", "knows everything but the class"
	for i := range c.Cells {
		c.Cells[i].Scores = append(c.Cells[i].Scores, study.Score{Score: 0.5, Lo: 0.5, Hi: 0.5})
	}
	most := 0.09
	for _, w := range []struct {
		binding  []string
		declared bool
		holds    int
		unfit    bool
	}{{[]string{"knows the quasi-identifiers"}, false, 1, false},
		{[]string{"knows everything but the class"}, false, 1, true}, {nil, false, 2, true},
		{[]string{"knows the quasi-identifiers"}, true, 2, true}} {
		set := &limit.Set{Limits: []limit.Limit{{Measure: "found", Max: &most, Declared: w.declared}}}
		if k := contest(t, c, Options{Limits: set, Binding: w.binding}); len(k.Holds) != w.holds ||
			(k.Entrants[0].Unfit != nil) != w.unfit {
			t.Errorf("%v, declared %v: %d measures are held, unfit %v", w.binding, w.declared, len(k.Holds), k.Entrants[0].Unfit)
		}
	}
}

// TestHolds: every limit on a measure that was taken is held, by the end of the figure that could break it; one that
// only some releases can break by the other end. Without limits, and where one was not measured, nothing is taken.
func TestHolds(t *testing.T) {
	at := func(v float64) *float64 { return &v }
	for _, w := range []struct {
		name  string
		limit limit.Limit
		bound float64 // NaN for one that is kept
		take  bool
	}{
		{"a share above", limit.Limit{Measure: "found", Max: at(0.0649)}, 6.5, false},
		{"a share at it", limit.Limit{Measure: "found", Max: at(0.0651)}, math.NaN(), true},
		{"a share that may not be below", limit.Limit{Measure: "accuracy", Min: at(93.95)}, 93.9, false},
		{"one between", limit.Limit{Measure: "accuracy", Min: at(93.8), Max: at(94.05)}, 94.1, false},
		{"one kept", limit.Limit{Measure: "accuracy", Min: at(93.8), Max: at(94.2)}, math.NaN(), true},
		{"one in between, if any", limit.Limit{Measure: "accuracy", Max: at(93.95), IfAny: true}, math.NaN(), true},
		{"one above, if any", limit.Limit{Measure: "accuracy", Max: at(93.85), IfAny: true}, 93.9, false},
		{"one that was not measured", limit.Limit{Measure: "learned", Max: at(0.1)}, math.NaN(), false},
		{"one that was not measured, if any", limit.Limit{Measure: "gaplinkage", Max: at(0.1), IfAny: true}, math.NaN(),
			false},
		{"one on columns", limit.Limit{Measure: limit.Text, Max: at(0)}, math.NaN(), false},
	} {
		c := finding(compared(0.001, 1, trial{"a", false, 94, 0.9, 0.055}), 0.01)
		for i := range c.Cells {
			for k, v := range []float64{94, 0.9} {
				c.Cells[i].Scores[k] = study.Score{Score: v, Lo: v - 0.1, Hi: v + 0.1}
			}
		}
		v := contest(t, c, Options{Limits: &limit.Set{Limits: []limit.Limit{w.limit}}}).Judge()
		got := math.NaN()
		if u := v.Entrants[0].Unfit; u != nil {
			got = u.Bound
		}
		if _, ok := v.Take(); ok != w.take || math.IsNaN(got) != math.IsNaN(w.bound) || math.Abs(got-w.bound) > 1e-9 {
			t.Errorf("%s: bound %v, taken %v", w.name, got, ok)
		}
	}
	v := contest(t, finding(compared(0.001, 1, trial{"a", false, 94, 0.9, 0.055}), 0.01),
		Options{Limits: &limit.Set{Name: limit.None}}).Judge()
	if _, ok := v.Take(); ok {
		t.Error("something is taken though nothing is asked for")
	}
}

// TestWideAxis: an axis whose intervals are too wide to tell anything is not flat: a setting that is better on it by
// its mean is not dominated.
func TestWideAxis(t *testing.T) {
	m := Map{X: Axis{Margin: 1, Coarse: 10}, Y: Axis{Higher: true, Margin: 1, Coarse: 10},
		Points: []Point{{X: within(69.3, 148), Y: within(80, 1)}, {X: within(99, 148), Y: within(90, 1)}}}
	if s := m.Standings(); s[0] != Frontier || s[1] != Frontier {
		t.Errorf("%v", s)
	}
	m.X.Coarse = 0
	if s := m.Standings(); s[0] != Dominated {
		t.Errorf("without a limit of width: %v", s)
	}
}
