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

// mixed returns six numeric and four categorical attributes that tell something about the class, the last column.
func mixed(b *testing.B, rows int, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 5))
	class := make([]int32, rows)
	for i := range class {
		class[i] = int32(r.IntN(2))
	}
	var cols []table.Column
	for j := range 6 {
		v := make([]float64, rows)
		for i := range v {
			v[i] = r.Float64() + float64(class[i])/float64(3+j)
		}
		c := table.NumColumn(fmt.Sprint("n", j), 0, v)
		c.Domain = table.Interval{Hi: 1.5}
		cols = append(cols, c)
	}
	for j := range 4 {
		v := make([]int32, rows)
		for i := range v {
			if v[i] = int32(r.IntN(8)); r.IntN(5+j) == 0 {
				v[i] = class[i]
			}
		}
		cols = append(cols, table.CatColumn(fmt.Sprint("c", j), []string{"a", "b", "c", "d", "e", "f", "g", "h"}, v))
	}
	c := table.CatColumn("class", []string{"no", "yes"}, class)
	c.Role = table.Class
	return tabletest.Of(b, append(cols, c)...)
}

// BenchmarkCompare compares two SysFor forests of three trees on a table. With 30,162 rows it takes 0.04, with
// 1,000,000 rows 1.05 of the yardstick on two cores.
func BenchmarkCompare(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			t := mixed(b, rows, 1)
			before := must.Get(forests.SysForNew().Grow(context.Background(), t.Slice(0, 30_000), 10))(b)
			after := must.Get(forests.SysForNew().Grow(context.Background(), mixed(b, 30_000, 2), 10))(b)
			pairs := 0
			for b.Loop() {
				c := must.Get(EDUDSCompare(context.Background(), before, after, t, Printed))(b)
				pairs = len(c.pairs)
			}
			yardstick.Report(b)
			b.ReportMetric(float64(pairs), "pairs")
		})
	}
}
