package neighbour

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
)

// adult returns the six numeric attributes of records like Adult's, standardised.
func adult(b *testing.B, rows int) []float64 {
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
	return Points(cols, m.Means(), scale)
}

// Building takes 0.05 of the time of the yardstick on 30,162 records of six attributes and 2 times it on a million.
func BenchmarkBuildAdult30k(b *testing.B) { benchBuild(b, adult(b, 30_162), 6) }
func BenchmarkBuildAdult1M(b *testing.B)  { benchBuild(b, adult(b, 1_000_000), 6) }
func BenchmarkBuildNormal1M(b *testing.B) { benchBuild(b, normals(1_000_000, 6, 1), 6) }

// The nearest other record of each takes 0.14 of the yardstick on 30,162 records of Adult, 4.5 times it on a million
// like them, of which many are alike, and 27 times it on a million normal ones.
func BenchmarkOthersAdult30k(b *testing.B) { benchOthers(b, adult(b, 30_162), 6) }
func BenchmarkOthersAdult1M(b *testing.B)  { benchOthers(b, adult(b, 1_000_000), 6) }
func BenchmarkOthersNormal1M(b *testing.B) { benchOthers(b, normals(1_000_000, 6, 1), 6) }

// A search of 50 independent attributes visits all 30,000 records: it takes 1.2 times BenchmarkCompare50.
func BenchmarkNearest50(b *testing.B) {
	points := normals(30_000, 50, 0)
	s := Build(points, 50).Search()
	i := 0
	for b.Loop() {
		s.Nearest(points[50*i:50*i+50], 1, i)
		i = (i + 1) % 30_000
	}
	yardstick.Report(b)
}

// BenchmarkCompare50 compares with all records one by one.
func BenchmarkCompare50(b *testing.B) {
	points := normals(30_000, 50, 0)
	i := 0
	for b.Loop() {
		nearest := math.Inf(1)
		for k := 0; k < len(points); k += 50 {
			if d := Squared(points[k:k+50], points[50*i:50*i+50]); d < nearest && k != 50*i {
				nearest = d
			}
		}
		i = (i + 1) % 30_000
	}
	yardstick.Report(b)
}

// A record takes 1.5 µs to remove.
func BenchmarkRemove1M(b *testing.B) {
	points := normals(1_000_000, 6, 1)
	var x *Index
	i := 1_000_000
	for b.Loop() {
		if i == 1_000_000 {
			b.StopTimer()
			x, i = Build(points, 6), 0
			x.Remove(0)
			b.StartTimer()
		}
		x.Remove(i)
		i++
	}
	yardstick.Report(b)
}

func benchBuild(b *testing.B, points []float64, dims int) {
	b.ReportAllocs()
	for b.Loop() {
		Build(points, dims)
	}
	yardstick.Report(b)
}

func benchOthers(b *testing.B, points []float64, dims int) {
	x := Build(points, dims)
	b.ReportAllocs()
	for b.Loop() {
		must.Get(x.Others(context.Background(), 1))(b)
	}
	yardstick.Report(b)
}
