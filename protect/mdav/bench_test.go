package mdav

import (
	"context"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

// Fit and release of the six numeric columns of records like Adult's, on two cores, as multiples of the yardstick:
// 30,162 records and k = 3 take 0.8, 100,000 take 3.4, a million 59: cost grows like n^1.25 from 100,000 on. A million
// and k = 10 take 32, in blocks of 10,000 they take 19 and lose 0.92 % in place of 0.19 % (SSE/SST).
func BenchmarkMDAVRelease(b *testing.B) {
	for _, c := range []struct{ rows, k, block int }{{30_162, 3, 0}, {100_000, 3, 0}, {1_000_000, 10, 0},
		{1_000_000, 10, 10_000}, {1_000_000, 3, 0}} {
		b.Run(fmt.Sprintf("rows=%d/k=%d/block=%d", c.rows, c.k, c.block), func(b *testing.B) {
			t, q := protecttest.AdultLike(b, c.rows), NewMDAV()
			q.K, q.Block = c.k, c.block
			for b.Loop() {
				p := must.Get(q.Fit(context.Background(), t, protecttest.Seed(1)))(b)
				must.Get(executor.Run(context.Background(), p, t, protecttest.Seed(1), protect.Options{}))(b)
				b.ReportMetric(100*p.(*MDAVPlan).Found.Lost, "%SSE/SST")
			}
			yardstick.Report(b)
		})
	}
}
