package search

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// noisy is a world of one candidate with so many dials, whose risk is 1/(1+sigma), where sigma grows by 1/25 with every
// level of a dial of weight 1, and which loses as much as its noise is.
func noisy(weights []float64, limit float64) *world {
	w := &world{dials: []int{len(weights)}, limit: limit}
	sigma := func(l []int) (v float64) {
		for k, n := range l {
			v += weights[k] * float64(n) / 25
		}
		return v
	}
	w.risk = func(_ int, l []int, _, _ int) (float64, float64) { return 1 / (1 + sigma(l)), 0 }
	w.loss = func(_ int, l []int, _ int) []float64 {
		v := 0.0
		for _, n := range l {
			v += float64(n) / (Levels * float64(len(l)))
		}
		return []float64{v, v}
	}
	return w
}

// noise is the least noise that the whole search finds: the sigma of what it confirms, and what that loses; false for
// nothing.
func noise(t *rapid.T, weights []float64, limit float64) (sigma, loss float64, found bool) {
	w := noisy(weights, limit)
	c := must.Get(Choose(context.Background(), w.request()))(t)
	if c.Chosen == nil {
		return 0, 0, false
	}
	r, _ := w.risk(0, c.Chosen.Levels, 0, 0)
	return 1/r - 1, c.Chosen.Total, true
}

// TestLeastOnSteps is the test of LeastReal for whole numbers in steps: a risk of 1/(1+sigma) under a limit of 0.2
// takes a sigma of 4, less than a step more, and half a limit never takes less.
func TestLeastOnSteps(t *testing.T) {
	under := func(t *rapid.T, limit float64, hi, step int, unit float64) int {
		return must.Get(Least(0, hi, step, func(l int) (bool, error) { return 1/(1+unit*float64(l)) <= limit, nil }))(t)
	}
	long.Check(t, func(t *rapid.T) {
		step := rapid.IntRange(1, 32).Draw(t, "step")
		const hi, unit = 4096, 1.0 / 25
		if got := under(t, 0.2, hi, step, unit); got < 100 || got >= 100+step {
			t.Fatalf("in steps of %d: sigma %v; expected 4, less than a step more", step, unit*float64(got))
		}
		limit := rapid.Float64Range(0.02, 0.9).Draw(t, "limit")
		got, half := under(t, limit, hi, step, unit), under(t, limit/2, hi, step, unit)
		if 1/(1+unit*float64(got)) > limit && got < hi || half < got {
			t.Fatalf("in steps of %d under %v: %d, under half of it %d", step, limit, got, half)
		}
	})
}

// TestLeastBySearch is the same of the whole search over one dial: coarse steps, fine steps, with all seeds, and
// confirmed.
func TestLeastBySearch(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		if got, _, ok := noise(t, []float64{1}, 0.2); !ok || got < 4-1e-9 || got > 4+fine/25.0 {
			t.Fatalf("sigma %v, %v; expected 4, at most a fine step more", got, ok)
		}
		limit := rapid.Float64Range(0.1, 0.9).Draw(t, "limit")
		got, _, ok := noise(t, []float64{1}, limit)
		half, _, also := noise(t, []float64{1}, limit/2)
		switch want := 1/limit - 1; {
		case !ok || got < want-1e-9 || got > want+fine/25.0+1e-9:
			t.Fatalf("under %v: sigma %v, %v; expected %v, at most a fine step more", limit, got, ok, want)
		case also && half < got:
			t.Fatalf("half the limit of %v takes less noise: %v, %v", limit, got, half)
		}
	})
}

// TestLeastOfSeveralDials is the same over several dials, of which some help more than others: the limit is kept, with
// no more noise than all dials together take, and half a limit never takes less of what can be lost than the search is
// fine.
func TestLeastOfSeveralDials(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Float64Range(0.5, 1), 2, 3).Draw(t, "weights")
		sum := 0.0
		for _, v := range weights {
			sum += v
		}
		limit := rapid.Float64Range(0.1, 0.9).Draw(t, "limit")
		got, loss, ok := noise(t, weights, limit)
		if !ok || got < (1/limit-1)-1e-9 {
			t.Fatalf("under %v: sigma %v, %v", limit, got, ok)
		}
		together := (1/limit - 1) * 25 / sum / Levels // what all dials together lose
		if loss > together+float64(fine)/Levels+1e-9 {
			t.Fatalf("under %v it loses %v; all dials together %v", limit, loss, together)
		}
		if _, half, ok := noise(t, weights, limit/2); ok && half < loss-1e-9 {
			t.Fatalf("half the limit of %v takes less noise: %v, %v", limit, loss, half)
		}
	})
}
