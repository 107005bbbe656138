package rank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/yardstick"
)

// shapes returns columns of n values each: random, normal, ages, tenths, lognormal cents, and numbers that differ in
// the low bits only.
func shapes(n int) map[string][]float64 {
	r := rand.New(rand.NewPCG(1, 2))
	out := map[string][]float64{}
	for _, s := range []struct {
		name string
		draw func() float64
	}{
		{"uniform", r.Float64}, {"normal", r.NormFloat64}, {"ages", func() float64 { return float64(r.IntN(100)) }},
		{"tenths", func() float64 { return math.Round(500+100*r.NormFloat64()) / 10 }},
		{"cents", func() float64 { return math.Round(100*math.Exp(8+r.NormFloat64())) / 100 }},
		{"close", func() float64 { return 1e6 + 1e-6*r.Float64() }},
	} {
		v := make([]float64, n)
		for i := range v {
			v[i] = s.draw()
		}
		out[s.name] = v
	}
	return out
}

// 1,000,000 values each, as shares of the yardstick: Order takes 0.11 for ages, 0.17 for uniform numbers, 0.22 for
// normal ones, 0.33 for cents and 0.09 for close ones; Of 0.34 and NormalScores 0.18 for normal ones, a million
// inverses of a Smoothed 0.6; Spearman of five columns on two cores 0.15, with missing values 0.6.
func BenchmarkOrder(b *testing.B) {
	for name, v := range shapes(1_000_000) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Order(v)
			}
			yardstick.Report(b)
		})
	}
}

// 1,000,000 values each, as shares of the yardstick, the best of three on a busy machine: 0.04 for ages and tenths,
// 0.22 for uniform numbers, 0.24 for normal ones, 0.37 for cents and 0.08 for close ones.
func BenchmarkAscending(b *testing.B) {
	for name, v := range shapes(1_000_000) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Ascending(v)
			}
			yardstick.Report(b)
		})
	}
}

// A small column compares: 50 values take 1 µs, the most that do 5 µs, the fewest that are counted 5 µs.
func BenchmarkOrderSmall(b *testing.B) {
	for _, n := range []int{50, few, few + 1} {
		v := shapes(n)["normal"]
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Order(v)
			}
			yardstick.Report(b)
		})
	}
}

func BenchmarkOf(b *testing.B) {
	v := shapes(1_000_000)["normal"]
	for b.Loop() {
		Of(v)
	}
	yardstick.Report(b)
}

func BenchmarkNormalScores(b *testing.B) {
	r := Of(shapes(1_000_000)["normal"])
	for b.Loop() {
		r.NormalScores()
	}
	yardstick.Report(b)
}

func BenchmarkSpearman(b *testing.B) {
	var cols [][]float64
	for _, v := range shapes(1_000_000) {
		cols = append(cols, v)
	}
	complete := OfAll(cols)
	b.Run("complete", func(b *testing.B) {
		for b.Loop() {
			Spearman(complete)
		}
		yardstick.Report(b)
	})
	for _, c := range cols {
		for i := 0; i < len(c); i += 10 {
			c[i] = missing
		}
	}
	gaps := OfAll(cols)
	b.Run("missing", func(b *testing.B) {
		for b.Loop() {
			Spearman(gaps)
		}
		yardstick.Report(b)
	})
}

func BenchmarkSmoothedInverse(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	s := NewSmoothed(Of(shapes(1_000_000)["cents"]))
	for b.Loop() {
		for range 1_000_000 {
			s.Inverse(r.Float64())
		}
	}
	yardstick.Report(b)
}
