package noisemodel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

var nan = math.NaN()

// A kernel of a value kept, dealt or drawn anew gives 1 to what may be released, and 0 to the rest; missing stays
// missing.
func TestKernels(t *testing.T) {
	for _, c := range []struct {
		k       noisemodel.Kernel
		x, y, p float64
	}{
		{noisemodel.Kept{}, 3, 3, 1}, {noisemodel.Kept{}, 3, 4, 0}, {noisemodel.Kept{}, nan, nan, 1},
		{noisemodel.Kept{}, nan, 3, 0}, {noisemodel.Kept{}, 3, nan, 0}, {noisemodel.Kept{}, -1, -1, 1},
		{noisemodel.Dealt{}, 2, 0, 1}, {noisemodel.Dealt{}, 2, 2, 1}, {noisemodel.Dealt{}, 2, -1, 0},
		{noisemodel.Dealt{}, 2, nan, 0},
		{noisemodel.Anew{}, 2, -7, 1}, {noisemodel.Anew{}, 2, 2, 1}, {noisemodel.Anew{}, 2, nan, 0},
		{noisemodel.Exchanged{N: 1, Share: 0.5}, 0, 0, 1}, {noisemodel.Exchanged{N: 3, Share: 0.5}, 0, -1, 0},
	} {
		if got := c.k.P(c.x, c.y); got != c.p {
			t.Errorf("%T releases %v as %v with %v, expected %v", c.k, c.x, c.y, got, c.p)
		}
	}
}

// What an exchanged code becomes has the frequencies of drawing it: with the share one of the others, each as often.
func TestExchanged(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		k := noisemodel.Exchanged{N: rapid.IntRange(2, 9).Draw(r, "n"), Share: rapid.Float64Range(0, 1).Draw(r, "share")}
		x, sum := rapid.IntRange(0, k.N-1).Draw(r, "x"), 0.0
		for y := range k.N {
			sum += k.P(float64(x), float64(y))
			if y != x && k.P(float64(x), float64(y)) != k.P(float64(x), float64((x+1)%k.N)) {
				r.Fatalf("%+v: not all other codes are as likely", k)
			}
		}
		if math.Abs(sum-1) > 1e-12 || k.P(float64(x), float64(x)) != 1-k.Share {
			r.Fatalf("%+v: the probabilities sum to %v, that of staying is %v", k, sum, k.P(float64(x), float64(x)))
		}
	})
}

// Noise has the frequencies of normal noise that is rounded and wraps around inside the segment's sub-domain, cut to
// the domain, or inside the whole one where the segment gives none or an empty one. In five standard errors a right law
// fails a value once in 1.7 million.
func TestNoise(t *testing.T) {
	const draws = 200_000
	a := table.Attribute{Name: "x", Step: 1, Domain: table.Interval{Lo: 0, Hi: 9}}
	for name, c := range map[string]struct {
		s      segment.Segment
		lo, hi float64
	}{
		"no sub-domain": {segment.Segment{}, 0, 9},
		"another's":     {segment.Segment{Num: map[int]table.Interval{1: {Lo: 2, Hi: 5}}}, 0, 9},
		"a sub-domain":  {segment.Segment{Num: map[int]table.Interval{4: {Lo: 2, Hi: 5}}}, 2, 5},
		"one beyond":    {segment.Segment{Num: map[int]table.Interval{4: {Lo: 6, Hi: math.Inf(1), OpenLo: true}}}, 7, 9},
		"one outside":   {segment.Segment{Num: map[int]table.Interval{4: {Lo: 20, Hi: 30}}}, 0, 9},
	} {
		kernel := noisemodel.Noise(&a, 4, wrap.Noise{Spread: 30})(&c.s, nil, 0)
		r := rand.New(rand.NewPCG(1, 2))
		size := c.hi - c.lo + 1
		counts := map[float64]float64{}
		for range draws {
			moved := c.hi - c.lo + math.RoundToEven(r.NormFloat64()*0.3*size) // from the upper end
			counts[c.lo+math.Mod(math.Mod(moved, size)+size, size)]++
		}
		sum := 0.0
		for y := -1.0; y <= 10; y++ {
			p := kernel.P(c.hi, y)
			sum += p
			if got := counts[y] / draws; math.Abs(got-p) > 5*math.Sqrt(0.25/draws) {
				t.Errorf("%s: %v is released with %v, drawn with %v", name, y, p, got)
			}
		}
		if math.Abs(sum-1) > 1e-9 || kernel.P(c.hi, nan) != 0 {
			t.Errorf("%s: the probabilities sum to %v, of a missing value %v", name, sum, kernel.P(c.hi, nan))
		}
	}
}

// On a continuous attribute the laws of all parts of the domain are densities by one measure: the part's implied grid
// is finer than the whole's, yet the probabilities sum to 1 over the whole's, and the noise of an eighth of the domain
// is eight times as dense as that of the whole.
func TestNoiseOfAPartOfAContinuousDomain(t *testing.T) {
	a := table.Attribute{Name: "x", Domain: table.Interval{Lo: 0, Hi: 8}}
	part := segment.Segment{Num: map[int]table.Interval{0: {Lo: 2, Hi: 3}}}
	noise := noisemodel.Noise(&a, 0, wrap.Noise{Spread: 30})
	whole, inside := noise(&segment.Segment{}, nil, 0), noise(&part, nil, 0)
	grid := wrap.On(a.Domain, a.Step)
	const points = 1 << 14
	for name, k := range map[string]noisemodel.Kernel{"whole": whole, "part": inside} {
		sum := 0.0
		for i := range points {
			sum += k.P(2.5, (float64(i)+0.5)*8/points) * grid.Size() / points
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Errorf("%s: the probabilities sum to %v", name, sum)
		}
	}
	if got := inside.P(2.5, 2.625) / whole.P(4, 5); math.Abs(got-8) > 1e-6 {
		t.Errorf("an eighth of the domain is %v times as dense", got)
	}
}

// deaf is a mechanism without a law, and lawful one with a law of column 0, which it leaves alone in row 0.
type deaf struct{}

func (deaf) Schema() []table.Attribute { return nil }
func (deaf) Changes() []string         { return nil }

type lawful struct{ deaf }

func (lawful) Law(j int) (noisemodel.Column, bool) {
	return func(_ *segment.Segment, _ *table.Table, row int) noisemodel.Kernel {
		if row == 0 {
			return noisemodel.Kept{}
		}
		return noisemodel.Anew{}
	}, j == 0
}

// A mechanism has a law where it says so, and none of a cell it leaves alone.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		m            noisemodel.Mechanism
		j, row       int
		column, cell bool
	}{{deaf{}, 0, 1, false, false}, {lawful{}, 0, 1, true, true}, {lawful{}, 0, 0, true, false},
		{lawful{}, 1, 1, false, false}} {
		if _, ok := noisemodel.Of(c.m, c.j); ok != c.column {
			t.Errorf("%T has a law of column %d: %v", c.m, c.j, ok)
		}
		if _, ok := noisemodel.At(c.m, c.j, nil, nil, c.row); ok != c.cell {
			t.Errorf("%T has a law of column %d, row %d: %v", c.m, c.j, c.row, ok)
		}
	}
	every := noisemodel.Everywhere(noisemodel.Exchanged{N: 2, Share: 0.5})
	if every(nil, nil, 3) != every(&segment.Segment{}, nil, 9) {
		t.Error("the law of all records differs between two")
	}
}
