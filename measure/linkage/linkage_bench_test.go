package linkage_test

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearesttest"
	"github.com/dither-data/dither/measure/linkage"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
)

// Links of 30,162 persons by 14 attributes take 0.8 times the yardstick (half of the processor time on two cores), of a
// million 30 times.
func BenchmarkAdult30k(b *testing.B) { bench(b, 30_162) }
func BenchmarkAdult1M(b *testing.B)  { bench(b, 1_000_000) }
func bench(b *testing.B, rows int) {
	t := protecttest.AdultLike(b, rows)
	released := nearesttest.Moved(t)
	for b.Loop() { // a release of its own, for it remembers
		release := &measure.Release{Original: t, Released: released, Paired: true}
		must.Get(linkage.Linkage.New().Measure(context.Background(), release, rng.Source{}))(b)
	}
	yardstick.Report(b)
}
