package search

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// rugged is a world of one candidate with so many dials, each with nine levels that differ; which settings keep the
// limit and what they lose follows no order, but the strongest noise keeps it.
func rugged(t *rapid.T, dials int) *world {
	cell := func(l []int) string {
		var at []int
		for _, n := range l {
			at = append(at, n*scanned/Levels)
		}
		return fmt.Sprint(at)
	}
	keeps, loss := map[string]bool{}, map[string]float64{}
	c := Candidate{Dials: make([]Dial, dials)}
	for k, set := range c.grid(0, scanned) {
		keeps[cell(set.Levels)] = rapid.IntRange(0, 5).Draw(t, fmt.Sprint("keeps", k)) == 0
		loss[cell(set.Levels)] = rapid.Float64Range(0, 1).Draw(t, fmt.Sprint("loss", k))
	}
	keeps[cell(c.at(0, Levels).Levels)] = true
	w := &world{dials: []int{dials}, limit: 0.1}
	w.risk = func(_ int, l []int, _, _ int) (float64, float64) {
		if keeps[cell(l)] {
			return 0.05, 0
		}
		return 0.5, 0
	}
	w.loss = func(_ int, l []int, _ int) []float64 { v := loss[cell(l)]; return []float64{v, v} }
	return w
}

// TestScanFindsTheBestOfTheGrid: of a table of few records a finalist's choice loses no more than the best of its grid,
// in whatever order noise helps.
func TestScanFindsTheBestOfTheGrid(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		w := rugged(t, rapid.IntRange(1, 2).Draw(t, "dials"))
		q := w.request()
		got, err := Choose(context.Background(), q)
		if err != nil || got.Chosen == nil {
			t.Fatalf("%v, %v", got, err)
		}
		q.Grid = scanned
		grid, err := Choose(context.Background(), q)
		if err != nil || grid.Chosen == nil {
			t.Fatalf("%v, %v", grid, err)
		}
		if got.Chosen.Total > grid.Chosen.Total {
			t.Fatalf("%v loses %v; on the grid %v loses %v", got.Chosen.Levels, got.Chosen.Total, grid.Chosen.Levels,
				grid.Chosen.Total)
		}
	})
}

// Of a larger table the grid is put in order on a ninth of the records, and few of its settings are judged.
func TestScanOfManyRecords(t *testing.T) {
	w := &world{dials: []int{2}, limit: 0.1}
	w.risk = func(_ int, l []int, _, _ int) (float64, float64) { return 1 / (1 + 0.1*float64(l[0])), 0 }
	w.loss = func(_ int, l []int, _ int) []float64 {
		v := 0.001*float64(l[0]) + 0.002*float64(l[1])
		return []float64{v, v}
	}
	q := w.request()
	q.LeastShare = 0.01
	var judged, whole, some atomic.Int64
	try := q.Try
	q.Try = func(ctx context.Context, t Trial) (Tried, error) {
		switch {
		case !t.Unjudged:
			judged.Add(1)
		case t.Share == 1:
			whole.Add(1)
		default:
			some.Add(1)
		}
		return try(ctx, t)
	}
	got, err := Choose(context.Background(), q)
	if err != nil || got.Chosen == nil {
		t.Fatalf("%v, %v", got, err)
	}
	if l := got.Chosen.Levels; l[1] != 0 || l[0] < 90 || l[0] > 96 {
		t.Errorf("levels %v; expected about 90 and 0", l)
	}
	if judged.Load() > 50 || whole.Load() > 1 || some.Load() < 81 {
		t.Errorf("%d settings were judged, %d measured on all records and %d on some", judged.Load(), whole.Load(),
			some.Load())
	}
}

// Where only the mildest noise was shown to keep the limit, and does not when it is released anew, more and more is
// confirmed.
func TestMoreNoiseIsConfirmed(t *testing.T) {
	w := &world{dials: []int{1}, limit: 0.1}
	w.risk = func(int, []int, int, int) (float64, float64) { return 0.05, 0 }
	w.loss = func(_ int, l []int, _ int) []float64 { v := 0.001 * float64(l[0]); return []float64{v, v} }
	w.fresh = func(_ int, l []int) float64 { return 0.12 - 0.001*float64(l[0]) }
	got, err := Choose(context.Background(), w.request())
	if err != nil || got.Chosen == nil || got.Chosen.Levels[0] != 2*coarse {
		t.Fatalf("%+v, %v; expected level %d", got, err, 2*coarse)
	}
	var levels []int
	for _, c := range got.Confirmed {
		levels = append(levels, c.Setting.Levels[0])
	}
	if !slices.Equal(levels, []int{0, coarse / 2, coarse, 2 * coarse}) {
		t.Errorf("confirmed levels %v", levels)
	}
}

// A budget that is spent during a scan ends it.
func TestBudgetOfAScan(t *testing.T) {
	w := &world{dials: []int{2}, limit: 0.1}
	w.risk = func(_ int, l []int, _, _ int) (float64, float64) { return 1 / (1 + 0.1*float64(l[0])), 0 }
	w.loss = func(_ int, l []int, _ int) []float64 { v := 0.001 * float64(l[0]+l[1]); return []float64{v, v} }
	q := w.request()
	const enough = 50 // trials; a scan alone makes 162
	q.Spent = func() bool { return w.trials.Load() > enough }
	got, err := Choose(context.Background(), q)
	if err != nil || !got.Cut || got.Chosen == nil {
		t.Fatalf("%+v, %v", got, err)
	}
	if n := w.trials.Load(); n > enough+20 {
		t.Errorf("%d trials, though the budget was spent after %d", n, enough)
	}
}
