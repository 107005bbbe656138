package framework

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// Fitting takes 0.6 of the time of the yardstick on 30,162 records and 5 times it on a million, whose trees are grown
// on a sample; applying takes 0.3 and 6 times it, half of which is C-GADP's.
func BenchmarkExtFrameworkFit30k(b *testing.B)   { protecttest.BenchFit(b, ExtFramework, 30_162) }
func BenchmarkExtFrameworkFit1M(b *testing.B)    { protecttest.BenchFit(b, ExtFramework, 1_000_000) }
func BenchmarkExtFrameworkApply30k(b *testing.B) { protecttest.BenchApply(b, ExtFramework, 30_162) }
func BenchmarkExtFrameworkApply1M(b *testing.B)  { protecttest.BenchApply(b, ExtFramework, 1_000_000) }
