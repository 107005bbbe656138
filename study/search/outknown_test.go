package search

import (
	"context"
	"testing"

	"github.com/dither-data/dither/study"
)

// TestOutknown: a candidate that fails somebody who knows more does not beat one that meets all, whatever it loses.
// Where none meets all, or none that does is confirmed, the limits hold against those whom they bind.
func TestOutknown(t *testing.T) {
	for _, c := range []struct {
		name      string
		fails     func(candidate, level int) bool // somebody who knows more
		confirms  func(candidate int, strictly bool) bool
		want      int
		level     int // of the noise that is chosen, at least
		confirmed int
	}{
		{"none fails", func(int, int) bool { return false }, nil, 0, 0, 1},
		{"the one that loses less fails", func(k, _ int) bool { return k == 0 }, nil, 1, 0, 1},
		{"it fails with little noise", func(k, l int) bool { return k == 1 || l < 128 }, nil, 0, 128, 1},
		{"both fail", func(int, int) bool { return true }, nil, 0, 0, 1},
		{"what meets all is not confirmed", func(k, _ int) bool { return k == 0 },
			func(k int, strictly bool) bool { return !strictly }, 1, 0, 2},
	} {
		w := &world{dials: []int{1, 1}, limit: 0.1}
		w.risk = func(_ int, _ []int, _, _ int) (float64, float64) { return 0.05, 0.01 }
		w.loss = func(k int, l []int, _ int) []float64 {
			v := 0.1 + 0.5*float64(k) + 0.001*float64(l[0])
			return []float64{v, v}
		}
		q := w.request()
		try := q.Try
		q.Try = func(ctx context.Context, tr Trial) (Tried, error) {
			r, err := try(ctx, tr)
			r.Outknown = !tr.Unjudged && c.fails(tr.Candidate, tr.Levels[0])
			return r, err
		}
		q.Confirm = func(_ context.Context, s Setting, _ []study.Demand, strictly bool) (Confirmation, error) {
			keeps := c.confirms == nil || c.confirms(s.Candidate, strictly)
			return Confirmation{Keeps: keeps, Outknown: !keeps}, nil
		}
		got, err := Choose(context.Background(), q)
		if err != nil || got.Chosen == nil {
			t.Errorf("%s: %+v, %v", c.name, got, err)
			continue
		}
		if got.Chosen.Candidate != c.want || got.Chosen.Levels[0] < c.level || len(got.Confirmed) < c.confirmed {
			t.Errorf("%s: candidate %d at %v after %d confirmations", c.name, got.Chosen.Candidate, got.Chosen.Levels,
				len(got.Confirmed))
		}
	}
}
