package recordclusters

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

func benchmark(b *testing.B, t *table.Table, set map[string]string) {
	for b.Loop() {
		m := coreFit(b, t, set)
		b.ReportMetric(float64(len(m.Kinds)), "different")
		b.ReportMetric(float64(m.N), "clusters")
	}
	yardstick.Report(b)
}

// BenchmarkFit30k has 1,536 different records of 9 attributes: 0.5 times the yardstick on two cores.
func BenchmarkFit30k(b *testing.B) { benchmark(b, planted(30_000, 9, 0), nil) }

// BenchmarkFit1M has as many different ones: 0.9 times the yardstick.
func BenchmarkFit1M(b *testing.B) { benchmark(b, planted(1_000_000, 9, 0), nil) }

// BenchmarkDifferent15k has 14,957 different records, of which the square counts: 54 times the yardstick.
func BenchmarkDifferent15k(b *testing.B) { benchmark(b, planted(15_000, 9, 10_000), nil) }

// BenchmarkCOREAssign1M is 0.13 times the yardstick.
func BenchmarkCOREAssign1M(b *testing.B) {
	t := minetest.Mixed(1_000_000, 0)
	m := must.Get(CORENew().Fit(context.Background(), t.Slice(0, 10_000), rng.New([32]byte{})))(b)
	dst := make([]int32, t.Rows())
	for b.Loop() {
		m.(*COREModel).Assign(t, dst)
	}
	yardstick.Report(b)
}
