package zhuliu

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/internal/noise/uncertainty"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// uniform returns a table of n numbers spread evenly over 0 to 100, of the step.
func uniform(n int, step float64) *table.Table {
	v := make([]float64, n)
	for i := range v {
		v[i] = 100 * float64(i) / float64(n-1)
		if step > 0 {
			v[i] = math.Round(v[i]/step) * step
		}
	}
	a := table.NumColumn("x", step, v)
	return tabletest.Must(a)
}

// What is left of a uniform attribute under uniform noise has a closed form (Agrawal & Aggarwal 2001): the search finds
// its noise, to two digits and the width of an interval.
func TestPrivacyIsThatOfTheClosedForm(t *testing.T) {
	for _, target := range []float64{30, 50, 70} {
		q := New()
		q.Family, q.Privacy = Uniform, target
		p := must.Get(q.Fit(t.Context(), uniform(5000, 0), protecttest.Seed(1)))(t)
		n := p.(*Plan).Laws[0]
		f := uncertainty.Uniform(100, 2*n.Uniform)
		if got := 100 * f.Remaining() / f.Privacy(); got < target-4 || got > target+4 {
			t.Errorf("%v %% are asked for; uniform noise up to %v leaves %.1f", target, n.Uniform, got)
		}
	}
}

// Half of the noise does not leave the privacy: what is found is the least.
func TestLeast(t *testing.T) {
	for _, family := range []string{Uniform, Normal, Redraw} {
		n := modelfile.Number{Low: 0, High: 20, Step: 1}
		v := make([]float64, 3000)
		for i := range v {
			v[i] = float64(i * i % 21)
		}
		s := must.Get(newSearch(&n, v, 0.6))(t)
		least := must.Get(s.least(family))(t)
		left := must.Get(s.left(least))(t)
		less := *least
		less.Uniform, less.Normal = 0.9*less.Uniform, 0.9*less.Normal
		if less.Keep != nil {
			keep := 1 - 0.9*(1-*less.Keep)
			less.Keep = &keep
		}
		under := must.Get(s.left(&less))(t)
		if left < 0.6 || under >= 0.6 {
			t.Errorf("%s: %+v leaves %.3f, a tenth less %.3f; expected 0.6 and less", family, least, left, under)
		}
	}
}

// Of all matrices that are at most gamma-amplifying none of those drawn has a smaller condition number than the one
// that is taken.
func TestGammaDiagonal(t *testing.T) {
	for _, k := range []int{2, 4, 7} {
		p := &Plan{Gamma: 5}
		m := transition.Uniform(k, p.keep(k))
		if g := randomised.Gamma(m); math.Abs(g-5) > 1e-9 {
			t.Errorf("%d categories: gamma is %v", k, g)
		}
		least := m.Condition()
		for _, decay := range []float64{0, 0.3, 0.6, 0.9} {
			for keep := 0.2; keep < 0.99; keep += 0.05 {
				other := transition.Decay(k, keep, decay)
				if randomised.Gamma(other) <= 5+1e-9 && other.Condition() < least-1e-9 {
					t.Errorf("%d categories: keep %v, decay %v has condition %v; the gamma-diagonal %v", k, keep, decay,
						other.Condition(), least)
				}
			}
		}
	}
}

func TestRefused(t *testing.T) {
	q := New()
	q.Family = Redraw
	if _, err := q.Fit(t.Context(), uniform(1000, 0), protecttest.Seed(1)); err == nil ||
		!strings.Contains(err.Error(), `column "x": it has more than 100 values`) {
		t.Errorf("a continuous attribute that is kept or redrawn: %v", err)
	}
	if _, err := q.Fit(t.Context(), uniform(1000, 10), protecttest.Seed(1)); err != nil {
		t.Errorf("an attribute of eleven values: %v", err)
	}
	for _, p := range []*Plan{{Gamma: 1}, {Gamma: 5, Codes: []int{0}, Plan: (&Plan{}).Plan}} {
		if p.Check() == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
}
