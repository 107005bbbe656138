package wrap_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

var steps = []float64{0, 1, 0.01, 0.1, 0.5, 5, 0.25, 0.001, 0.3, 0.15, 2.5, 0.7}

func interval(t *rapid.T) table.Interval {
	lo := math.Round(rapid.Float64Range(-50, 50).Draw(t, "lo")*1000) / 1000
	width := math.Round(rapid.Float64Range(0, 30).Draw(t, "width")*1000) / 1000
	if rapid.Bool().Draw(t, "whole") {
		lo, width = math.Round(lo), math.Round(width)
	}
	return table.Interval{
		Lo:     lo,
		Hi:     lo + width,
		OpenLo: rapid.Bool().Draw(t, "openLo"),
		OpenHi: rapid.Bool().Draw(t, "openHi"),
	}
}

// onGrid finds the first and the last of the n multiples of a step that lie in an interval, one by one.
func onGrid(iv table.Interval, step float64) (n int, first, last float64) {
	for k := math.Floor(iv.Lo/step) - 2; k <= iv.Hi/step+2; k++ {
		if v := table.Snap(k*step, step); iv.Contains(v) {
			if n == 0 {
				first = v
			}
			n, last = n+1, v
		}
	}
	return n, first, last
}

// Whatever the value and the noise, the result is in the interval and on the grid if that has a point there.
func TestAddStaysInsideAndOnTheGrid(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		iv, step := interval(t), rapid.SampledFrom(steps).Draw(t, "step")
		d := wrap.On(iv, step)
		v := rapid.Float64Range(-100, 100).Draw(t, "value")
		noise := rapid.Float64Range(-1e4, 1e4).Draw(t, "noise")
		got := d.Add(v, noise)
		if !wrap.Fits(iv, step) {
			if got != v {
				t.Fatalf("a domain without values makes %v of %v", got, v)
			}
			return
		}
		grid := step
		if step == 0 {
			grid = d.Step()
		} else if n, _, _ := onGrid(iv, step); n == 0 {
			grid = 0
		}
		if !iv.Contains(got) || table.Snap(got, grid) != got {
			t.Fatalf("%v plus %v is %v: outside %v or off the grid of %v", v, noise, got, iv, step)
		}
	})
}

// On counts the grid values that an exact comparison finds in the interval.
func TestOnCountsGridValues(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		iv, step := interval(t), rapid.SampledFrom(steps[1:]).Draw(t, "step")
		n, first, last := onGrid(iv, step)
		d := wrap.On(iv, step)
		if !wrap.Fits(iv, step) {
			return
		}
		if n == 0 {
			if lo, hi := d.Limits(); d.Size() != 1 || lo != hi || !iv.Contains(hi) {
				t.Fatalf("%v holds no value of step %v, On finds %v from %v to %v", iv, step, d.Size(), lo, hi)
			}
			return
		}
		lo, hi := d.Limits()
		if d.Size() != float64(n) || lo != first || hi != last {
			t.Fatalf("%v holds %d values of step %v from %v to %v, On finds %v from %v to %v", iv, n, step, first, last,
				d.Size(), lo, hi)
		}
	})
}

// Wrapping moves by whole sizes, and twice the same noise in both directions is no noise.
func TestAddIsACircle(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		d := wrap.On(table.Interval{Lo: -7, Hi: 20}, rapid.SampledFrom([]float64{1, 0.1, 3}).Draw(t, "step"))
		lo, hi := d.Limits()
		v := d.Add(rapid.Float64Range(lo, hi).Draw(t, "value"), 0)
		noise := rapid.IntRange(-500, 500).Draw(t, "noise")
		if back := d.Add(d.Add(v, float64(noise)), float64(-noise)); back != v {
			t.Fatalf("%v plus and minus %d steps is %v", v, noise, back)
		}
		if round := d.Add(v, float64(noise)*d.Size()); round != v {
			t.Fatalf("%v plus %d times the size is %v", v, noise, round)
		}
	})
}

// A cut between two decimals that binary arithmetic cannot tell from one of them is compared as a tree compares it.
func TestOnComparesExactly(t *testing.T) {
	below := math.Nextafter(0.3, 0)
	left := wrap.On(table.Interval{Lo: 0, Hi: below}, 0.1)
	right := wrap.On(table.Interval{Lo: below, Hi: 1, OpenLo: true}, 0.1)
	_, last := left.Limits()
	first, _ := right.Limits()
	if last != 0.2 || first != 0.3 {
		t.Errorf("the halves of a cut just below 0.3 end at %v and start at %v", last, first)
	}
}

func TestMissingAndDirtyValues(t *testing.T) {
	d := wrap.On(table.Interval{Lo: 1, Hi: 10}, 1)
	if got := d.Add(math.NaN(), 3); !math.IsNaN(got) {
		t.Errorf("a missing value becomes %v", got)
	}
	for v, want := range map[float64]float64{99: 10, -4: 1, 3.4: 3, math.Inf(1): 10, math.Inf(-1): 1} {
		if got := d.Add(v, 0); got != want {
			t.Errorf("%v counts as %v, expected %v", v, got, want)
		}
	}
	whole := wrap.On(table.Interval{Lo: 0, Hi: 1}, 0)
	if got := whole.Add(math.Inf(1), 1); got != 0 {
		t.Errorf("infinity plus a step is %v on [0, 1], expected 0", got)
	}
	for name, d := range map[string]wrap.Domain{
		"(9, 10]":  wrap.On(table.Interval{Lo: 9, Hi: 10, OpenLo: true}, 1),
		"[10, 10]": wrap.On(table.Interval{Lo: 10, Hi: 10}, 0),
	} {
		for _, v := range []float64{-3, 4711.25, 77, 10, math.Inf(1)} {
			if got := d.Add(v, 3); got != 10 {
				t.Errorf("%v becomes %v in %s, expected its only value 10", v, got, name)
			}
		}
	}
}

// A continuous interval has at least 2^39 values, unless it has fewer neighbouring numbers: then each is a value, and
// none is lost.
func TestImpliedGrid(t *testing.T) {
	next := func(v float64, n int) float64 {
		for range n {
			v = math.Nextafter(v, math.Inf(1))
		}
		return v
	}
	for _, c := range []struct {
		iv       table.Interval
		min, max float64
	}{
		{table.Interval{Lo: 0, Hi: 1}, 1<<39 + 1, 1<<39 + 1},
		{table.Interval{Lo: 0, Hi: 1, OpenLo: true}, 1 << 39, 1 << 39},
		{table.Interval{Lo: -0.3, Hi: 1e-3, OpenHi: true}, 1 << 39, 1 << 40},
		{table.Interval{Lo: -8e307, Hi: 8e307}, 1 << 39, 1 << 40},
		{table.Interval{Lo: 1e6, Hi: 1e6 + 1e-6}, 8000, 9000},
		{table.Interval{Lo: 1, Hi: next(1, 3), OpenLo: true}, 3, 3},
		{table.Interval{Lo: -1, Hi: next(-1, 1), OpenLo: true}, 1, 1},
		{table.Interval{Lo: 5, Hi: next(5, 2), OpenLo: true, OpenHi: true}, 1, 1},
		{table.Interval{Lo: 0, Hi: next(0, 1)}, 2, 2},
		{table.Interval{Lo: 7, Hi: 7}, 1, 1},
		{table.Interval{}, 1, 1},
	} {
		d := wrap.On(c.iv, 0)
		if lo, hi := d.Limits(); d.Size() < c.min || d.Size() > c.max || !c.iv.Contains(lo) || !c.iv.Contains(hi) {
			t.Errorf("%v has %v values from %v to %v, expected %v to %v values", c.iv, d.Size(), lo, hi, c.min, c.max)
		}
	}
}

// Nothing of a continuous original is left in the low-order bits of its release: the last 8 bits, in steps, are uniform
// whatever the original is. A right program fails once in 200,000.
func TestLowBitsTellNothing(t *testing.T) {
	const runs = 100_000
	d := wrap.On(table.Interval{Lo: 0, Hi: 1}, 0)
	src := rng.New([32]byte{4})
	for _, original := range []float64{0, 0.5, 1, 1.0 / 3, 1e-20} {
		z := make([]float64, runs)
		rng.Normals[uint64](src.Fork(fmt.Sprint(original)).Stream(), z, nil, 0)
		var seen [256]float64
		for _, x := range z {
			k := d.Add(original, 0.01*d.Size()*x) / d.Step()
			if k != math.Trunc(k) {
				t.Fatalf("%v is released as %v steps", original, k)
			}
			seen[int64(k)&255]++
		}
		chi := 0.0
		for _, n := range seen {
			chi += (n - runs/256.0) * (n - runs/256.0) / (runs / 256.0)
		}
		if p := (distuv.ChiSquared{K: 255}).Survival(chi); p < 1e-6 {
			t.Errorf("original %v: chi-square %.1f", original, chi)
		}
	}
}

func TestDecimalSteps(t *testing.T) {
	d := wrap.On(table.Interval{Lo: 0, Hi: 1}, 0.3)
	lo, hi := d.Limits()
	if d.Size() != 4 || lo != 0 || hi != 0.9 || d.Add(0.6, 0) != 0.6 || d.Add(0.6, 1) != 0.9 || d.Add(0.6, 2) != 0 {
		t.Errorf("[0, 1] on the grid of 0.3 has %v values from %v to %v", d.Size(), lo, hi)
	}
}

func TestUnfitIntervalsHaveNoRoom(t *testing.T) {
	for _, c := range []struct {
		iv   table.Interval
		step float64
	}{
		{table.Everything(), 1}, {table.Everything(), 0}, {table.Interval{Lo: 0, Hi: 1e300}, 1},
		{table.Interval{Lo: 1, Hi: 0}, 1},
		{table.Interval{Lo: math.NaN(), Hi: 1}, 0}, {table.Interval{Lo: -1e308, Hi: 1.5e308}, 0}, {table.Interval{Hi: 9}, -1},
		{table.Interval{Lo: 1, Hi: 1, OpenLo: true}, 0}, {table.Interval{Hi: 1}, math.NaN()},
		{table.Interval{Hi: 1e10}, 1e-9}, {table.Interval{}, 1e-310},
	} {
		if d := wrap.On(c.iv, c.step); wrap.Fits(c.iv, c.step) || d.Size() != 0 {
			t.Errorf("%v with step %v: size %v, expected no room", c.iv, c.step, d.Size())
		}
	}
}

// A law is a law: it sums to 1, is symmetric, and NormalLaw is the integral of the density over all pre-images.
func TestLaws(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 97} {
		for _, sd := range []float64{0, 0.01, 0.4, 3, 200} {
			law := wrap.NormalLaw(n, sd)
			sum := 0.0
			for d, p := range law {
				sum += p
				if q := law[(n-d)%n]; math.Abs(p-q) > 1e-15 {
					t.Errorf("n %d, sd %v: law[%d] is %v, its mirror %v", n, sd, d, p, q)
				}
				if sd == 0 {
					continue
				}
				want := 0.0
				normal := distuv.Normal{Sigma: sd}
				for j := -3000; j <= 3000; j++ {
					k := float64(d + j*n)
					want += normal.CDF(k+0.5) - normal.CDF(k-0.5)
				}
				if math.Abs(p-want) > 1e-12 {
					t.Errorf("n %d, sd %v: law[%d] is %v, expected %v", n, sd, d, p, want)
				}
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("n %d, sd %v: the law sums to %v", n, sd, sum)
			}
		}
	}
}

// Normal noise added to a value follows NormalLaw. A right program fails once in a million.
func TestAddFollowsTheLaw(t *testing.T) {
	const runs = 200_000
	d := wrap.On(table.Interval{Lo: 1, Hi: 10}, 1)
	z := make([]float64, runs)
	rng.Normals[uint64](rng.New([32]byte{3}).Stream(), z, nil, 0)
	seen := make([]float64, 10)
	for _, x := range z {
		seen[int(d.Add(4, 3.333*x))-1]++
	}
	chi := 0.0
	for y, p := range wrap.Kernel(wrap.NormalLaw(10, 3.333))[3] {
		chi += (seen[y] - runs*p) * (seen[y] - runs*p) / (runs * p)
	}
	if p := (distuv.ChiSquared{K: 9}).Survival(chi); p < 1e-6 {
		t.Errorf("values seen %v: chi-square %.1f", seen, chi)
	}
}

// BenchmarkAdd adds noise to 1,000 values at a time.
func BenchmarkAdd(b *testing.B) {
	for name, d := range map[string]wrap.Domain{
		"integers": wrap.On(table.Interval{Lo: 1, Hi: 100}, 1), "cents": wrap.On(table.Interval{Lo: 1, Hi: 100}, 0.01),
		"continuous": wrap.On(table.Interval{Lo: 1, Hi: 100}, 0),
	} {
		z := make([]float64, 1000)
		rng.Normals[uint64](rng.New([32]byte{3}).Stream(), z, nil, 0)
		b.Run(name, func(b *testing.B) {
			sd := d.Size() / 3
			for b.Loop() {
				for _, x := range z {
					d.Add(42, sd*x)
				}
			}
			yardstick.Report(b)
		})
	}
}

// TestClipKnowsOneZero: minus zero becomes zero, in a domain and in none.
func TestClipKnowsOneZero(t *testing.T) {
	whole := wrap.On(table.Interval{Lo: -2, Hi: 2}, 1)
	for _, d := range []wrap.Domain{{}, whole} {
		if v := d.Clip(math.Copysign(0, -1)); v != 0 || math.Signbit(v) {
			t.Errorf("%+v: %v", d, v)
		}
	}
}
