package table

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/yardstick"
)

var steps = []float64{100, 5, 1, 0.5, 0.25, 0.1, 0.01, 0.001, 0.3, 0.15, 2.5, 1.1}

// Snapping twice is snapping once, moves a value by at most half a step, and leaves a value that AppendNumber's text
// names exactly.
func TestSnap(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		step := rapid.SampledFrom(steps).Draw(t, "step")
		v := rapid.Float64Range(-1e6, 1e6).Draw(t, "v")
		a := Attribute{Step: step}
		s := a.Snap(v)
		if s != a.Snap(s) {
			t.Fatalf("Snap(%v, %v) = %v, and snapped again %v", v, step, s, a.Snap(s))
		}
		if math.Abs(s-v) > step/2*(1+1e-9)+math.Abs(v)*0x1p-52 { // the nearest number to a multiple is that far off
			t.Fatalf("Snap(%v, %v) = %v is not the nearest", v, step, s)
		}
		if back, err := strconv.ParseFloat(string(AppendNumber(nil, s, step)), 64); err != nil || back != s {
			t.Fatalf("%v is written %s", s, AppendNumber(nil, s, step))
		}
	})
	for _, v := range []float64{math.Inf(1), math.Inf(-1), 0.123456789} {
		if Snap(v, 0) != v || math.IsInf(v, 0) && Snap(v, 1) != v {
			t.Errorf("Snap moves %v", v)
		}
	}
	if !math.IsNaN(Snap(math.NaN(), 0.1)) {
		t.Error("Snap of a missing value")
	}
}

func TestSnapTies(t *testing.T) {
	for _, c := range []struct{ v, step, want float64 }{
		{2.5, 1, 2}, {3.5, 1, 4}, {-2.5, 1, -2}, {0.125, 0.25, 0}, {0.375, 0.25, 0.5}, {7, 5, 5}, {8, 5, 10},
		{0.30000000000000004, 0.1, 0.3},
		{12.34, 0.01, 12.34}, {0.6, 0.3, 0.6}, {0.7, 0.3, 0.6}, {1.0 / 3, 0.3, 0.3}, {3.3, 1.1, 3.3}, {0.5, 1.0 / 3, 2.0 / 3},
		{7, 2.5, 7.5},
	} {
		if got := Snap(c.v, c.step); got != c.want {
			t.Errorf("Snap(%v, %v) = %v, want %v", c.v, c.step, got, c.want)
		}
	}
}

func TestRatio(t *testing.T) {
	for _, c := range []struct{ step, num, den float64 }{
		{1, 1, 1}, {0.01, 1, 100}, {0.1 * 0.1, 1, 100}, {0.25, 1, 4}, {1.0 / 3, 1, 3}, {1.0 / 49, 1, 49}, {0.3, 3, 10},
		{0.1 + 0.2, 3, 10},
		{0.35, 35, 100}, {1.1, 11, 10}, {5, 5, 1}, {1e15, 1e15, 1}, {1e-15, 1, 1e15}, {math.Pi, math.Pi, 1},
		{2.0 / 3, 2.0 / 3, 1}, {0x1p-40, 1, 0x1p40},
	} {
		if num, den := Ratio(c.step); num != c.num || den != c.den {
			t.Errorf("Ratio(%v) = %v/%v, want %v/%v", c.step, num, den, c.num, c.den)
		}
	}
}

// BenchmarkSnap snaps 1,000 values at a time.
func BenchmarkSnap(b *testing.B) {
	v := make([]float64, 1000)
	for i := range v {
		v[i] = float64(i) * 0.123
	}
	for _, step := range []float64{1, 0.1, 0.01, 5, 0.3} {
		b.Run(fmt.Sprint(step), func(b *testing.B) {
			for b.Loop() {
				for _, x := range v {
					Snap(x, step)
				}
			}
			yardstick.Report(b)
		})
	}
}

func TestDecimals(t *testing.T) {
	for step, want := range map[float64]int{0: -1, 1: 0, 5: 0, 100: 0, 0.5: 1, 0.25: 2, 0.1: 1, 0.01: 2, 2.5: 1, 1e-9: 9,
		1e-15: 15} {
		if got := Decimals(step); got != want {
			t.Errorf("Decimals(%v) = %d, want %d", step, got, want)
		}
	}
}

func TestAppendNumber(t *testing.T) {
	for _, c := range []struct {
		v, step float64
		want    string
	}{
		{3, 1, "3"}, {-3, 1, "-3"}, {1.5, 0.01, "1.50"}, {-0.25, 0.01, "-0.25"}, {10, 5, "10"},
		{1e20, 1, "100000000000000000000"},
		{0.1, 0, "0.1"}, {1e21, 0, "1000000000000000000000"}, {math.Pi, 0, "3.141592653589793"}, {2, 0, "2"},
	} {
		if got := string(AppendNumber([]byte("x"), c.v, c.step)); got != "x"+c.want {
			t.Errorf("AppendNumber(%v, %v) = %s, want %s", c.v, c.step, got[1:], c.want)
		}
	}
}

func TestKindAndRoleStrings(t *testing.T) {
	for got, want := range map[string]string{
		Numeric.String(): "numeric", Categorical.String(): "categorical", Kind(9).String(): "kind(9)",
		Role(0).String(): "other", (Quasi | Class).String(): "quasi-identifier+class",
		fmt.Sprint(Identifier | Weight): "identifier+weight",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
