package learned

import (
	"context"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/executor"
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
			plan, err := rnat.New().Fit(context.Background(), t, rng.Source{})
			if err != nil {
				b.Fatal(err)
			}
			noisy, err := executor.Run(context.Background(), plan, t, rng.New([32]byte{9}), protect.Options{})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				r := &measure.Release{Original: t, Released: noisy, Paired: true}
				if _, err := New().Measure(b.Context(), r, rng.Source{}); err != nil {
					b.Fatal(err)
				}
			}
			yardstick.Report(b)
		})
	}
}
