package valueclusters

import (
	"context"
	"testing"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/rng"
)

func benchmark(b *testing.B, rows int, unrelated string) {
	t := generate.CS(rows, rng.New([32]byte{1}))
	l := CACTUSNew()
	l.Unrelated = unrelated
	for b.Loop() {
		m := must.Get(l.Fit(context.Background(), t, rng.New([32]byte{})))(b)
		b.ReportMetric(float64(len(m.(*CACTUSModel).Found)), "clusters")
	}
	yardstick.Report(b)
}

// BenchmarkFit30k is 0.01 times the yardstick on two cores, on six columns, of which it leaves out two.
func BenchmarkFit30k(b *testing.B) { benchmark(b, 30_000, "drop") }

// BenchmarkFit1M is 0.7 times the yardstick.
func BenchmarkFit1M(b *testing.B) { benchmark(b, 1_000_000, "drop") }

// BenchmarkKeep30k keeps the two columns, of thirty values each: 0.08 times the yardstick.
func BenchmarkKeep30k(b *testing.B) { benchmark(b, 30_000, "keep") }
