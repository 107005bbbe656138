package informationloss

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
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

// BenchmarkMeasure compares two tables of six numeric columns. With 1,000,000 rows it takes 0.5 of the yardstick on two
// cores.
func BenchmarkMeasure(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			r := &measure.Release{
				Original: tableOf(b, columnsOf(rows, 3)),
				Released: tableOf(b, columnsOf(rows, 4)),
				Paired:   true,
			}
			for b.Loop() {
				must.Get((&SSEMeter{}).Measure(context.Background(), r, rng.Source{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
