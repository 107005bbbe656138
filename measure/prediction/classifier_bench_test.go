package prediction

import (
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
)

// BenchmarkMeasure learns and tests fifty times. The package comment has the figures as ratios to the yardstick.
func BenchmarkMeasure(b *testing.B) {
	for _, c := range []struct {
		rows    int
		learner string
	}{{30_162, "naivebayes"}, {30_162, "c45"}, {30_162, "knn"}, {1_000_000, "naivebayes"}} {
		b.Run(fmt.Sprintf("%s/%d", c.learner, c.rows), func(b *testing.B) {
			tab := people(b, c.rows, 1)
			r := &measure.Release{Original: tab, Released: noisy(tab, 1), Paired: true}
			for b.Loop() {
				classifierTake(b, r, "learner", c.learner, "sample", "1000000")
			}
			yardstick.Report(b)
		})
	}
}
