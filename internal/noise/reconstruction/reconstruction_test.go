package reconstruction

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/noise/additive"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
)

// Eight values on three intervals, three rounds of either kernel, worked out by hand.
func TestThreeRounds(t *testing.T) {
	edges := []float64{0, 1, 2, 3}
	w := []float64{-.3, .4, .9, 1.6, 2.2, 2.8, 3.1, 1.1}
	for _, c := range []struct {
		kernel Kernel
		rounds int
		want   []float64
	}{
		{Intervals, 1, []float64{.361325, .296314, .342361}},
		{Intervals, 2, []float64{.380988, .267339, .351673}},
		{Intervals, 3, []float64{.395832, .244308, .359860}},
		{Midpoints, 1, []float64{.375, .25, .375}},
		{Midpoints, 2, []float64{.4, .2, .4}},
	} {
		o := Options{Kernel: c.kernel, Stop: Never, Rounds: c.rounds}
		ob := must.Get(Values(edges, w, additive.Added{Noise: additive.Uniform{Half: 1}}, o))(t)
		got := must.Get(ob.Reconstruct(context.Background(), o))(t)
		if floats.Distance(got.Shares, c.want, math.Inf(1)) > 1e-6 || got.Rounds != c.rounds || got.Impossible != 0 {
			t.Errorf("kernel %d, %d rounds: %v; expected %v", c.kernel, c.rounds, got.Shares, c.want)
		}
	}
}

// A value that no midpoint explains is left out by that kernel, and one that no original explains by both; the others
// keep all the mass.
func TestImpossibleValues(t *testing.T) {
	edges := []float64{0, 4, 8}
	for kernel, impossible := range map[Kernel]float64{Midpoints: 0.5, Intervals: 0.25} {
		o := Options{Kernel: kernel}
		ob, err := Values(edges, []float64{2, 3.5, 12, math.NaN(), 6}, additive.Added{Noise: additive.Uniform{Half: 1}}, o)
		must.NoError(t, err)
		got := must.Get(ob.Reconstruct(context.Background(), o))(t)
		if got.Impossible != impossible || math.Abs(floats.Sum(got.Shares)-1) > 1e-12 {
			t.Errorf("kernel %d: %v of the values are impossible, shares %v; expected %v and sum 1", kernel, got.Impossible,
				got.Shares, impossible)
		}
	}
	if _, err := Values(edges, []float64{100}, additive.Added{Noise: additive.Uniform{Half: 1}}, Options{}); err == nil {
		t.Error("a release without any possible value is no error")
	}
	if _, err := Values(edges, nil, additive.Added{Noise: additive.Uniform{Half: 1}}, Options{}); err == nil {
		t.Error("an empty release is no error")
	}
}

// problem draws intervals, a law and counts, with empty cells and cells that nothing explains.
func problem(t *rapid.T, kernel Kernel) *Observed {
	m := rapid.IntRange(2, 6).Draw(t, "intervals")
	edges := make([]float64, m+1)
	for k := range edges[1:] {
		edges[k+1] = edges[k] + rapid.Float64Range(0.5, 1.5).Draw(t, "width")
	}
	var l additive.Law
	switch rapid.IntRange(0, 3).Draw(t, "law") {
	case 0:
		l = additive.Added{Noise: additive.Uniform{Half: rapid.Float64Range(0.3, 2).Draw(t, "half")}}
	case 1:
		l = additive.Added{Noise: additive.Normal{Sigma: rapid.Float64Range(0.3, 1).Draw(t, "sigma")}}
	case 2:
		l = additive.Clamped{
			Law:  additive.Added{Noise: additive.Normal{Sigma: rapid.Float64Range(0.3, 1).Draw(t, "sigma")}},
			Low:  edges[0],
			High: edges[m],
		}
	default:
		l = additive.Redrawn{Keep: rapid.Float64Range(0.2, 0.9).Draw(t, "keep"), Low: edges[0], High: edges[m]}
	}
	cells := must.Get(Cover(edges, edges[0]-4, edges[m]+4))(t)
	counts := make([]float64, len(cells)-1)
	for s := range counts {
		counts[s] = float64(max(0, rapid.IntRange(-5, 40).Draw(t, "count")))
	}
	for s := range counts { // some interval must explain something
		if cells[s] == edges[0] {
			counts[s]++
		}
	}
	ob, err := Cells(edges, cells, counts, l, Options{Kernel: kernel})
	if err != nil {
		t.Skip("nothing is possible")
	}
	return ob
}

// fitted returns what the shares make of the rows: unlike shares it is unique where kernels are nearly dependent.
func (ob *Observed) fitted(f []float64) []float64 {
	out := make([]float64, len(ob.counts))
	for s := range out {
		out[s] = floats.Dot(ob.kernel[s*ob.intervals:(s+1)*ob.intervals], f)
	}
	return out
}

func (ob *Observed) likelihood(f []float64) float64 {
	sum := 0.0
	for s, d := range ob.fitted(f) {
		sum += ob.counts[s] * math.Log(d)
	}
	return sum / floats.Sum(ob.counts)
}

// From any start with all intervals, EM ends at the same point; every round keeps the mass and raises the likelihood.
func TestSamePointFromAnyStart(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		ob := problem(t, Intervals)
		o := Options{Stop: Optimum, Rounds: 300_000}
		best := must.Get(ob.Reconstruct(context.Background(), o))(t)
		o.Start = make([]float64, ob.intervals)
		for p := range o.Start {
			o.Start[p] = math.Exp(rapid.Float64Range(-8, 0).Draw(t, "start"))
		}
		again := must.Get(ob.Reconstruct(context.Background(), o))(t)
		for _, r := range []*Result{best, again} {
			if math.Abs(floats.Sum(r.Shares)-1) > 1e-9 || floats.Min(r.Shares) < 0 {
				t.Fatalf("shares %v", r.Shares)
			}
		}
		if d := math.Abs(ob.likelihood(best.Shares) - ob.likelihood(again.Shares)); d > 1e-8 {
			t.Fatalf("likelihoods differ by %v after %d and %d rounds", d, best.Rounds, again.Rounds)
		}
		if d := floats.Distance(ob.fitted(best.Shares), ob.fitted(again.Shares), math.Inf(1)); d > 1e-3 {
			t.Fatalf("the release is explained differently by %v: %v and %v", d, best.Shares, again.Shares)
		}
	})
}

func TestEveryRoundKeepsMassAndRises(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		ob := problem(t, Kernel(rapid.IntRange(0, 1).Draw(t, "kernel")))
		f, next := slices.Repeat([]float64{1 / float64(ob.intervals)}, ob.intervals), make([]float64, ob.intervals)
		before := math.Inf(-1)
		for range 20 {
			n := ob.round(ob.counts, f, next)
			dumb := ob.dumb(f)
			if floats.Distance(next, dumb, math.Inf(1)) > 1e-12 || math.Abs(floats.Sum(next)-1) > 1e-12 ||
				n != floats.Sum(ob.counts) {
				t.Fatalf("a round gives %v of %v values; the definition %v of %v", next, n, dumb, floats.Sum(ob.counts))
			}
			f, next = next, f
			now := ob.likelihood(f)
			if now < before-1e-12 {
				t.Fatalf("the likelihood falls from %v to %v", before, now)
			}
			before = now
		}
	})
}

// dumb is a round as the papers print it, with the sum over values outside.
func (ob *Observed) dumb(f []float64) []float64 {
	out := make([]float64, ob.intervals)
	n := floats.Sum(ob.counts)
	for p := range out {
		for s := range ob.counts {
			below := 0.0
			for t := range f {
				below += ob.kernel[s*ob.intervals+t] * f[t]
			}
			out[p] += ob.counts[s] / n * ob.kernel[s*ob.intervals+p] * f[p] / below
		}
	}
	return out
}

// draws returns n values of two humps and what noise makes of them.
func draws(n int, sd float64) (x, w []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	x, w = make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = math.Mod(30+10*r.NormFloat64()+float64(r.IntN(2))*40+100, 100)
		w[i] = x[i] + sd*r.NormFloat64()
	}
	return x, w
}

// Two humps: the reconstruction is closer to the truth than what is seen, and two errors hold the truth. Noise of a
// privacy of 100 % makes one hump of two, which the rule of Agrawal & Srikant stops too early to tell apart: the errors
// say so, and more rounds tell.
func TestTwoHumps(t *testing.T) {
	for _, c := range []struct {
		sd     float64
		o      Options
		better float64 // loss, as a share of that of the release
	}{
		{25 / 3.92, Options{Kernel: Midpoints}, 0.3},
		{25 / 3.92, Options{Kernel: Intervals}, 0.3},
		{100 / 3.92, Options{Kernel: Intervals}, 1},
		{100 / 3.92, Options{Kernel: Intervals, Stop: Never, Rounds: 500}, 0.6},
	} {
		x, w := draws(50_000, c.sd)
		edges := must.Get(Edges(0, 100, 0, 20))(t)
		share := func(v []float64) []float64 {
			c := Count(edges, v)
			floats.Scale(1/floats.Sum(c), c)
			return c
		}
		truth, seen := share(x), share(w)
		c.o.Replicates = 40
		got, err := Reconstruct(context.Background(), edges, w, additive.Added{Noise: additive.Normal{Sigma: c.sd}}, c.o)
		must.NoError(t, err)
		loss, _ := Loss(got.Shares, truth)
		blurred, _ := Loss(seen, truth)
		held := 0
		for p, f := range got.Shares {
			if math.Abs(f-truth[p]) <= 2*got.Errors[p] {
				held++
			}
		}
		t.Logf("%+v: loss %.3f in %d rounds, seen %.3f; two errors hold %d of 20", c, loss, got.Rounds, blurred, held)
		if loss > c.better*blurred || held < 18 {
			t.Errorf("%+v: the loss is %v, that of the release %v; two errors hold %d of 20 shares", c, loss, blurred, held)
		}
	}
}

// With a kernel that can be undone, the errors of the bootstrap are those of the estimates over many samples.
func TestErrorsAreThoseOfManySamples(t *testing.T) {
	m := [][]float64{{0.8, 0.1, 0.1}, {0.1, 0.8, 0.1}, {0.1, 0.1, 0.8}}
	r := rand.New(rand.NewPCG(3, 4))
	const n, samples = 2000, 300
	sum, squares, told := make([]float64, 3), make([]float64, 3), make([]float64, 3)
	for range samples {
		counts := make([]float64, 3)
		for range n {
			x := min(2, r.IntN(4)) // shares 1/4 1/4 1/2
			y := 0
			for u := r.Float64(); u >= m[x][y] && y < 2; y++ {
				u -= m[x][y]
			}
			counts[y]++
		}
		ob := must.Get(Matrix(m, counts))(t)
		got, err := ob.Reconstruct(context.Background(), Options{Stop: Optimum, Replicates: 40, Seed: uint64(r.Int())})
		must.NoError(t, err)
		for p, f := range got.Shares {
			sum[p], squares[p], told[p] = sum[p]+f, squares[p]+f*f, told[p]+got.Errors[p]/samples
		}
	}
	for p := range sum {
		mean := sum[p] / samples
		sd := math.Sqrt(squares[p]/samples - mean*mean)
		// The deviation of 300 samples is known to 4 %: four of these, and a little for the replicates.
		if math.Abs(told[p]/sd-1) > 0.18 {
			t.Errorf("category %d: error %.4f, deviation over samples %.4f", p, told[p], sd)
		}
		if want := []float64{.25, .25, .5}[p]; math.Abs(mean-want) > 5*sd/math.Sqrt(samples) {
			t.Errorf("category %d: mean %.4f; expected %v", p, mean, want)
		}
	}
}

// Intervals of one grid value each, noise rounded to the grid and ends that all beyond is brought to: the kernel is the
// probability that it counts.
func TestGridAndEnds(t *testing.T) {
	edges, err := Edges(0, 4, 1, 100)
	if err != nil || !slices.Equal(edges, []float64{-.5, .5, 1.5, 2.5, 3.5, 4.5}) {
		t.Fatalf("edges %v, %v", edges, err)
	}
	l := additive.Clamped{Law: additive.Added{Noise: additive.Uniform{Half: 2}}, Low: 0, High: 4}
	r := rand.New(rand.NewPCG(5, 6))
	const n = 200_000
	seen := map[[2]float64]float64{}
	for range n {
		x := float64(r.IntN(5))
		w := min(max(0, math.RoundToEven(x+4*r.Float64()-2)), 4)
		seen[[2]float64{x, w}] += 5.0 / n
	}
	for x := range 5 {
		for w := range 5 {
			x, w := float64(x), float64(w)
			want := seen[[2]float64{x, w}]
			if got := cell(l, w-.5, w+.5, x-.5, x+.5, 1); math.Abs(got-want) > 5*math.Sqrt(5*want/n)+1e-9 {
				t.Errorf("%v becomes %v with probability %v, and did in a share of %v", x, w, got, want)
			}
		}
	}
}

func TestEdgesHoldTheirValues(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1e6, 1e6).Draw(t, "lo")
		hi := lo + rapid.Float64Range(1e-3, 1e6).Draw(t, "range")
		step := rapid.SampledFrom([]float64{0, 0, 0.1, 1, 1000}).Draw(t, "step")
		if step > 0 {
			lo, hi = math.Round(lo/step)*step, math.Round(hi/step)*step
		}
		edges := must.Get(Edges(lo, hi, step, rapid.IntRange(1, 120).Draw(t, "intervals")))(t)
		far := rapid.Float64Range(0, 2).Draw(t, "far") * (hi - lo)
		cells := must.Get(Cover(edges, lo-far, hi+far))(t)
		find := Finder(cells)
		for _, v := range []float64{lo, hi, lo - far, hi + far, lo + 0.3*(hi-lo)} {
			if k := find(v); k < 0 || v < cells[k] || v >= cells[k+1] {
				t.Fatalf("%v is in cell %d of %v", v, k, cells)
			}
		}
		if find := Finder(edges); find(lo) != 0 || find(hi) != len(edges)-2 {
			t.Fatalf("%v and %v are in %d and %d of %v", lo, hi, find(lo), find(hi), edges)
		}
	})
}

// TestCoverIsRounded: the largest value would end the last cell, and be in none.
func TestCoverIsRounded(t *testing.T) {
	lo, width := -0.06250000000008527, 341.5
	hi := lo + width
	edges := must.Get(Edges(lo, hi, 0, 2))(t)
	cells := must.Get(Cover(edges, lo, hi+2*width))(t)
	if k := Finder(cells)(hi + 2*width); k != len(cells)-2 {
		t.Errorf("%v is in cell %d of %v", hi+2*width, k, cells)
	}
}

func TestRefused(t *testing.T) {
	l := additive.Added{Noise: additive.Uniform{Half: 1}}
	for name, err := range map[string]error{
		"edges":   second(Values([]float64{1, 0}, []float64{1}, l, Options{})),
		"no edge": second(Values([]float64{1}, []float64{1}, l, Options{})),
		"kernel":  second(Values([]float64{0, 1}, []float64{1}, l, Options{Kernel: 7})),
		"counts":  second(Cells([]float64{0, 1}, []float64{0, 1}, []float64{1, 2}, l, Options{})),
		"count":   second(Cells([]float64{0, 1}, []float64{0, 1}, []float64{math.NaN()}, l, Options{})),
		"far":     second(Reconstruct(context.Background(), []float64{0, 1}, []float64{1e9}, l, Options{})),
		"empty":   second(Reconstruct(context.Background(), []float64{0, 1}, []float64{math.NaN()}, l, Options{})),
		"matrix":  second(Matrix([][]float64{{1, 0}, {1}}, []float64{1, 1})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ob := must.Get(Matrix([][]float64{{1, 0}, {0, 1}}, []float64{3, 1}))(t)
	for _, start := range [][]float64{{1}, {-1, 2}, {0, 0}, {math.NaN(), 1}} {
		if _, err := ob.Reconstruct(context.Background(), Options{Start: start}); err == nil {
			t.Errorf("start %v: no error", start)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ob.Reconstruct(ended, Options{}); err == nil {
		t.Error("an ended context is no error")
	}
}

func second[T any](_ T, err error) error { return err }

// After counting, a million values take 0.3 sorts or less: the rounds that the rule of Agrawal & Srikant does, and 500.
func BenchmarkReconstruct(b *testing.B) {
	_, w := draws(1_000_000, 100/3.92)
	edges := must.Get(Edges(0, 100, 0, Number(len(w))))(b)
	l := additive.Added{Noise: additive.Normal{Sigma: 100 / 3.92}}
	cells := must.Get(Cover(edges, floats.Min(w), floats.Max(w)))(b)
	for _, o := range []Options{{Kernel: Midpoints}, {Kernel: Intervals}, {Kernel: Intervals, Stop: Small}} {
		b.Run(fmt.Sprintf("kernel=%d/stop=%d", o.Kernel, o.Stop), func(b *testing.B) {
			counts := Count(cells, w)
			for b.Loop() {
				ob := must.Get(Cells(edges, cells, counts, l, o))(b)
				r := must.Get(ob.Reconstruct(context.Background(), o))(b)
				b.ReportMetric(float64(r.Rounds), "rounds")
			}
			yardstick.Report(b)
		})
	}
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			Count(cells, w)
		}
		yardstick.Report(b)
	})
}
