package study

import (
	"testing"
	"time"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study/studytest"
	"github.com/dither-data/dither/table"
)

// BenchmarkReadings takes the fast measures of risk of a survey of about 60,000 records by households and by persons,
// and of the same records as if each were a person's, in turns. Times is the time of the former over that of the
// latter: 2 would be that of taking everything twice.
func BenchmarkReadings(b *testing.B) {
	t, _, _ := studytest.Survey(10_000, 0)
	var specs []Spec
	for _, m := range catalog.Measures() {
		if m.Side == measure.Risk && m.Effort == measure.Fast {
			specs = append(specs, Spec{Measure: m, Set: m.Bounds})
		}
	}
	own := ownersOf(t, nil)
	original := WithoutIdentifiers(t)
	rows := rng.New([32]byte{1}).Rand().Perm(original.Rows())
	j := original.WithRole(table.Quasi)
	released := must.Get(original.WithColumn(j, original.Column(j).Gather(rows)))(b)
	var took [2]time.Duration
	for b.Loop() {
		for k := range took {
			r := &measure.Release{Original: original, Released: released, Paired: true}
			if k == 1 {
				own.told(r)
			}
			from := time.Now()
			must.Get(Evaluate(b.Context(), r, specs, rng.New([32]byte{2}), nil))(b)
			took[k] += time.Since(from)
		}
	}
	b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "times")
}
