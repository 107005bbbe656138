package framework

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// Fitting takes 0.15 of the time of the yardstick on 30,162 records and 0.8 of it on a million; applying takes 0.05 and
// 2.1 times it.
func BenchmarkRandomExtFrameworkFit30k(b *testing.B) {
	protecttest.BenchFit(b, RandomExtFramework, 30_162)
}
func BenchmarkRandomExtFrameworkFit1M(b *testing.B) {
	protecttest.BenchFit(b, RandomExtFramework, 1_000_000)
}
func BenchmarkRandomExtFrameworkApply30k(b *testing.B) {
	protecttest.BenchApply(b, RandomExtFramework, 30_162)
}
func BenchmarkRandomExtFrameworkApply1M(b *testing.B) {
	protecttest.BenchApply(b, RandomExtFramework, 1_000_000)
}
