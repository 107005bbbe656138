package kmeans

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// sizes are the numbers of records that are timed.
var sizes = []int{30_162, 1_000_000}

// BenchmarkLloyd fits K = 2 to 6 from fixed records, one after another, until labels repeat: 365 iterations in all on a
// million records. Against the yardstick on two cores it takes 0.3 on 30,162 records and 12.5 on a million; comparing
// every record with every centroid takes some 5 times as long.
func BenchmarkLloyd(b *testing.B) {
	each(b, func(b *testing.B, t *table.Table) {
		iterations := 0
		for k := 2; k <= 6; k++ {
			l := New()
			l.Tolerance = 0
			for c := range k {
				l.Start = append(l.Start, c*(t.Rows()/k))
			}
			iterations += fit(b, l, t).Iterations
		}
		b.ReportMetric(float64(iterations), "iterations")
	})
}

// BenchmarkFit takes the best of ten restarts of four clusters, the defaults: 0.35 of the yardstick on 30,162 records,
// 26 times it on a million.
func BenchmarkFit(b *testing.B) { each(b, func(b *testing.B, t *table.Table) { fit(b, New(), t) }) }

// BenchmarkAssign assigns records to four clusters: 0.01 of the yardstick on 30,162, 0.22 on a million.
func BenchmarkAssign(b *testing.B) {
	for _, rows := range sizes {
		t := protecttest.AdultLike(b, rows)
		l := New()
		l.Restarts = 1
		m, dst := fit(b, l, t), make([]int32, rows)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			for b.Loop() {
				m.Assign(t, dst)
			}
			yardstick.Report(b)
		})
		if !slices.Equal(dst, m.Labels()) {
			b.Error("the labels differ")
		}
	}
}

// BenchmarkDivide divides 100 records of four attributes into three clusters, the best of ten restarts, as techniques
// do leaf by leaf: 0.001 of the yardstick.
func BenchmarkDivide(b *testing.B) {
	points := cloud(100, 4, 1)
	b.ReportAllocs()
	for b.Loop() {
		must.Get(Divide(context.Background(), points, 4, 3, 10, seed))(b)
	}
	yardstick.Report(b)
}

func each(b *testing.B, f func(b *testing.B, t *table.Table)) {
	for _, rows := range sizes {
		t := protecttest.AdultLike(b, rows)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f(b, t)
			}
			yardstick.Report(b)
		})
	}
}
