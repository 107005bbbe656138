package choice

import (
	"math"
	"testing"

	"github.com/dither-data/dither/study"
)

// finding makes the last measure one that counts the people who are found, with an upper bound above every score by so much.
func finding(c *study.Comparison, above float64) *study.Comparison {
	c.Measures[2].Finds, c.Measures[2].Label, c.Measures[2].Name = true, "found (knows the quasi-identifiers)", "found"
	for _, s := range c.Summaries {
		if s.Measure == 2 {
			cell := study.Cell{Data: s.Data, Setting: s.Setting, Fold: 1, Repeat: 1, Scores: make([]study.Score, 3)}
			cell.Scores[2] = study.Score{Score: s.Mean, Lo: s.Mean, Hi: s.Mean + above}
			c.Cells = append(c.Cells, cell)
		}
	}
	return c
}

// TestChoice: what is taken must be fit for release by the upper bound, the best that is left leads, and ties and few folds are told from each other.
func TestChoice(t *testing.T) {
	for _, w := range []struct {
		name        string
		c           *study.Comparison
		limit       float64
		take, close string
		unfit       string
		enough      bool
	}{
		{"the best lets too many be found", finding(compared(0.001, 1, trial{"a", false, 94, 0.9, 0.2}, trial{"b", false, 80, 0.9, 0.05}), 0.01), 0, "b", "", "a", true},
		{"by the upper bound alone", finding(compared(0.001, 1, trial{"a", false, 94, 0.9, 0.085}, trial{"b", false, 80, 0.9, 0.05}), 0.01), 0, "b", "", "a", true},
		{"the limit is another", finding(compared(0.001, 1, trial{"a", false, 94, 0.9, 0.2}, trial{"b", false, 80, 0.9, 0.05}), 0.01), 0.3, "a", "", "", true},
		{"none is fit", finding(compared(0.001, 1, trial{"a", false, 94, 0.9, 0.2}), 0.01), 0, "", "", "a", true},
		{"a tie", finding(compared(0.01, 1, trial{"a", false, 94, 0.9, 0.05}, trial{"b", false, 93.5, 0.9, 0.05}), 0.01), 0, "", "a b", "", true},
		{"a tie with a safer one", finding(compared(0.01, 1, trial{"a", false, 94, 0.9, 0.08}, trial{"b", false, 93.5, 0.9, 0.01}), 0.001), 0, "b", "a b", "", true},
		{"too wide to tell", finding(compared(0.4, 1, trial{"a", false, 94, 0.9, 0.05}, trial{"b", false, 70, 0.9, 0.05}), 0.01), 0, "", "", "", false},
		{"nobody measured whether people are found", compared(0.001, 1, trial{"a", false, 94, 0.9, 0.2}, trial{"b", false, 80, 0.9, 0.05}), 0, "", "", "", true},
		{"it could not be measured", finding(compared(0.001, 1, trial{"a", false, 94, 0.9, math.NaN()}, trial{"b", false, 80, 0.9, 0.05}), 0.01), 0, "b", "", "a", true},
	} {
		k := contest(t, w.c, Options{Found: w.limit})
		v := k.Judge()
		var take []Entrant
		if e, ok := v.Take(); ok {
			take = append(take, e)
		}
		if got := names(w.c, take); got != w.take || names(w.c, v.TooClose()) != w.close || names(w.c, v.Unfit()) != w.unfit || v.Enough() != w.enough {
			t.Errorf("%s: take %q, too close %q, unfit %q, enough %v", w.name, got, names(w.c, v.TooClose()), names(w.c, v.Unfit()), v.Enough())
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

// TestBinds: who knows everything does not bind beside one who knows the quasi-identifiers, and does alone.
func TestBinds(t *testing.T) {
	c := finding(compared(0.001, 1, trial{"a", false, 94, 0.9, 0.05}), 0.01)
	c.Measures = append(c.Measures, c.Measures[2])
	c.Measures[3].Label = "found (knows everything but the class)"
	for i := range c.Cells {
		c.Cells[i].Scores = append(c.Cells[i].Scores, study.Score{Score: 0.5, Lo: 0.5, Hi: 0.5})
	}
	if k := contest(t, c, Options{}); len(k.Finds) != 1 || k.Entrants[0].Unfit != nil {
		t.Error("one who knows everything binds beside one who knows the quasi-identifiers")
	}
	c.Measures = append(c.Measures[:2:2], c.Measures[3], c.Measures[2])
	c.Measures[3].Label, c.Measures[3].Finds = "other", false
	if k := contest(t, c, Options{}); len(k.Finds) != 1 || k.Finds[0].Who != "knows everything but the class" {
		t.Error("one who knows everything does not bind alone")
	}
}

// TestWideAxis: an axis whose intervals are too wide to tell anything is not flat: a setting that is better on it by its mean is not dominated.
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
