package rank

import (
	"math"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// values draws a few known and missing values with ties.
func values(t *rapid.T) []float64 {
	return rapid.SliceOfN(rapid.Map(rapid.IntRange(-6, 6), func(k int) float64 {
		if k == 6 {
			return missing
		}
		return float64(k) / 3
	}), 1, 20).Draw(t, "values")
}

// share counts the values up to x.
func share(m Marginal, x float64) float64 {
	n := 0
	for _, v := range m {
		if v <= x {
			n++
		}
	}
	return float64(n) / float64(len(m))
}

// Step is the smallest value whose distribution function reaches u; Linear the line through ((i-0.5)/n, i-th value).
func TestQuantilesEqualTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		v := values(t)
		m := MarginalOf(v)
		n := float64(len(m))
		u := rapid.Float64Range(0, 1).Draw(t, "u")
		if n == 0 {
			if m.Step(u) == m.Step(u) || m.Linear(u) == m.Linear(u) {
				t.Fatal("no values have a quantile")
			}
			return
		}
		// Just below a share that is reached, rounding may take u for it.
		step := slices.IndexFunc(m, func(x float64) bool { return share(m, x) >= u-1e-12 })
		if got := m.Step(u); got != m[step] && share(m, got) < u || !slices.Contains(m, got) {
			t.Fatalf("Step(%v) of %v is %v, expected %v", u, m, got, m[step])
		}
		want := m[0]
		for i := 1; i < len(m); i++ {
			if at := (float64(i) - 0.5) / n; u > at {
				want = m[i-1] + (m[i]-m[i-1])*min((u-at)*n, 1)
			}
		}
		if got := m.Linear(u); math.Abs(got-want) > 1e-12 {
			t.Fatalf("Linear(%v) of %v is %v, expected %v", u, m, got, want)
		}
	})
}

// At (i - 0.5)/n both are the i-th value; at 0 and 1, and beyond, the smallest and the largest.
func TestQuantilesAtTheValues(t *testing.T) {
	m := Marginal{-2, 0, 0, 1, 7}
	for i, x := range m {
		if u := (float64(i) + 0.5) / 5; m.Step(u) != x || math.Abs(m.Linear(u)-x) > 1e-12 {
			t.Errorf("at %v: Step %v, Linear %v, expected %v", u, m.Step(u), m.Linear(u), x)
		}
	}
	for _, u := range []float64{-1, 0, 1, 2, math.Inf(1), math.Inf(-1)} {
		want := m[0]
		if u > 0.5 {
			want = m[4]
		}
		if m.Step(u) != want || m.Linear(u) != want {
			t.Errorf("at %v: Step %v, Linear %v, expected %v", u, m.Step(u), m.Linear(u), want)
		}
	}
	if x := m.Linear(missing); x == x || m.Step(missing) == m.Step(missing) {
		t.Error("no u has a quantile")
	}
	wide := Marginal{math.Inf(-1), math.Inf(-1), 0, math.Inf(1), math.Inf(1)}
	for u := range 101 {
		if x := wide.Linear(float64(u) / 100); x != x {
			t.Errorf("Linear(%v) of infinite values is missing", float64(u)/100)
		}
	}
}

// dumbF is Sullivan & Fuller's distribution: the share below and half of the equal ones at a value, linear between.
func dumbF(v []float64, x float64) float64 {
	n, at := 0.0, map[float64]float64{}
	for _, a := range v {
		if a == a {
			n++
			at[a] = 0
		}
	}
	below, above := math.Inf(-1), math.Inf(1)
	for a := range at {
		for _, b := range v {
			if b < a {
				at[a] += 1 / n
			} else if b == a {
				at[a] += 0.5 / n
			}
		}
		if a <= x {
			below = max(below, a)
		}
		if a >= x {
			above = min(above, a)
		}
	}
	switch {
	case math.IsInf(below, 0):
		return at[above]
	case math.IsInf(above, 0) || above == below:
		return at[below]
	}
	return at[below] + (at[above]-at[below])*(x-below)/(above-below)
}

func TestSmoothedEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		v := values(t)
		r := Of(v)
		s := NewSmoothed(r)
		x, u := rapid.Float64Range(-3, 3).Draw(t, "x"), rapid.Float64Range(0, 1).Draw(t, "u")
		if len(r.Sorted) == 0 {
			if s.F(x) == s.F(x) || s.Inverse(u) == s.Inverse(u) {
				t.Fatal("no values have a distribution")
			}
			return
		}
		if got, want := s.F(x), dumbF(v, x); math.Abs(got-want) > 1e-12 {
			t.Fatalf("F(%v) of %v is %v, expected %v", x, v, got, want)
		}
		for i, m := range r.Mid() {
			want := (m - 0.5) / float64(len(r.Sorted))
			if m == m && (math.Abs(s.F(v[i])-want) > 1e-15 || math.Abs(s.Inverse(want)-v[i]) > 1e-12) {
				t.Fatalf("%v of %v: F %v, expected %v, whose inverse is %v", v[i], v, s.F(v[i]), want, s.Inverse(want))
			}
		}
		y := s.Inverse(u)
		lowest, highest := s.F(r.Sorted[0]), s.F(r.Sorted[len(r.Sorted)-1])
		if want := min(max(u, lowest), highest); math.Abs(s.F(y)-want) > 1e-9 {
			t.Fatalf("the inverse of %v at %v is %v, where F is %v", v, u, y, s.F(y))
		}
	})
}

// The guide finds the knots of a crowded distribution as well as those of a sparse one.
func TestSmoothedInverseOfSkewedShares(t *testing.T) {
	v := make([]float64, 10_000)
	for i := range v {
		v[i] = max(0, float64(i-9000))
	}
	s := NewSmoothed(Of(v))
	for k := range 10_001 {
		u := float64(k) / 10_000
		x := s.Inverse(u)
		if f := s.F(x); math.Abs(f-min(max(u, s.F(0)), s.F(999))) > 1e-12 || x < 0 || x > 999 {
			t.Fatalf("Inverse(%v) is %v, where F is %v", u, x, f)
		}
	}
	if x := s.Inverse(missing); x == x || s.F(missing) == s.F(missing) {
		t.Error("what is missing has a place in the distribution")
	}
}

// F returns the distribution function at x: constant outside the values that occur, where it is half the share of the
// smallest value or 1 less half that of the largest. It is NaN without values. Cost: O(log n).
func (s *Smoothed) F(x float64) float64 {
	n := len(s.values)
	if n == 0 || x != x {
		return missing
	}
	k := sort.SearchFloat64s(s.values, x)
	switch {
	case k == n:
		return s.f[n-1]
	case k == 0 || s.values[k] == x:
		return s.f[k]
	}
	return between(s.f[k-1], s.f[k], (x-s.values[k-1])/(s.values[k]-s.values[k-1]))
}
