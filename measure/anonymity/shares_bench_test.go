package anonymity

import (
	"context"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
)

// BenchmarkSharesMeasure measures records like Adult's against one who knows seven columns and wants three. With
// 30,162 of them it takes 0.06 of the yardstick on two cores, with 1,000,000 2.3.
func BenchmarkSharesMeasure(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			t := protecttest.AdultLike(b, rows)
			knows := []string{"age", "education", "marital_status", "race", "sex", "native_country", "hours_per_week"}
			who := &intruder.Intruder{Name: "x", Knows: knows, Secret: []string{"income", "occupation", "capital_gain"}}
			b.ReportAllocs()
			m := shareMeasures()[1]
			for b.Loop() {
				r := &measure.Release{Original: t, Released: t, Paired: true, Intruder: who}
				must.Get(m.New().Measure(context.Background(), r, rng.Source{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
