package rulepreservation

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// people returns a table like Adult: six numeric columns, two of them with many values, eight categorical ones and a
// class.
func people(b *testing.B, rows int, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 5))
	class := make([]int32, rows)
	for i := range class {
		class[i] = int32(r.IntN(2))
	}
	var cols []table.Column
	for j, distinct := range []int{73, 20000, 16, 5000, 92, 94} {
		v := make([]float64, rows)
		for i := range v {
			v[i] = float64((r.IntN(distinct) + int(class[i])*distinct/(5+j)) % distinct)
		}
		cols = append(cols, table.NumColumn(fmt.Sprint("n", j), 1, v))
	}
	for j, labels := range []int{7, 16, 7, 14, 6, 5, 2, 41} {
		v, names := make([]int32, rows), make([]string, labels)
		for i := range v {
			if v[i] = int32(r.IntN(labels)); r.IntN(5+j) == 0 {
				v[i] = class[i]
			}
		}
		for k := range names {
			names[k] = fmt.Sprint(k)
		}
		cols = append(cols, table.CatColumn(fmt.Sprint("c", j), names, v))
	}
	c := table.CatColumn("class", []string{"no", "yes"}, class)
	c.Role = table.Class
	return tabletest.Of(b, append(cols, c)...)
}

// BenchmarkSegments forces a SysFor forest of three trees on a table. With 30,162 rows it takes 0.2, with 1,000,000
// rows 5 times the yardstick on two cores.
func BenchmarkSegments(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			t := people(b, rows, 1)
			f := must.Get(forests.SysForNew().Grow(context.Background(), t.Slice(0, min(rows, 100_000)), 14))(b)
			nodes := 0
			for _, t := range f.Trees {
				nodes += len(t.Nodes)
			}
			for b.Loop() {
				must.Get(Segments(context.Background(), f, t, Options{Criterion: GainRatio, MinSide: 1}))(b)
			}
			yardstick.Report(b)
			b.ReportMetric(float64(nodes), "nodes")
		})
	}
}
