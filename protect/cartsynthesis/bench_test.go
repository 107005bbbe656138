package cartsynthesis_test

import (
	"testing"

	"github.com/dither-data/dither/protect/cartsynthesis"
	"github.com/dither-data/dither/protect/protecttest"
)

func BenchmarkFit30k(b *testing.B)   { protecttest.BenchFit(b, cartsynthesis.Method, 30_162) }
func BenchmarkFit1M(b *testing.B)    { protecttest.BenchFit(b, cartsynthesis.Method, 1_000_000) }
func BenchmarkApply30k(b *testing.B) { protecttest.BenchApply(b, cartsynthesis.Method, 30_162) }
func BenchmarkApply1M(b *testing.B)  { protecttest.BenchApply(b, cartsynthesis.Method, 1_000_000) }
