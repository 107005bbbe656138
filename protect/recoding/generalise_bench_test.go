package recoding

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// 1,000,000 records take 0.6 of the yardstick to fit, and 0.6 to release six numbers.
func BenchmarkFullDomainFit(b *testing.B) {
	for name, rows := range map[string]int{"30k": 30_000, "1M": 1_000_000} {
		b.Run(name, func(b *testing.B) { protecttest.BenchFit(b, FullDomain, rows) })
	}
}

func BenchmarkFullDomainApply(b *testing.B) {
	for name, rows := range map[string]int{"30k": 30_000, "1M": 1_000_000} {
		b.Run(name, func(b *testing.B) { protecttest.BenchApply(b, FullDomain, rows) })
	}
}
