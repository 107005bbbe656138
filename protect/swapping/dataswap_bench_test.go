package swapping

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// Fit and release of records like Adult's, 14 columns with counts of order 2, as multiples of the yardstick: 30,162
// records take 2, 1,000,000 records 95 times its processor time on a machine that is busy with other work, too; most of
// it goes into values that find no partner in ten draws.
func BenchmarkApply(b *testing.B) {
	b.Run("30k", func(b *testing.B) { protecttest.BenchApply(b, Data, 30_162) })
	b.Run("1M", func(b *testing.B) { protecttest.BenchApply(b, Data, 1_000_000) })
}
