package relation

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

// census makes n records of six whole numbers of different ranges, a continuous one and eight categories, all
// independent.
func census(b testing.TB, n int) []table.Column {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var cols []table.Column
	for _, top := range []int{73, 1_500_000, 16, 100_000, 4400, 99} {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(r.IntN(top))
		}
		cols = append(cols, table.NumColumn(fmt.Sprint("n", top), 1, v))
	}
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	cols = append(cols, table.NumColumn("measured", 0, v))
	for _, k := range []int{9, 16, 7, 15, 6, 5, 2, 42} {
		codes := make([]int32, n)
		for i := range codes {
			codes[i] = int32(math.Abs(r.NormFloat64())*float64(k)/4) % int32(k)
		}
		cols = append(cols, table.CatColumn(fmt.Sprint("c", k), labels(k), codes))
	}
	return cols
}

func labels(n int) []string {
	out := make([]string, n)
	for k := range out {
		out[k] = fmt.Sprint("v", k)
	}
	return out
}

// derive replaces six columns by what follows from others: a sum, a ratio, an order, a code, a determined one, and one
// that has a value only where another says so.
func derive(cols []table.Column) {
	n := cols[0].Len()
	sum, ratio, above, paid := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	code, town := make([]int32, n), make([]int32, n)
	for i := range n {
		sum[i] = cols[0].Num[i] + cols[1].Num[i]
		ratio[i] = table.Snap(100*cols[1].Num[i]/(cols[3].Num[i]+1), 0.01)
		above[i] = cols[0].Num[i] + math.Floor(cols[5].Num[i]/3)
		code[i] = 15 - cols[8].Cat[i]
		town[i] = cols[14].Cat[i] / 6
		if paid[i] = cols[4].Num[i] + 1; cols[13].Cat[i] == 0 {
			paid[i] = math.NaN()
		}
		cols[3].Num[i]++
	}
	cols[2] = table.NumColumn("sum", 1, sum)
	cols[5] = table.NumColumn("above", 1, above)
	cols[6] = table.NumColumn("ratio", 0.01, ratio)
	cols[7] = table.CatColumn("town", labels(7), town)
	cols[9] = table.CatColumn("code", labels(16), code)
	cols[4] = table.NumColumn("paid", 1, paid)
}

// On a million records of 15 columns and two cores, as multiples of slices.Sort on a million random float64.
func BenchmarkFindMillion(b *testing.B) {
	cols := census(b, 1_000_000)
	for _, name := range []string{"independent", "six relations"} {
		b.Run(name, func(b *testing.B) {
			if name != "independent" {
				derive(cols)
			}
			t := tabletest.Of(b, cols...)
			b.ReportAllocs()
			found := 0
			for b.Loop() {
				all := must.Get(Find(context.Background(), t, Options{}))(b)
				found = len(all)
			}
			b.ReportMetric(float64(found), "relations")
			yardstick.Report(b)
		})
	}
}

// On 5,000 records of 300 columns, a third of them with missing values.
func BenchmarkFindWide(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	var cols []table.Column
	for k := range 20 {
		more := census(b, 5000)
		for j := range more {
			more[j].Name += fmt.Sprint("_", k)
			for i := range more[j].Len() {
				h := r.IntN(5000)
				if more[j].Num != nil {
					more[j].Num[i], more[j].Num[h] = more[j].Num[h], more[j].Num[i]
					if k%3 == 0 && r.IntN(50) == 0 {
						more[j].Num[i] = math.NaN()
					}
				} else {
					more[j].Cat[i], more[j].Cat[h] = more[j].Cat[h], more[j].Cat[i]
				}
			}
		}
		if k%2 == 0 {
			derive(more)
			for j := range more {
				more[j].Name += fmt.Sprint("_", k)
			}
		}
		cols = append(cols, more...)
	}
	t := tabletest.Of(b, cols...)
	b.ReportAllocs()
	found := 0
	for b.Loop() {
		all := must.Get(Find(context.Background(), t, Options{}))(b)
		found = len(all)
	}
	b.ReportMetric(float64(found), "relations")
}
