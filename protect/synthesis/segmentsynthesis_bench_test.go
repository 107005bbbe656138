package synthesis

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// On two cores that were busy with other work, fitting takes 5 times the time of the yardstick, on 30,162 records as on
// a million, whose trees are grown on a sample; applying takes 0.7 and 13 times it.
func BenchmarkSegmentFit30k(b *testing.B)   { protecttest.BenchFit(b, Segment, 30_162) }
func BenchmarkSegmentFit1M(b *testing.B)    { protecttest.BenchFit(b, Segment, 1_000_000) }
func BenchmarkSegmentApply30k(b *testing.B) { protecttest.BenchApply(b, Segment, 30_162) }
func BenchmarkSegmentApply1M(b *testing.B)  { protecttest.BenchApply(b, Segment, 1_000_000) }
