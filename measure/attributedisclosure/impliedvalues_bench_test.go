package attributedisclosure

import (
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/rng"
)

// 1,000,000 records with eight relations take 5 times the yardstick, 30,000 take 0.2.
func BenchmarkMeasure(b *testing.B) {
	for _, rows := range []int{30_000, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			t, relations := measuretest.Stays(rows)
			for b.Loop() {
				r := &measure.Release{Original: t, Released: measuretest.Blanked(t), Paired: true,
					Background: measure.Background{Relations: relations}}
				must.Get(ImpliedValues.New().Measure(b.Context(), r, rng.Source{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
