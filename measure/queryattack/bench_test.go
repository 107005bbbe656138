package queryattack

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// people returns a table shaped like Adult: six numeric columns, seven categorical ones and a class.
func people(t tabletest.T, rows int) *table.Table {
	r := rand.New(rand.NewPCG(3, 5))
	var cols []table.Column
	for j, distinct := range []float64{73, 20000, 16, 119, 92, 94} {
		v := make([]float64, rows)
		for i := range v {
			v[i] = math.Floor(distinct * r.Float64() * r.Float64())
		}
		cols = append(cols, table.NumColumn(fmt.Sprint("n", j), 1, v))
	}
	for j := range 8 {
		v := make([]int32, rows)
		for i := range v {
			v[i] = int32(4 * r.Float64() * r.Float64())
		}
		cols = append(cols, table.CatColumn(fmt.Sprint("c", j), []string{"a", "b", "c", "d"}, v))
	}
	cols[13].Role = table.Class
	return tabletest.Of(t, cols...)
}

// BenchmarkMeasure asks 5,000 queries of 13 columns, by bins and exactly. With 30,162 rows it takes 0.6 and 0.9 of the
// yardstick on two cores, with 1,000,000 25 and 32.
func BenchmarkMeasure(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		original := people(b, rows)
		r := rand.New(rand.NewPCG(7, 9))
		released := original
		for j := range 6 {
			v := make([]float64, rows)
			for i, x := range original.Num(j) {
				v[i] = math.Floor(x + 3*r.NormFloat64())
			}
			released = released.WithNum(j, v)
		}
		for _, values := range []string{Bins, Exact} {
			b.Run(fmt.Sprint(rows, " ", values), func(b *testing.B) {
				m := meter()
				m.Values = values
				for b.Loop() {
					must.Get(m.Measure(context.Background(),
						&measure.Release{Original: original, Released: released, Paired: true}, rng.Source{}))(b)
				}
				yardstick.Report(b)
			})
		}
	}
}
