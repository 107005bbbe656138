package credal

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/mine/minetest"
)

// BenchmarkForest1M grows the trees of 1,000,000 x 5, three attributes numeric: 3.6 times BenchmarkSort1M on two cores.
func BenchmarkForest1M(b *testing.B) {
	t := minetest.Mixed(1_000_000, 0)
	for b.Loop() {
		f, err := New().Grow(context.Background(), t, t.Find("class"))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(f.Trees)), "trees")
		b.ReportMetric(float64(len(f.Trees[0].Leaves())), "leaves")
	}
}

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
