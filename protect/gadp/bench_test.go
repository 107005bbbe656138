package gadp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// gadpWide returns so many records of 20 related columns of cents, of which the first 10 are confidential.
func gadpWide(b *testing.B, rows int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	values := gadpColumns(20, rows)
	for i := range rows {
		common := r.NormFloat64()
		for j := range values {
			values[j][i] = table.Snap(1000+100*(common+r.NormFloat64()), 0.01)
		}
	}
	var cols []table.Column
	for j, v := range values {
		c := table.NumColumn(fmt.Sprint("c", j), 0.01, v)
		if j < 10 {
			c.Role = table.Confidential
		}
		cols = append(cols, c)
	}
	return tabletest.Of(b, cols...)
}

func benchmark(b *testing.B, rows int) {
	t := gadpWide(b, rows)
	b.ReportAllocs()
	for b.Loop() {
		p := must.Get(NewGADP().Fit(context.Background(), t, protecttest.Seed(1)))(b)
		must.Get(executor.Run(context.Background(), p, t, protecttest.Seed(2), protect.Options{}))(b)
	}
	yardstick.Report(b)
}

// Fit and release together take, on two cores, 0.1 (30,000 records) and 2.7 times (a million) the time of the
// yardstick.
func Benchmark30k(b *testing.B) { benchmark(b, 30_000) }
func Benchmark1M(b *testing.B)  { benchmark(b, 1_000_000) }
