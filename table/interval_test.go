package table

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// drawInterval draws an interval with small bounds, half of them whole numbers, some of them infinite.
func drawInterval(t *rapid.T) Interval {
	bound := rapid.OneOf(rapid.Map(rapid.IntRange(-6, 6), func(k int) float64 { return float64(k) / 2 }),
		rapid.SampledFrom([]float64{math.Inf(-1), math.Inf(1)}))
	return Interval{
		bound.Draw(t, "lo"),
		bound.Draw(t, "hi"),
		rapid.Bool().Draw(t, "open lo"),
		rapid.Bool().Draw(t, "open hi"),
	}
}

// points are values that tell small intervals apart.
func points() []float64 {
	var ps []float64
	for k := -16; k <= 16; k++ {
		ps = append(ps, float64(k)/4)
	}
	return append(ps, -1e300, 1e300)
}

func TestIntersectHoldsWhatBothHold(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		a, b := drawInterval(t), drawInterval(t)
		both := a.Intersect(b)
		for _, v := range points() {
			if both.Contains(v) != (a.Contains(v) && b.Contains(v)) {
				t.Fatalf("%v and %v meet in %v, which is wrong about %v", a, b, both, v)
			}
		}
		if both != b.Intersect(a) && !(both.Empty() && b.Intersect(a).Empty()) {
			t.Fatalf("%v and %v: the order matters", a, b)
		}
		if a.Intersect(Everything()) != a {
			t.Fatalf("%v changes when cut with everything", a)
		}
	})
}

func TestEmptyIntervalsHoldNothing(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		i := drawInterval(t)
		holds := false
		for _, v := range points() {
			holds = holds || i.Contains(v)
		}
		if i.Empty() && holds {
			t.Fatalf("%v is called empty", i)
		}
		if !i.Empty() && !holds && !math.IsInf(i.Lo, 0) && !math.IsInf(i.Hi, 0) {
			t.Fatalf("%v is not called empty", i)
		}
	})
	if Everything().Contains(math.NaN()) || Everything().Empty() || (Interval{}).Empty() || !(Interval{}).Contains(0) {
		t.Error("everything, or the zero interval")
	}
}

// Closing an interval on a grid keeps exactly the multiples that lie in it, and its bounds are multiples.
func TestOnGridKeepsTheMultiples(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		i := drawInterval(t)
		step := rapid.SampledFrom([]float64{2, 1, 0.5, 0.25, 0.1, 0.01}).Draw(t, "step")
		g := i.OnGrid(step)
		for k := -1000; k <= 1000; k++ {
			v := Snap(float64(k)*step, step)
			if math.Abs(v) <= 10 && g.Contains(v) != i.Contains(v) {
				t.Fatalf("%v on the grid of %v is %v, which is wrong about %v", i, step, g, v)
			}
		}
		for _, b := range []float64{g.Lo, g.Hi} {
			if !math.IsInf(b, 0) && Snap(b, step) != b {
				t.Fatalf("%v on the grid of %v ends at %v", i, step, b)
			}
		}
		if i.OnGrid(0) != i {
			t.Fatal("a continuous attribute has no grid")
		}
	})
}

func TestOnGrid(t *testing.T) {
	for _, c := range []struct {
		i    Interval
		step float64
		want Interval
	}{
		{Interval{Lo: 5, Hi: 9, OpenLo: true}, 1, Interval{Lo: 6, Hi: 9}},
		{Interval{Lo: 5, Hi: 9, OpenHi: true}, 1, Interval{Lo: 5, Hi: 8}},
		{Interval{Lo: 4.5, Hi: 8.5}, 1, Interval{Lo: 5, Hi: 8}},
		{Interval{Lo: 0.1, Hi: 0.7}, 0.1, Interval{Lo: 0.1, Hi: 0.7}}, // 0.7/0.1 is 6.999... in binary
		{Interval{Lo: 0.3, Hi: 0.7, OpenLo: true, OpenHi: true}, 0.1, Interval{Lo: 0.4, Hi: 0.6}},
	} {
		if got := c.i.OnGrid(c.step); got != c.want {
			t.Errorf("%v.OnGrid(%v) = %v, want %v", c.i, c.step, got, c.want)
		}
	}
}

func TestIntervalString(t *testing.T) {
	if got := (Interval{Lo: 1, Hi: 2.5, OpenLo: true}).String(); got != "(1, 2.5]" {
		t.Error(got)
	}
	if got := (Interval{Lo: 1, Hi: 2, OpenHi: true}).String(); got != "[1, 2)" {
		t.Error(got)
	}
}
