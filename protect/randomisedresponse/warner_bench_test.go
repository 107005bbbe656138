package randomisedresponse

import (
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

// Three columns: 1M records take 0.2 of the yardstick, 30k 0.01.
func BenchmarkWarnerRelease(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"30k", 30_000}, {"1M", 1_000_000}} {
		t := protecttest.Mixed(size.rows).Select(4, 7, 9)
		p := must.Get(NewWarner().Fit(b.Context(), t, protecttest.Seed(1)))(b)
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				must.Get(executor.Run(b.Context(), p, t, protecttest.Seed(2), protect.Options{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
