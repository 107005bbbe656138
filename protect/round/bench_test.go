package round

import (
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
)

// 1,000,000 records take 0.25 of the yardstick for every column, nearest or random.
func BenchmarkApply(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"30k", 30_000}, {"1M", 1_000_000}} {
		t := protecttest.Mixed(size.rows)
		for _, how := range []string{Nearest, Random} {
			p := fit(b, t, map[string]string{"how": how})
			b.Run(how+" "+size.name, func(b *testing.B) {
				for b.Loop() {
					must.Get(p.Apply(t, protecttest.Seed(1)))(b)
				}
				yardstick.Report(b)
				values := float64(b.N) * float64(size.rows) * float64(len(p.Changes()))
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/values, "ns/value")
			})
		}
	}
}

func BenchmarkFit(b *testing.B) { protecttest.BenchFit(b, Method, 1_000_000) }
