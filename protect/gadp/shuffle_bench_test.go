package gadp

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

// Fit and release of six columns, on two cores, as multiples of the yardstick: 1,000,000 records 5.7 where all are
// confidential, 2.5 where half are; 30,000 records 0.1.
func BenchmarkShuffleRelease(b *testing.B) {
	for _, c := range []struct {
		name         string
		rows, others int
	}{{"30k, all confidential", 30_000, 0}, {"1M, all confidential", 1_000_000, 0},
		{"1M, half confidential", 1_000_000, 3}} {
		t := sixColumns(c.rows, c.others)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				p := must.Get(NewShuffle().Fit(context.Background(), t, protecttest.Seed(1)))(b)
				must.Get(executor.Run(context.Background(), p, t, protecttest.Seed(1), protect.Options{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
