package framework

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// Fitting takes 0.55 of the time of the yardstick on 30,162 records and 1.8 times it on a million, whose trees are
// grown on a sample; applying takes 0.14 and 2.6 times it.
func BenchmarkFrameworkFit30k(b *testing.B)   { protecttest.BenchFit(b, Framework, 30_162) }
func BenchmarkFrameworkFit1M(b *testing.B)    { protecttest.BenchFit(b, Framework, 1_000_000) }
func BenchmarkFrameworkApply30k(b *testing.B) { protecttest.BenchApply(b, Framework, 30_162) }
func BenchmarkFrameworkApply1M(b *testing.B)  { protecttest.BenchApply(b, Framework, 1_000_000) }
