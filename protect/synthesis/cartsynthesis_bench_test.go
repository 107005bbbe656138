package synthesis_test

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/synthesis"
)

func BenchmarkFit30k(b *testing.B)   { protecttest.BenchFit(b, synthesis.CART, 30_162) }
func BenchmarkFit1M(b *testing.B)    { protecttest.BenchFit(b, synthesis.CART, 1_000_000) }
func BenchmarkApply30k(b *testing.B) { protecttest.BenchApply(b, synthesis.CART, 30_162) }
func BenchmarkApply1M(b *testing.B)  { protecttest.BenchApply(b, synthesis.CART, 1_000_000) }
