package forests

import (
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/rng"
)

// BenchmarkFit is a forest of SysFor, and one walk of the records through its trees.
func BenchmarkFit(b *testing.B) {
	for _, rows := range []int{30_000, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			t := minetest.Mixed(rows, 0)
			for b.Loop() {
				must.Get(ForExNew().Fit(b.Context(), t, rng.Source{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
