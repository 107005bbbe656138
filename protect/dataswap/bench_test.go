package dataswap

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// Releases of records like Adult's, 14 columns with counts of order 2, as multiples of the yardstick: 30,162 records take 2, 1,000,000 records
// 75 times its processor time, most of it for values that find no partner in ten draws.
func BenchmarkApply(b *testing.B) {
	b.Run("30k", func(b *testing.B) { protecttest.BenchApply(b, Method, 30_162) })
	b.Run("1M", func(b *testing.B) { protecttest.BenchApply(b, Method, 1_000_000) })
}
