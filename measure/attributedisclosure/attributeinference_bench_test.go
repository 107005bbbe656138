package attributedisclosure

import (
	"context"
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

func BenchmarkAdult30k(b *testing.B) { bench(b, 30_162) }
func BenchmarkAdult1M(b *testing.B)  { bench(b, 1_000_000) }

// Of 30,162 persons it takes 0.6 times the yardstick (half of the processor time on two cores) for the original and 2
// times it for noise; of a million 9 and 8 times, for samples of 100,000 and fewer.
//
// bench attacks records like Adult's, of which 14 attributes are known: released as they are, and with RNAT's noise on
// the numbers.
func bench(b *testing.B, rows int) {
	t := protecttest.AdultLike(b, rows)
	plan := must.Get(rnat.New().Fit(context.Background(), t, rng.Source{}))(b)
	noisy := must.Get(executor.Run(context.Background(), plan, t, rng.New([32]byte{9}), protect.Options{}))(b)
	for name, r := range map[string]*measure.Release{"original": {Original: t, Released: t},
		"rnat": {Original: t, Released: noisy}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				v := must.Get(AttributeInference.New().Measure(context.Background(), r, rng.Source{}))(b)
				b.ReportMetric(float64(v.Detail.(*AttributeInferenceDetail).Judged), "persons")
			}
			yardstick.Report(b)
		})
	}
}
