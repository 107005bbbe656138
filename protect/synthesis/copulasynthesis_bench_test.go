package synthesis

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func BenchmarkCopulaFit30k(b *testing.B)   { protecttest.BenchFit(b, Copula, 30_162) }
func BenchmarkCopulaFit1M(b *testing.B)    { protecttest.BenchFit(b, Copula, 1_000_000) }
func BenchmarkCopulaApply30k(b *testing.B) { protecttest.BenchApply(b, Copula, 30_162) }
func BenchmarkCopulaApply1M(b *testing.B)  { protecttest.BenchApply(b, Copula, 1_000_000) }
