package syntheticrisk

import (
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
)

// BenchmarkReplicatedUniquesMeasure has the budget of a report. On two busy cores 30,162 records take 1.3 of the
// yardstick, of whom 331 people are tried, and 1,000,000 take 7.4, of whom 100 are.
func BenchmarkReplicatedUniquesMeasure(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			t := protecttest.AdultLike(b, rows)
			m := ReplicatedUniques.New()
			must.NoError(b, m.Params().Apply(ReplicatedUniques.Bounds))
			b.ReportAllocs()
			for b.Loop() {
				v := must.Get(m.Measure(b.Context(), &measure.Release{Original: t, Released: t}, rng.Source{}))(b)
				b.ReportMetric(float64(v.Detail.(*ReplicatedUniquesDetail).Tried), "tried")
			}
			yardstick.Report(b)
		})
	}
}
