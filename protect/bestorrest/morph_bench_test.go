package bestorrest

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

func domain(lo, hi, step float64) wrap.Domain { return wrap.On(table.Interval{Lo: lo, Hi: hi}, step) }

// On records like Adult's, 14 attributes, on two cores: a release of 30,162 takes 7 times the yardstick, one of a
// million 41 times it.
func BenchmarkMORPHApply30k(b *testing.B) { protecttest.BenchApply(b, MORPH, 30_162) }
func BenchmarkMORPHApply1M(b *testing.B)  { protecttest.BenchApply(b, MORPH, 1_000_000) }
