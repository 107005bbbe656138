package bestorrest

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// On records like Adult's, on two cores: a release of a million takes 15 times the yardstick. The fit is that of
// package bore.
func BenchmarkCLIFFApply30k(b *testing.B) { protecttest.BenchApply(b, CLIFF, 30_162) }
func BenchmarkCLIFFApply1M(b *testing.B)  { protecttest.BenchApply(b, CLIFF, 1_000_000) }
