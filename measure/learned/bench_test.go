package learned

import (
	"context"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
)

// Records like Adult's, of which 14 attributes are known, with RNAT's noise on the numbers.
func BenchmarkMeasure(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			t := protecttest.AdultLike(b, rows)
			plan := must.Get(rnat.New().Fit(context.Background(), t, rng.Source{}))(b)
			noisy := must.Get(executor.Run(context.Background(), plan, t, rng.New([32]byte{9}), protect.Options{}))(b)
			for b.Loop() {
				r := &measure.Release{Original: t, Released: noisy, Paired: true}
				must.Get(New().Measure(b.Context(), r, rng.Source{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
