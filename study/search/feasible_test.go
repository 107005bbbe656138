package search

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/study"
)

// working is a world in which a technique takes so many seconds with a setting, from the first figure to the second,
// and may take at most one. It counts how often these were measured.
func (w *world) working(seconds func(candidate int, levels []int) (lo, hi float64)) (q Request, measured *int) {
	q, measured = w.request(), new(int)
	q.Works = true
	try, most := q.Try, 1.0
	q.Try = func(ctx context.Context, t Trial) (Tried, error) {
		if !t.Works {
			return try(ctx, t)
		}
		*measured++ // nothing else runs meanwhile: the race detector says so
		lo, hi := seconds(t.Candidate, t.Levels)
		d := study.Demand{Measure: "seconds", Max: &most, Standing: study.Unproven}
		if lo == lo {
			v := (lo + hi) / 2
			if d.Value, d.Lo, d.Hi = &v, &lo, &hi; hi <= most {
				d.Standing = study.Met
			}
		}
		return Tried{Demands: []study.Demand{d}}, nil
	}
	return q, measured
}

// falling is a world of four candidates, each of which loses a little more than the one before with any noise.
func falling() *world {
	w := &world{dials: []int{1, 1, 1, 1}, limit: 0.1}
	w.risk = func(_ int, l []int, _, _ int) (float64, float64) { return 1 / (1 + 0.1*float64(l[0])), 0 }
	w.loss = func(c int, l []int, _ int) []float64 {
		v := 0.001*float64(l[0]) + 0.01*float64(c)
		return []float64{v, v}
	}
	return w
}

// Candidates whose work breaks a limit at the worse end of the interval fall out, with the limit and by how much: with
// their strongest noise, and with the least that keeps the others.
func TestLimitsOnWork(t *testing.T) {
	w := falling()
	q, _ := w.working(func(c int, l []int) (float64, float64) {
		switch {
		case c == 0: // too slow with every noise, if only at the worse end
			return 0.9, 1.25
		case c == 1 && l[0] < Levels: // with little noise
			return 1.5, 1.75
		}
		return 0.1, 1
	})
	got, err := Choose(context.Background(), q)
	if err != nil || got.Chosen == nil || got.Chosen.Candidate != 2 || got.RunnerUp == nil || got.RunnerUp.Candidate != 3 {
		t.Fatalf("%+v, %v; expected the third candidate before the fourth", got, err)
	}
	by := map[int]float64{0: 0.25, 1: 0.75}
	for _, r := range got.Rejected {
		if want := by[r.Candidate]; r.Demand == nil || r.Demand.Measure != "seconds" || r.By != want {
			t.Errorf("%+v is out; expected by %v s", r, want)
		}
		delete(by, r.Candidate)
	}
	if len(by) > 0 {
		t.Errorf("not out are %v", by)
	}
	for _, p := range got.Points {
		if p.Candidate < 2 && p.Keeps {
			t.Errorf("%+v keeps every limit", p)
		}
	}
	for _, p := range got.Prices {
		if p.Loss < got.Chosen.Total-1e-9 {
			t.Errorf("the price is of what is out: %+v", p)
		}
	}
}

// Where nothing is limited, work is not measured, and where it keeps the limits, the choice is what it is without.
func TestWorkThatKeepsItsLimitsChangesNothing(t *testing.T) {
	w := falling()
	plain := must.Get(Choose(context.Background(), w.request()))(t)
	q, measured := w.working(func(int, []int) (float64, float64) { return 0.1, 0.2 })
	got, err := Choose(context.Background(), q)
	if err != nil || got.Chosen == nil || *measured == 0 {
		t.Fatalf("%v, %v, measured %d times", got, err, *measured)
	}
	if got.Chosen.Candidate != plain.Chosen.Candidate || got.Chosen.Total != plain.Chosen.Total ||
		got.Trials != plain.Trials+*measured ||
		len(got.Ranking) != len(plain.Ranking) {
		t.Errorf("%+v\nwithout limits on work: %+v", got, plain)
	}
}

// What cannot be measured with the strongest noise may be with less; what cannot be measured there either is out.
func TestWorkThatCannotBeMeasured(t *testing.T) {
	w := falling()
	q, _ := w.working(func(c int, l []int) (float64, float64) {
		if c == 0 || c == 1 && l[0] == Levels {
			return math.NaN(), math.NaN()
		}
		return 0.1, 0.2
	})
	got, err := Choose(context.Background(), q)
	if err != nil || got.Chosen == nil || got.Chosen.Candidate != 1 {
		t.Fatalf("%+v, %v; expected the second candidate", got, err)
	}
	if r := got.Rejected[0]; r.Candidate != 0 || r.Demand == nil || r.Demand.Value != nil || !math.IsInf(r.By, 1) {
		t.Errorf("%+v", r)
	}
}

// A setting of finer steps is measured too before it is released, and one that is too slow is not.
func TestWorkOfWhatIsConfirmed(t *testing.T) {
	w := falling()
	seen := map[int]bool{}
	q, _ := w.working(func(c int, l []int) (float64, float64) {
		if c == 0 && l[0]%coarse != 0 {
			seen[l[0]] = true
			return 2, 3
		}
		return 0.1, 0.2
	})
	released := 0
	confirm := q.Confirm
	q.Confirm = func(ctx context.Context, s Setting, worked []study.Demand, strictly bool) (Confirmation, error) {
		if released++; len(worked) != 1 || worked[0].Standing != study.Met || s.Candidate == 0 && s.Levels[0]%coarse != 0 {
			t.Errorf("%v is released with %+v", s, worked)
		}
		return confirm(ctx, s, worked, strictly)
	}
	got, err := Choose(context.Background(), q)
	if err != nil || got.Chosen == nil || len(seen) == 0 || released != 1 {
		t.Fatalf("%+v, %v, %d released, %v too slow", got, err, released, seen)
	}
	if got.Confirmed[0].Keeps || got.Confirmed[0].Demands[0].Measure != "seconds" {
		t.Errorf("%+v", got.Confirmed[0])
	}
}
