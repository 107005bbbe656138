package kimwinkler

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
)

// Fit and release of six columns in the combinations of two keys, as shares of slices.Sort on a million random float64
// (internal/testkit/yardstick): 0.7 for 30,162 records of Adult, 19 for a million like them, on two cores that do
// nothing else (35 of processor time).
func BenchmarkRelease(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"30k", 30_162}, {"1M", 1_000_000}} {
		t := protecttest.AdultLike(b, size.rows)
		b.Run(size.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				q := New()
				q.Keys = []string{"sex", "race"}
				p := must.Get(q.Fit(context.Background(), t, rng.New([32]byte{1})))(b)
				must.Get(executor.Run(context.Background(), p, t, rng.New([32]byte{2}), protect.Options{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
