package classes

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// people returns a table of ten columns like those of Adult, five of them numeric: three of whole numbers, one of many
// and one of reals. One value in so many is missing; none with 0.
func people(t testing.TB, rows, lack int) *table.Table {
	r := rand.New(rand.NewPCG(1, 5))
	var cols []table.Column
	for j, distinct := range []int{73, 16, 94, 200_000, 1000} {
		v := make([]float64, rows)
		for i := range v {
			v[i] = float64(r.IntN(distinct))
			if j > 2 {
				v[i] = v[i]*1000 + float64(j-3)*0.25
			}
			if lack > 0 && r.IntN(lack) == 0 {
				v[i] = math.NaN()
			}
		}
		cols = append(cols, table.NumColumn(fmt.Sprint("n", j), 0, v))
	}
	for j, labels := range []int{7, 16, 14, 2, 41} {
		v, names := make([]int32, rows), make([]string, labels)
		for i := range v {
			v[i] = int32(r.IntN(labels))
			if lack > 0 && r.IntN(lack) == 0 {
				v[i] = -1
			}
		}
		for k := range names {
			names[k] = fmt.Sprint(k)
		}
		cols = append(cols, table.CatColumn(fmt.Sprint("c", j), names, v))
	}
	return tabletest.Of(t, cols...)
}

// BenchmarkOf forms the classes of ten columns. With 30,162 records it takes 0.03 of the yardstick on two cores, with
// 1,000,000 about 1.
func BenchmarkOf(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			tab := people(b, rows, 0)
			b.ReportAllocs()
			for b.Loop() {
				must.Get(Of(context.Background(), Exactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), false, tab))(b)
			}
			yardstick.Report(b)
		})
	}
}

// BenchmarkCrowds finds the compatible classes of ten columns of which one value in so many is missing and nearly every
// record is a class: 30,162 records with one value in ten missing take 4 times the yardstick on two cores, 1,000,000
// with one in a hundred 60 times.
func BenchmarkCrowds(b *testing.B) {
	for _, c := range [][2]int{{30_162, 10}, {1_000_000, 100}} {
		b.Run(fmt.Sprint(c[0], " 1 in ", c[1]), func(b *testing.B) {
			tab := people(b, c[0], c[1])
			b.ReportAllocs()
			for b.Loop() {
				all, err := Of(context.Background(), Exactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), true, tab)
				if err == nil {
					_, err = all.Candidates(context.Background())
				}
				must.NoError(b, err)
			}
			yardstick.Report(b)
		})
	}
}

// BenchmarkTally counts the values of a column in classes of three columns: 0.6 of the yardstick for 1,000,000 records.
func BenchmarkTally(b *testing.B) {
	tab := people(b, 1_000_000, 0)
	c := must.Get(Of(context.Background(), Exactly(0, 1, 2), false, tab))(b)
	for b.Loop() {
		must.Get(c.Tally(context.Background(), 0, tab, 4))(b)
	}
	yardstick.Report(b)
}
