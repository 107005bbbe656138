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
// 30,162 records and k = 3 take 1.1, 100,000 take 4, a million and k = 10 take 47.
func BenchmarkVMDAVRelease(b *testing.B) {
	for _, c := range []struct{ rows, k int }{{30_162, 3}, {100_000, 3}, {1_000_000, 10}} {
		b.Run(fmt.Sprintf("rows=%d/k=%d", c.rows, c.k), func(b *testing.B) {
			t, q := protecttest.AdultLike(b, c.rows), NewVMDAV()
			q.K = c.k
			for b.Loop() {
				p := must.Get(q.Fit(context.Background(), t, protecttest.Seed(1)))(b)
				must.Get(executor.Run(context.Background(), p, t, protecttest.Seed(1), protect.Options{}))(b)
				b.ReportMetric(100*p.(*VMDAVPlan).Found.Lost, "%SSE/SST")
			}
			yardstick.Report(b)
		})
	}
}
