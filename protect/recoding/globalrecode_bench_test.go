package recoding

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// 1,000,000 records take 1.2 of the yardstick to fit classes of equal size to six numbers, and 0.5 to release them.
func BenchmarkGlobalFit(b *testing.B) {
	for name, rows := range map[string]int{"30k": 30_000, "1M": 1_000_000} {
		b.Run(name, func(b *testing.B) { protecttest.BenchFit(b, Global, rows) })
	}
}

func BenchmarkGlobalApply(b *testing.B) {
	for name, rows := range map[string]int{"30k": 30_000, "1M": 1_000_000} {
		b.Run(name, func(b *testing.B) { protecttest.BenchApply(b, Global, rows) })
	}
}
