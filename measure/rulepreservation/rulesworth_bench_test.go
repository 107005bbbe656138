package rulepreservation

import (
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
)

// BenchmarkMeasure is two forests of SysFor, and four walks of the records through their trees.
func BenchmarkMeasure(b *testing.B) {
	for _, rows := range []int{30_000, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			t := protecttest.Mixed(rows)
			for b.Loop() {
				r := &measure.Release{Original: t, Released: t, Paired: true}
				must.Get(RulesWorth.New().Measure(b.Context(), r, rng.Source{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
