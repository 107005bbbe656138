package distributions

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table/tabletest"
)

func columnsOf(rows int, seed uint64) [][]float64 {
	r := rand.New(rand.NewPCG(seed, 5))
	out := make([][]float64, 6)
	for k := range out {
		out[k] = make([]float64, rows)
		for i := range out[k] {
			out[k][i] = r.NormFloat64()
		}
	}
	return out
}

// BenchmarkBiasMeasure compares two tables of six numeric columns. With 1,000,000 rows it takes 1.1 times the yardstick
// on two cores.
func BenchmarkBiasMeasure(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			r := &measure.Release{
				Original: tabletest.Of(b, tabletest.Numbers(0, columnsOf(rows, 3)...)...),
				Released: tabletest.Of(b, tabletest.Numbers(0, columnsOf(rows, 4)...)...),
			}
			for b.Loop() {
				must.Get((&Meter{}).Measure(context.Background(), r, rng.Source{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
