package wrap

import (
	"math"
	"testing"

	"github.com/dither-data/dither/table"
)

// TestKernelsAreLaws compares the kernels, value by value, with the laws of displacement on grids and sub-domains, and
// checks that they sum to 1.
func TestKernelsAreLaws(t *testing.T) {
	for _, iv := range []table.Interval{{Lo: 1, Hi: 10}, {Lo: -3, Hi: 3}, {Lo: 0, Hi: 1}, {Lo: 2, Hi: 7, OpenLo: true}} {
		d := On(iv, 1)
		lo, hi := d.Limits()
		n := int(d.Size())
		for _, sd := range []float64{0, 0.2, 1, 3.333, 40} {
			law, kernel := NormalLaw(n, sd), NoiseKernel{Domain: d, SD: sd}
			for x := lo; x <= hi; x++ {
				sum := 0.0
				for y := lo; y <= hi; y++ {
					want := law[(int(y-x)+n)%n]
					if got := kernel.P(x, y); math.Abs(got-want) > 1e-12 {
						t.Fatalf("%v, sd %v: P(%v, %v) = %v, expected %v", iv, sd, x, y, got, want)
					}
					sum += kernel.P(x, y)
				}
				if math.Abs(sum-1) > 1e-12 {
					t.Fatalf("%v, sd %v: the law of %v sums to %v", iv, sd, x, sum)
				}
			}
		}
		law, kernel := UniformLaw(n), UniformKernel{d}
		for x := lo; x <= hi; x++ {
			for y := lo; y <= hi; y++ {
				if got, want := kernel.P(x, y), law[(int(y-x)+n)%n]; math.Abs(got-want) > 1e-15 {
					t.Fatalf("%v: uniform P(%v, %v) = %v, expected %v", iv, x, y, got, want)
				}
			}
		}
		if (NoiseKernel{Domain: d, SD: 1}).P(lo, hi+1) != 0 || (NoiseKernel{Domain: d, SD: 1}).P(lo, math.NaN()) != 0 ||
			kernel.P(lo, lo-1) != 0 {
			t.Errorf("%v: a value outside has a probability", iv)
		}
	}
}

// TestTabledEqualsKernel: a table tells what the kernel tells, to the last bit, of values on the grid and off it,
// inside the domain and outside.
func TestTabledEqualsKernel(t *testing.T) {
	for _, d := range []Domain{
		On(table.Interval{Lo: 1, Hi: 10}, 1), On(table.Interval{Lo: 4, Hi: 4}, 1), On(table.Interval{Lo: -1.2, Hi: 3.1}, 0.1),
		On(table.Interval{Lo: 20, Hi: 50}, 5), {},
	} {
		lo, hi := d.Limits()
		for _, k := range []NoiseKernel{{Domain: d, SD: 0}, {Domain: d, SD: 0.3, Unit: 3}, {Domain: d, SD: 7},
			{Domain: d, SD: 2000, Unit: 0.5}} {
			tabled := k.Tabled()
			for x := lo - d.Step(); x <= hi+d.Step(); x += d.Step() / 3 {
				for y := lo - 2*d.Step(); y <= hi+2*d.Step(); y += d.Step() / 2 {
					if got, want := tabled.P(x, y), k.P(x, y); got != want {
						t.Fatalf("%+v: P(%v, %v) = %v, expected %v", k, x, y, got, want)
					}
				}
			}
			if got := tabled.P(lo, math.NaN()); got != 0 {
				t.Errorf("%+v: a missing value has the probability %v", k, got)
			}
		}
	}
}

// TestWideKernel checks the density that stands for the sum of a wide law against the exact sum, on 100,000 values.
func TestWideKernel(t *testing.T) {
	d := On(table.Interval{Lo: 1, Hi: 100_000}, 1)
	for _, sd := range []float64{1000, 33_333, 500_000} {
		law := NormalLaw(100_000, sd)
		k := NoiseKernel{Domain: d, SD: sd}
		for move := 0; move < 100_000; move += 997 {
			if got := k.P(1, float64(1+move)); math.Abs(got-law[move]) > 1e-6*law[0] {
				t.Fatalf("sd %v: a move of %d has %v, expected %v", sd, move, got, law[move])
			}
		}
	}
}

// TestContinuousKernel: a continuous domain has the density of the wrapped normal law, up to the step of the implied
// grid.
func TestContinuousKernel(t *testing.T) {
	d := On(table.Interval{Lo: 0, Hi: 1}, 0)
	k := NoiseKernel{Domain: d, SD: 0.3333 * d.Size()}
	for _, y := range []float64{0, 0.1, 0.5, 0.99} {
		want := 0.0
		for t := -20.0; t <= 20; t++ {
			u := (y - 0.2 + t) / 0.3333
			want += math.Exp(-u*u/2) / math.Sqrt(2*math.Pi) / 0.3333
		}
		if got := k.P(0.2, y) / d.Step(); math.Abs(got/want-1) > 1e-6 {
			t.Errorf("density at %v is %v, expected %v", y, got, want)
		}
	}
}
