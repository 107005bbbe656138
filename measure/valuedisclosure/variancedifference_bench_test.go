package valuedisclosure

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/table/tabletest"
)

// Six columns of 1,000,000 records take 2.5 of the yardstick on two cores, of 30,000 records 0.1.
func BenchmarkVarianceDifferenceMeasure(b *testing.B) {
	for _, rows := range []int{30_000, 1_000_000} {
		r := rand.New(rand.NewPCG(1, 2))
		var x, y [][]float64
		for range 6 {
			v, w := make([]float64, rows), make([]float64, rows)
			for i := range v {
				v[i] = r.NormFloat64()
				w[i] = v[i] + r.NormFloat64()
			}
			x, y = append(x, v), append(y, w)
		}
		original, released := tabletest.Of(b, tabletest.Numbers(0, x...)...), tabletest.Of(b, tabletest.Numbers(0, y...)...)
		b.Run(strconv.Itoa(rows/1000)+"k", func(b *testing.B) {
			for b.Loop() {
				must.Get(differenceTake(original, released))(b)
			}
			yardstick.Report(b)
		})
	}
}
