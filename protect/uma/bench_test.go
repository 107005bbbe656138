package uma

import (
	"context"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// numbers6 returns a table of six numeric columns without ties to speak of, or of cents with some.
func numbers6(rows int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	cols := make([]table.Column, 6)
	for j := range cols {
		v := make([]float64, rows)
		for i := range v {
			v[i] = r.NormFloat64()
			if j%2 == 1 {
				v[i] = table.Snap(1000*v[i], 0.01)
			}
		}
		cols[j] = table.NumColumn("x"+strconv.Itoa(j), 0.01*float64(j%2), v)
	}
	return tabletest.Must(cols...)
}

// Release of six columns, of which three have ties, on two cores, as multiples of the yardstick: 1,000,000 records 6
// for k = 3, 7.5 for k = 10; 30,000 records 0.2. The sorting takes most of it, so the classic grouping is not faster.
func BenchmarkRelease(b *testing.B) {
	for _, c := range []struct {
		name, k, grouping string
		rows              int
	}{{"30k", "3", Optimal, 30_000}, {"1M", "3", Optimal, 1_000_000}, {"1M, k=10", "10", Optimal, 1_000_000},
		{"1M, classic", "3", Classic, 1_000_000}} {
		t := numbers6(c.rows)
		p := fit(b, t, map[string]string{"k": c.k, "grouping": c.grouping})
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				must.Get(executor.Run(context.Background(), p, t, protecttest.Seed(1), protect.Options{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
