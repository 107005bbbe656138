package wrap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/table"
)

// Noise has the frequencies of its kernel on coarse and on fine grids, with and without a mean: drawn by Deviation,
// added by On and Add. In five standard errors a right law fails a value once in 1.7 million, one in some 5,000 of the
// 350 values of the test; its draws are fixed.
func TestNoiseHasItsLaw(t *testing.T) {
	const draws = 40_000
	for _, d := range []Domain{On(table.Interval{Lo: 1, Hi: 10}, 1), On(table.Interval{Lo: 0, Hi: 3}, 0.1)} {
		for _, shape := range Shapes() {
			for _, n := range []Noise{{shape, 0, 33.33}, {shape, 27, 8}, {shape, -95, 60}, {shape, 40, 0}} {
				r := rand.New(rand.NewPCG(1, 2))
				lo, hi := d.Limits()
				x := d.Clip(lo + 0.8*(hi-lo))
				counts := map[float64]float64{}
				for range draws {
					counts[d.Add(x, n.On(&d, n.Shape.Deviation(r.Float64())))]++
				}
				sum, kernel := 0.0, n.In(d, 1)
				for k := range int(d.Size()) {
					y := d.Clip(lo + float64(k)*d.Step())
					p := kernel.P(x, y)
					sum += p
					if got := counts[y] / draws; math.Abs(got-p) > 5*math.Sqrt(p*(1-p)/draws)+1e-9 {
						t.Errorf("%+v: %v becomes %v with %v, drawn with %v", n, x, y, p, got)
					}
				}
				if math.Abs(sum-1) > 1e-9 {
					t.Errorf("%+v: the probabilities sum to %v", n, sum)
				}
			}
		}
	}
}

// Every shape has mean 0 and variance 1 before it is scaled, and as much above a value as is drawn there.
func TestShapes(t *testing.T) {
	const places = 1_000_000
	for _, s := range Shapes() {
		var mean, square, above float64
		for k := range places {
			z := s.Deviation((float64(k) + 0.5) / places)
			mean, square = mean+z/places, square+z*z/places
			if z > 0.7 {
				above += 1.0 / places
			}
		}
		if math.Abs(mean) > 1e-6 || math.Abs(square-1) > 1e-4 || math.Abs(above-s.above(0.7)) > 2e-6 ||
			math.Abs(s.above(-0.7)+s.above(0.7)-1) > 1e-12 {
			t.Errorf("%q: mean %v, mean square %v, %v above 0.7 where %v is expected", s, mean, square, above, s.above(0.7))
		}
		if far := s.above(s.reach()); far > 1e-18 {
			t.Errorf("%q: %v of the law lies beyond its reach", s, far)
		}
	}
}

// On a continuous domain of implied steps the density of every shape sums to 1 over the domain.
func TestShapesOnAContinuousDomain(t *testing.T) {
	d := On(table.Interval{Lo: 0, Hi: 8}, 0)
	const points = 1 << 14
	for _, s := range Shapes() {
		k, sum := (Noise{s, 10, 30}).In(d, 1), 0.0
		for i := range points {
			sum += k.P(2.5, (float64(i)+0.5)*8/points) * d.Size() / points
		}
		if math.Abs(sum-1) > 1e-3 {
			t.Errorf("%q: the probabilities sum to %v", s, sum)
		}
	}
}

func TestNoiseRefused(t *testing.T) {
	for _, n := range []Noise{
		{"cauchy", 0, 1}, {Normal, 0, -1}, {Normal, 0, 1001}, {Normal, 101, 1}, {Normal, math.NaN(), 1},
	} {
		if n.Check() == nil {
			t.Errorf("%+v is accepted", n)
		}
	}
}
