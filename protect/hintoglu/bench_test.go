package hintoglu

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// On a million records like Adult's, on two cores: a fit takes twice the yardstick; a release, one value in ten hidden,
// 6 times it.
func BenchmarkFit30k(b *testing.B)   { protecttest.BenchFit(b, Method, 30_162) }
func BenchmarkFit1M(b *testing.B)    { protecttest.BenchFit(b, Method, 1_000_000) }
func BenchmarkApply30k(b *testing.B) { protecttest.BenchApply(b, Method, 30_162) }
func BenchmarkApply1M(b *testing.B)  { protecttest.BenchApply(b, Method, 1_000_000) }
