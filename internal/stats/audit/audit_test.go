package audit_test

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/stats/audit"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/rng"
)

// falseAlarm is the chance with which one bound of these tests is above the true epsilon, had the seed been another.
const falseAlarm = 1e-6

// runs of each table.
func runs() int { return long.Of(10_000, 100_000) }

func words(label string) mechanism.Words { return rng.New([32]byte{9}).Fork(label).Stream().Words() }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// attacked is the bound of an attack on a release of a count that is 100 or 101.
func attacked(t *testing.T, delta float64, release func(w mechanism.Words, count int64) float64) float64 {
	of := func(label string, count int64) func(int) float64 {
		w := words(label)
		return func(int) float64 { return release(w, count) }
	}
	a := audit.Attack{of("first "+t.Name(), 101), of("second "+t.Name(), 100), runs(), delta, falseAlarm}
	return a.Epsilon()
}

// Every mechanism stays below what it claims, and the attack is good for a third of it.
func TestMechanismsKeepTheirClaim(t *testing.T) {
	one := must(mechanism.NewRatio(1, 1))
	laplace := must(mechanism.NewLaplace(one, 1))
	gaussian := mechanism.NewGaussian(must(mechanism.NewRatio(4, 1)))
	choice := must(mechanism.NewSelection(one, 1))
	bits := make([]bool, 4)
	for _, c := range []struct {
		what           string
		epsilon, delta float64
		release        func(w mechanism.Words, count int64) float64
	}{
		{"discrete Laplace", 1, 0, func(w mechanism.Words, n int64) float64 { return float64(n + laplace.Draw(w)) }},
		{"discrete Gaussian", mechanism.GaussianEpsilon(0.5, 0.01), 0.01,
			func(w mechanism.Words, n int64) float64 { return float64(n + gaussian.Draw(w)) }},
		{"permute and flip", 1, 0, func(w mechanism.Words, n int64) float64 {
			return float64(choice.PermuteAndFlip(w, []int64{n, 201 - n}))
		}},
		{"exponential", 1, 0, func(w mechanism.Words, n int64) float64 {
			return float64(choice.Exponential(w, []int64{n, 201 - n}))
		}},
		{"randomised response", 1, 0, func(w mechanism.Words, n int64) float64 {
			return float64(mechanism.Respond(w, int(n-100), 5, one))
		}},
		{"unary encoding", 1, 0, func(w mechanism.Words, n int64) float64 {
			mechanism.Encode(w, bits, int(n-100), one)
			return map[bool]float64{true: 1}[bits[0]] - map[bool]float64{true: 1}[bits[1]]
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			if got := attacked(t, c.delta, c.release); got > c.epsilon || got < 0.3*c.epsilon {
				t.Errorf("the bound is %.3f, the claim %.3f", got, c.epsilon)
			}
		})
	}
}

// Planted bugs are found: each of these claims an epsilon of 1.
func TestBugsAreFound(t *testing.T) {
	one := must(mechanism.NewRatio(1, 1))
	laplace := must(mechanism.NewLaplace(one, 1))
	double := must(mechanism.NewLaplace(must(mechanism.NewRatio(2, 1)), 1))
	for _, c := range []struct {
		what    string
		release func(w mechanism.Words, count int64) float64
	}{
		{"a sensitivity off by two", func(w mechanism.Words, n int64) float64 { return float64(n + double.Draw(w)) }},
		{"a budget spent twice", func(w mechanism.Words, n int64) float64 {
			return loss(n+laplace.Draw(w)) + loss(n+laplace.Draw(w))
		}},
		{"n taken from the data", func(w mechanism.Words, n int64) float64 {
			return math.Floor(1e6*float64(50+laplace.Draw(w))/float64(n)) * 1e-6 // a share of an exact number
		}},
		{"a domain read from the data", func(w mechanism.Words, n int64) float64 {
			cells := 3 + n - 100 // a record brings a value that no other has
			for range cells {
				laplace.Draw(w)
			}
			return float64(cells)
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			if got := attacked(t, 0, c.release); got <= 1 {
				t.Errorf("the bound is %.3f, not above the claim of 1", got)
			}
		})
	}
}

// loss is how much one output tells of 101 rather than 100.
func loss(y int64) float64 { return math.Abs(float64(y)-100) - math.Abs(float64(y)-101) }
