package clusterings

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table/tabletest"
)

// qualityAround returns six columns in five loose clusters, and the cluster of each record.
func qualityAround(rows int, seed uint64) ([][]float64, []int32) {
	r := rand.New(rand.NewPCG(seed, 5))
	x, of := make([][]float64, 6), make([]int32, rows)
	for j := range x {
		x[j] = make([]float64, rows)
		for i := range rows {
			of[i] = int32(i % 5)
			x[j][i] = float64(i%5*(j+1)%5) + r.NormFloat64()
		}
	}
	return x, of
}

// BenchmarkSilhouettes takes those of 320 records among all, of six columns in five clusters. With 30,162 rows it takes
// about 0.6 of the yardstick on two cores; all of so many against each other take about 60 times the yardstick.
func BenchmarkSilhouettes(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			x, of := qualityAround(rows, 1)
			t := tabletest.Of(b, tabletest.Numbers(0, x...)...)
			for b.Loop() {
				must.Get(silhouettes(context.Background(), t, all(320), labelling{of, 5}, labelling{of, 5}))(b)
			}
			yardstick.Report(b)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(320*rows), "ns/pair")
		})
	}
}

// BenchmarkSquares takes the sum of squares of six columns in five clusters. With 1,000,000 rows it takes 0.1 of the
// yardstick on two cores.
func BenchmarkSquares(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			x, of := qualityAround(rows, 1)
			t := tabletest.Of(b, tabletest.Numbers(0, x...)...)
			for b.Loop() {
				must.Get(squares(context.Background(), t, of, 5))(b)
			}
			yardstick.Report(b)
		})
	}
}

// BenchmarkClusterQualityMeasure compares two tables of six columns: with 10,000 rows nearly all of it are silhouettes,
// and with more they are a sample's.
func BenchmarkClusterQualityMeasure(b *testing.B) {
	for _, rows := range []int{10_000, 30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			x, _ := qualityAround(rows, 1)
			t := tabletest.Of(b, tabletest.Numbers(0, x...)...)
			r := paired(t, noisy(t, 0.3, 2))
			for b.Loop() {
				fresh := &measure.Release{Original: r.Original, Released: r.Released, Paired: true}
				must.Get(param.Default(&ClusterQualityMeter{}).Measure(context.Background(), fresh, rng.Source{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
