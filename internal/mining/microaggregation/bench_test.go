package microaggregation

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
)

// adult returns the six numeric attributes of records like Adult's, standardised.
func adult(b testing.TB, rows int) []float64 {
	t := protecttest.AdultLike(b, rows)
	var cols [][]float64
	for j := range t.Width() {
		if v := t.Num(j); v != nil {
			cols = append(cols, v)
		}
	}
	m := must.Get(moments.Of(context.Background(), cols))(b)
	scale := make([]float64, len(cols))
	for k := range scale {
		scale[k] = math.Sqrt(m.Cov().At(k, k))
	}
	return neighbour.Points(cols, m.Means(), scale)
}

// normals returns independent standard normal points of six attributes.
func normals(rows int) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	points := make([]float64, 6*rows)
	for i := range points {
		points[i] = r.NormFloat64()
	}
	return points
}

// BenchmarkNormals groups 1,000,000 independent normal points with k = 10, the hard case of a spatial index: 74 times
// the yardstick.
func BenchmarkNormals(b *testing.B) {
	points := normals(1_000_000)
	for b.Loop() {
		if _, _, err := MDAV(context.Background(), points, 6, 10); err != nil {
			b.Fatal(err)
		}
	}
	yardstick.Report(b)
}

// As multiples of the yardstick: 30,162 records of Adult and k = 3 take 0.7, 100,000 like them 2.7, a million 50, and
// 24 with k = 10.
func BenchmarkMDAV(b *testing.B) {
	for _, c := range []struct{ rows, k int }{{30_162, 3}, {100_000, 3}, {1_000_000, 10}, {1_000_000, 3}} {
		b.Run(fmt.Sprintf("%d/%d", c.rows, c.k), func(b *testing.B) {
			points := adult(b, c.rows)
			for b.Loop() {
				if _, _, err := MDAV(context.Background(), points, 6, c.k); err != nil {
					b.Fatal(err)
				}
			}
			yardstick.Report(b)
		})
	}
}
