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

// egadpWide returns k confidential columns and q others that correlate.
func egadpWide(tb testing.TB, rows, k, q int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	cols := make([]table.Column, k+q)
	shared := make([]float64, rows)
	for i := range shared {
		shared[i] = r.NormFloat64()
	}
	for j := range cols {
		v := make([]float64, rows)
		for i := range v {
			v[i] = float64(10*j) + shared[i] + r.NormFloat64()
		}
		cols[j] = table.NumColumn(fmt.Sprint("c", j), 0.01, v)
		if j < k {
			cols[j].Role = table.Confidential
		}
	}
	return tabletest.Of(tb, cols...)
}

// BenchmarkProtect fits and applies: 20 columns of which 10 are confidential. 1,000,000 records take 6.5 times the
// yardstick on two cores.
func BenchmarkProtect(b *testing.B) {
	for _, rows := range []int{30_000, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			t := egadpWide(b, rows, 10, 10)
			b.ReportAllocs()
			for b.Loop() {
				p := must.Get(NewEGADP().Fit(context.Background(), t, protecttest.Seed(1)))(b)
				must.Get(executor.Run(context.Background(), p, t, protecttest.Seed(2), protect.Options{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
