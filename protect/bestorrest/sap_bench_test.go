package bestorrest

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// On records like Adult's, on two cores: a fit of a million takes 2.5 times the yardstick, a release 5 times it.
func BenchmarkFit30k(b *testing.B)      { protecttest.BenchFit(b, SAP, 30_162) }
func BenchmarkFit1M(b *testing.B)       { protecttest.BenchFit(b, SAP, 1_000_000) }
func BenchmarkSAPApply30k(b *testing.B) { protecttest.BenchApply(b, SAP, 30_162) }
func BenchmarkSAPApply1M(b *testing.B)  { protecttest.BenchApply(b, SAP, 1_000_000) }
