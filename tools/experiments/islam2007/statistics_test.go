package main

import (
	"math"
	"testing"
)

func TestStatistics(t *testing.T) {
	v := []float64{4, 1, 3, 2}
	for q, want := range map[float64]float64{0: 1, 0.5: 2.5, 0.75: 3.25, 1: 4} {
		if got := quantile(v, q); got != want {
			t.Errorf("the %v quantile is %v, expected %v", q, got, want)
		}
	}
	if v[0] != 4 {
		t.Error("quantile sorted its argument")
	}
	if got := within(v, func(x float64) bool { return x > 1 }); got != 75 {
		t.Errorf("within: %v", got)
	}
	for got, want := range map[string]string{
		meanSpan(v, 1): "2.5 (1.0-4.0)", medianSpan([]float64{1, 1, 4}, 0): "1 (1-4)",
		meanSpan([]float64{0.04, 0.01}, 1): "0.0",
		tally([]string{"b", "a", "b"}):     "2 b, 1 a",
	} {
		if got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}

// TestForced compares the closed forms with sums over a fine grid of the normal density.
func TestForced(t *testing.T) {
	for _, x := range [][4]float64{{1110, 7444, 0, 99999}, {10, 2.5, 1, 16}, {0, 1, -1, 0.5}, {0, 1, 2, 3}} {
		mean, sd, lo, hi := x[0], x[1], x[2], x[3]
		const n = 200_000
		var all, clip, inside, redraw float64
		for i := range n {
			z := -10 + 20*(float64(i)+0.5)/n
			w, v := math.Exp(-z*z/2), mean+sd*z
			all += w
			clip += w * min(max(v, lo), hi)
			if v >= lo && v <= hi {
				inside += w
				redraw += w * v
			}
		}
		if got := clipped(mean, sd, lo, hi); math.Abs(got-clip/all) > 1e-3*sd {
			t.Errorf("clipped%v is %v, expected %v", x, got, clip/all)
		}
		if got := redrawn(mean, sd, lo, hi); math.Abs(got-redraw/inside) > 1e-3*sd {
			t.Errorf("redrawn%v is %v, expected %v", x, got, redraw/inside)
		}
	}
}
