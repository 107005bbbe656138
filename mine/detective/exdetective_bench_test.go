package detective

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/rng"
)

func benchmark(b *testing.B, rows int) {
	t := minetest.Mixed(rows, 0)
	for b.Loop() {
		l := New()
		l.MinLeaf = 0
		m := must.Get(l.Fit(context.Background(), t, rng.New([32]byte{})))(b)
		b.ReportMetric(float64(m.(*EXDETECTIVEModel).Clusters()), "clusters")
	}
	yardstick.Report(b)
}

// BenchmarkFit30k grows three trees on 5 inputs and intersects them: 0.22 times the yardstick on two cores.
func BenchmarkFit30k(b *testing.B) { benchmark(b, 30_000) }

// BenchmarkFit1M is 8 times the yardstick, nearly all of it for the trees.
func BenchmarkFit1M(b *testing.B) { benchmark(b, 1_000_000) }

// BenchmarkAssign1M is 0.26 times the yardstick.
func BenchmarkAssign1M(b *testing.B) {
	t := minetest.Mixed(1_000_000, 0)
	l := New()
	l.MinLeaf = 0
	m := must.Get(l.Fit(context.Background(), t, rng.New([32]byte{})))(b)
	dst := make([]int32, t.Rows())
	for b.Loop() {
		m.(*EXDETECTIVEModel).Assign(t, dst)
	}
	yardstick.Report(b)
}
