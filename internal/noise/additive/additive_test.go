package additive

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

func anyNoise(t *rapid.T) Noise {
	size := rapid.Float64Range(0.1, 20).Draw(t, "size")
	switch rapid.IntRange(0, 2).Draw(t, "noise") {
	case 0:
		return Uniform{size}
	case 1:
		return Normal{size}
	default:
		return Holed{size * rapid.Float64Range(0, 6).Draw(t, "epsilon"), size}
	}
}

// integrate is Simpson's rule, between points where a density may jump.
func integrate(f func(float64) float64, points ...float64) float64 {
	const n = 4000
	sum := 0.0
	for k := range len(points) - 1 {
		a, h := points[k], (points[k+1]-points[k])/n
		for i := range n / 2 {
			x, y := a+2*float64(i)*h, min(points[k+1], a+2*float64(i+1)*h)
			sum += h / 3 * (f(math.Nextafter(x, y)) + 4*f(x+h) + f(math.Nextafter(y, x)))
		}
	}
	return sum
}

// Density, distribution, its integral, quantiles, deviation and entropy belong together.
func TestLawsAgree(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := anyNoise(t)
		must.NoError(t, n.Check())
		far, hole := 12*n.SD(), 0.0
		if r := n.Reach(); !math.IsInf(r, 1) {
			far = r
		}
		if h, ok := n.(Holed); ok {
			hole = h.Epsilon / 2
		}
		near := func(what string, got, want float64) {
			if math.Abs(got-want) > 1e-5*max(1, math.Abs(want)) {
				t.Fatalf("%#v: %s is %v; by integration %v", n, what, got, want)
			}
		}
		e := rapid.Float64Range(-1, 1).Draw(t, "e") * far
		points := []float64{-far}
		for _, p := range []float64{-hole, hole} {
			if p < e && p > -far {
				points = append(points, p)
			}
		}
		points = append(points, e)
		near("CDF", n.CDF(e), integrate(n.Density, points...))
		near("mass", n.Mass(e), integrate(n.CDF, points...))
		near("variance", n.SD()*n.SD(), 2*integrate(func(e float64) float64 { return e * e * n.Density(e) }, hole, far))
		near("entropy", n.Entropy(), 2*integrate(func(e float64) float64 {
			if d := n.Density(e); d > 0 {
				return -d * math.Log2(d)
			}
			return 0
		}, hole, far))
		u := rapid.Float64Range(0.001, 0.999).Draw(t, "u")
		near("CDF of quantile", n.CDF(n.Quantile(u)), u)
		near("width", n.CDF(Width(n, u)/2)-n.CDF(-Width(n, u)/2), u)
	})
}

// Widths at 50, 95 and 99.9 % (Agrawal & Srikant 2000, table 1), and the moments of a hole of the width of the
// deviation.
func TestPrintedFigures(t *testing.T) {
	for _, c := range []struct{ got, want, off float64 }{
		{Width(Uniform{1}, 0.5), 1, 1e-12}, {Width(Uniform{1}, 0.95), 1.9, 1e-12}, {Width(Uniform{1}, 0.999), 1.998, 1e-12},
		{Width(Normal{1}, 0.5), 1.349, 5e-4}, {Width(Normal{1}, 0.95), 3.92, 5e-4}, {Width(Normal{1}, 0.999), 6.58, 2e-3},
		{math.Exp2(Normal{3}.Entropy()), 4.1327313541224930 * 3, 1e-9}, {math.Exp2(Uniform{3}.Entropy()), 6, 1e-12},
		{Holed{1, 1}.Variance(), 1.570539, 1e-6},
	} {
		if math.Abs(c.got-c.want) > c.off {
			t.Errorf("%v; expected %v", c.got, c.want)
		}
	}
}

func anyLaw(t *rapid.T) Law {
	var l Law
	switch rapid.IntRange(0, 2).Draw(t, "law") {
	case 0:
		l = Added{anyNoise(t)}
	case 1:
		l = Redrawn{rapid.Float64Range(0, 1).Draw(t, "keep"), -3, 8}
	default:
		l = Classes{-5, 3.5, 4}
	}
	if rapid.Bool().Draw(t, "clamped") {
		l = Clamped{l, -2, 6}
	}
	return l
}

// Cells that cover everything have probability 1; a cell is the sum of its halves; the mean over an interval is that of
// its halves.
func TestCellsAreALaw(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		l := anyLaw(t)
		lo := rapid.Float64Range(-5, 5).Draw(t, "lo")
		hi := lo + rapid.Float64Range(0, 4).Draw(t, "width")
		mid := lo + (hi-lo)/2
		a := rapid.Float64Range(-20, 20).Draw(t, "a")
		b := a + rapid.Float64Range(0.01, 20).Draw(t, "b")
		inf := math.Inf(1)
		if all := l.Cell(-inf, inf, lo, hi); math.Abs(all-1) > 1e-9 {
			t.Fatalf("%#v: all cells have probability %v", l, all)
		}
		if halves := l.Cell(-inf, a, lo, hi) + l.Cell(a, b, lo, hi) + l.Cell(b, inf, lo, hi); math.Abs(halves-1) > 1e-9 {
			t.Fatalf("%#v: three cells have probability %v", l, halves)
		}
		if hi > lo {
			mean := (l.Cell(a, b, lo, mid) + l.Cell(a, b, mid, hi)) / 2
			if got := l.Cell(a, b, lo, hi); math.Abs(got-mean) > 1e-9 {
				t.Fatalf("%#v: [%v, %v) has probability %v; the mean of the halves is %v", l, a, b, got, mean)
			}
		}
	})
}

// A narrow cell has the probability that the density at it says, of a point and of an interval.
func TestDensitiesAreThoseOfCells(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := anyNoise(t)
		l := Added{n}
		lo := rapid.Float64Range(-5, 5).Draw(t, "lo")
		hi := lo + rapid.Float64Range(0.5, 4).Draw(t, "width")
		w := lo + rapid.Float64Range(-1, 1).Draw(t, "w")*3*n.SD()
		if r := n.Reach(); !math.IsInf(r, 1) && math.Abs(math.Abs(w-lo)-r)+math.Abs(math.Abs(w-hi)-r) < 1e-2 {
			t.Skip("at a jump")
		}
		const h = 1e-5
		if got, want := l.Over(w, lo, hi), l.Cell(w-h, w+h, lo, hi)/(2*h); math.Abs(got-want) > 1e-3*max(got, 1e-2) {
			t.Fatalf("%#v: mean density %v at %v; of a cell %v", l, got, w, want)
		}
		if got, want := l.At(w, lo, hi), n.Density(w-(lo+hi)/2); math.Abs(got-want) > 1e-9 {
			t.Fatalf("density %v; expected %v", got, want)
		}
	})
}

func TestRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, l := range []interface{ Check() error }{Uniform{0}, Uniform{nan}, Normal{-1}, Normal{inf}, Holed{-1, 1},
		Holed{1, 0}, Holed{100, 1},
		Redrawn{2, 0, 1}, Redrawn{.5, 1, 0}, Redrawn{.5, 0, inf}, Classes{0, 0, 3}, Classes{nan, 1, 3}, Classes{0, 1, 0},
		Classes{0, inf, 1}} {
		if l.Check() == nil {
			t.Errorf("%#v is not refused", l)
		}
	}
}
