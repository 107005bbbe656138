package natwichai

import (
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

// 1,000,000 records take 9.8 of the yardstick on two shared cores, 30,000 take 0.29.
func BenchmarkRelease(b *testing.B) {
	for _, rows := range []int{30_000, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			t := protecttest.Mixed(rows)
			q := New()
			must.NoError(b, q.Params().Apply(map[string]string{"sensitive": listed, "reach": Overlap}))
			p := must.Get(q.Fit(b.Context(), t, protecttest.Seed(1)))(b)
			for b.Loop() {
				must.Get(executor.Run(b.Context(), p, t, protecttest.Seed(2), protect.Options{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
