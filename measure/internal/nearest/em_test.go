package nearest

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// expected returns the numbers of pairs that have each pattern under a model, exactly.
func expected(pairs, pi float64, m, u []float64) (out []Counted) {
	p := len(m)
	for agree := range uint64(1) << p {
		match, other := pi, 1-pi
		for j := range p {
			if agree>>j&1 != 0 {
				match, other = match*m[j], other*u[j]
			} else {
				match, other = match*(1-m[j]), other*(1-u[j])
			}
		}
		out = append(out, Counted{Pattern{agree, 1<<p - 1}, pairs * (match + other)})
	}
	return out
}

// From the patterns that a model expects, the model is recovered.
func TestFitRecovers(t *testing.T) {
	m, u := []float64{0.95, 0.8, 0.9, 0.7, 0.85}, []float64{0.1, 0.3, 0.05, 0.2, 0.15}
	const pairs, pi = 1e6, 0.01
	got := must.Get(Fit(ctx, expected(pairs, pi, m, u), 5, 2*pi*pairs))(t)
	if math.Abs(got.Pi-pi) > 1e-4 {
		t.Errorf("pi is %v, expected %v", got.Pi, pi)
	}
	for j := range m {
		if math.Abs(got.M[j]-m[j]) > 1e-3 || math.Abs(got.U[j]-u[j]) > 1e-4 {
			t.Errorf("attribute %d: m %v and u %v, expected %v and %v", j, got.M[j], got.U[j], m[j], u[j])
		}
	}
	if got.Iterations >= iteration {
		t.Error("it does not settle")
	}
}

// The bound on the matches holds, and where it is the truth the law is recovered with it.
func TestFitBound(t *testing.T) {
	m, u := []float64{0.95, 0.8, 0.9, 0.7}, []float64{0.1, 0.3, 0.05, 0.2}
	got, _ := Fit(ctx, expected(1e6, 0.01, m, u), 4, 10_000)
	if got.Pi > 0.01 || math.Abs(got.M[0]-m[0]) > 0.01 || math.Abs(got.U[1]-u[1]) > 0.001 {
		t.Errorf("%+v", got)
	}
	if got, _ := Fit(ctx, expected(1e6, 0.01, m, u), 4, 1000); got.Pi > 0.001 {
		t.Errorf("pi is %v", got.Pi)
	}
}

// One more iteration leaves the model where it is: it is a stationary point of the likelihood.
func TestFitIsStationary(t *testing.T) {
	const p = 5
	patterns := expected(5e5, 0.01, []float64{0.95, 0.8, 0.9, 0.9, 0.85}, []float64{0.1, 0.1, 0.05, 0.2, 0.15})
	patterns[3].Pairs *= 1.1 // no model fits exactly
	patterns = append(patterns, Counted{Pattern{1, 3}, 4000}, Counted{Pattern{2, 6}, 900})
	got := must.Get(Fit(ctx, patterns, p, 10_000))(t)
	match, other, matching, pairs := newShares(p), newShares(p), 0.0, 0.0
	for _, c := range patterns {
		z := got.Matching(c.Pattern) * c.Pairs
		match.add(c.Pattern, z)
		other.add(c.Pattern, c.Pairs-z)
		matching += z
		pairs += c.Pairs
	}
	m, u := make([]float64, p), make([]float64, p)
	match.divide(m)
	other.divide(u)
	for j := range p {
		if math.Abs(m[j]-got.M[j]) > 1e-5 || math.Abs(u[j]-got.U[j]) > 1e-5 {
			t.Errorf("attribute %d moves from m %v and u %v to %v and %v", j, got.M[j], got.U[j], m[j], u[j])
		}
	}
	if math.Abs(matching/pairs-got.Pi) > 1e-5 && got.Pi < 10_000/pairs {
		t.Errorf("pi moves from %v to %v", got.Pi, matching/pairs)
	}
}

// Attributes that nobody has, and no pairs at all, do no harm.
func TestFitNothing(t *testing.T) {
	got, err := Fit(ctx, []Counted{{Pattern{1, 1}, 50}, {Pattern{0, 1}, 50}}, 2, 10)
	if err != nil || got.M[1] != 0.5 || got.U[1] != 0.5 || got.Weight(Pattern{0, 2}) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := Fit(ctx, nil, 1, 0); err != nil || math.IsNaN(got.Pi) {
		t.Errorf("%+v, %v", got, err)
	}
}
