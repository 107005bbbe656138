package clusterings

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

// misAround returns columns of six attributes in five loose clusters, and the same with noise.
func misAround(b *testing.B, rows int) *measure.Release {
	r := rand.New(rand.NewPCG(4, 5))
	x, y := make([][]float64, 6), make([][]float64, 6)
	for j := range x {
		x[j], y[j] = make([]float64, rows), make([]float64, rows)
		for i := range rows {
			x[j][i] = float64(i%5*(j+1)%5) + r.NormFloat64()
			y[j][i] = x[j][i] + 0.3*r.NormFloat64()
		}
	}
	return &measure.Release{
		Original: tabletest.Of(b, tabletest.Numbers(0, x...)...),
		Released: tabletest.Of(b, tabletest.Numbers(0, y...)...),
		Paired:   true,
	}
}

// BenchmarkMisclassificationMeasure clusters two tables of six columns into five clusters; nearly all of it is k-means,
// ten times on the original. With 1,000,000 rows it takes 6 times the yardstick on two cores.
func BenchmarkMisclassificationMeasure(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			r := misAround(b, rows)
			for b.Loop() {
				fresh := &measure.Release{Original: r.Original, Released: r.Released, Paired: true}
				v, err := with(b, map[string]string{"k": "5", "sweep": "false"}).Measure(context.Background(), fresh, rng.Source{})
				must.NoError(b, err)
				b.ReportMetric(v.Score, "moved")
			}
			yardstick.Report(b)
		})
	}
}

// BenchmarkCompare compares two clusterings into five clusters. With 1,000,000 records it takes 0.005 of the yardstick.
func BenchmarkCompare(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			r := rand.New(rand.NewPCG(4, 5))
			before, after := make([]int32, rows), make([]int32, rows)
			for i := range before {
				before[i], after[i] = int32(r.IntN(5)), int32(r.IntN(5))
			}
			for b.Loop() {
				must.Get(Compare(before, after, 5))(b)
			}
			yardstick.Report(b)
		})
	}
}
