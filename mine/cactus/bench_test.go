package cactus

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/rng"
)

func benchmark(b *testing.B, rows int, unrelated string) {
	t := generate.CS(rows, rng.New([32]byte{1}))
	l := New()
	l.Unrelated = unrelated
	for b.Loop() {
		m, err := l.Fit(context.Background(), t, rng.New([32]byte{}))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(m.(*Model).Found)), "clusters")
	}
}

// BenchmarkFit30k is 0.01 times BenchmarkSort1M on two cores, on six columns, of which it leaves out two.
func BenchmarkFit30k(b *testing.B) { benchmark(b, 30_000, "drop") }

// BenchmarkFit1M is 0.7 times BenchmarkSort1M.
func BenchmarkFit1M(b *testing.B) { benchmark(b, 1_000_000, "drop") }

// BenchmarkKeep30k keeps the two columns, of thirty values each: 0.08 times BenchmarkSort1M.
func BenchmarkKeep30k(b *testing.B) { benchmark(b, 30_000, "keep") }

// BenchmarkSort1M is the yardstick.
func BenchmarkSort1M(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	v, w := make([]float64, 1_000_000), make([]float64, 1_000_000)
	for i := range v {
		v[i] = r.Float64()
	}
	for b.Loop() {
		copy(w, v)
		slices.Sort(w)
	}
}
