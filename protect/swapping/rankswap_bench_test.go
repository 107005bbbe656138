package swapping

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

// Fit and release of the six numeric columns of records like Adult's, on two cores, as multiples of the yardstick:
// 1,000,000 records 2.3, 30,162 records 0.06.
func BenchmarkRankRelease(b *testing.B) {
	for name, rows := range map[string]int{"30k": 30_162, "1M": 1_000_000} {
		t := protecttest.AdultLike(b, rows)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p := must.Get(NewRank().Fit(context.Background(), t, protecttest.Seed(1)))(b)
				must.Get(executor.Run(context.Background(), p, t, protecttest.Seed(1), protect.Options{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
