package jaccard

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
)

// species draws records of 20 attributes with 6 values each around 30 types; every value is another than its type's
// with probability 0.15, so most records are different.
func species(rows int) *Sets {
	r := rand.New(rand.NewPCG(1, 2))
	const types, width = 30, 20
	kind := make([]int32, types*width)
	for i := range kind {
		kind[i] = r.Int32N(6)
	}
	s := &Sets{Width: width, Codes: make([]int32, rows*width)}
	for i := range rows {
		from := kind[r.IntN(types)*width:]
		for j := range width {
			s.Codes[i*width+j] = from[j]
			if r.IntN(100) < 15 {
				s.Codes[i*width+j] = r.Int32N(6)
			}
		}
	}
	return s
}

func benchComponents(b *testing.B, rows int) {
	s := species(rows)
	for b.Loop() {
		x := must.Get(NewIndex(context.Background(), s, 0.8))(b)
		up := must.Get(x.Components(context.Background()))(b)
		slices.Sort(up)
		b.ReportMetric(float64(len(slices.Compact(up))), "components")
		b.ReportMetric(float64(len(x.blocks)), "blocks")
	}
	yardstick.Report(b)
}

// 30,000 records take 0.4 of the time of the yardstick, a million, of which 583,000 are different and 63,000 are left
// alone, 100 times it: each of those left alone is compared with all of its groups.
func BenchmarkComponents30k(b *testing.B) { benchComponents(b, 30_000) }
func BenchmarkComponents1M(b *testing.B)  { benchComponents(b, 1_000_000) }
