package bottomcode

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// 1,000,000 records take 1.3 of the yardstick to fit six numbers, and 0.2 to release them.
func BenchmarkFit(b *testing.B) {
	for name, rows := range map[string]int{"30k": 30_000, "1M": 1_000_000} {
		b.Run(name, func(b *testing.B) { protecttest.BenchFit(b, Method, rows) })
	}
}

func BenchmarkApply(b *testing.B) {
	for name, rows := range map[string]int{"30k": 30_000, "1M": 1_000_000} {
		b.Run(name, func(b *testing.B) { protecttest.BenchApply(b, Method, rows) })
	}
}
