package profile

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// census makes n records of 15 columns: six whole numbers of different ranges, one of them nearly unique, a continuous
// one and eight categorical columns; age and the categorical ones are quasi-identifiers.
func census(b *testing.B, n int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	var cols []table.Column
	for _, c := range []struct {
		name string
		top  int
	}{{"age", 73}, {"fnlwgt", 1_500_000}, {"education_num", 16}, {"capital_gain", 100_000}, {"capital_loss", 4400},
		{"hours", 99}} {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(r.IntN(c.top))
		}
		cols = append(cols, table.NumColumn(c.name, 1, v))
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
		cols = append(cols, table.CatColumn(string(rune('a'+len(cols))), make([]string, k), codes))
		cols[len(cols)-1].Role = table.Quasi
	}
	cols[0].Role = table.Quasi
	return tabletest.Of(b, cols...)
}

// On a million records of 15 columns and two cores, as multiples of slices.Sort on a million random float64: the
// profile takes about 0.7 and 32 MB, the exposure on nine quasi-identifiers about 1.7 and 200 MB allocated in all.
func BenchmarkMillion(b *testing.B) {
	t := census(b, 1_000_000)
	r := rand.New(rand.NewPCG(1, 2))
	random := make([]float64, 1_000_000)
	for i := range random {
		random[i] = r.Float64()
	}
	b.Run("sort", func(b *testing.B) {
		for b.Loop() {
			slices.Sort(slices.Clone(random))
		}
		yardstick.Report(b)
	})
	b.Run("profile", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			of(b, t)
		}
		yardstick.Report(b)
	})
	b.Run("exposure", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			must.Get(Expose(b.Context(), t))(b)
		}
		yardstick.Report(b)
	})
}

// Ten thousand columns of a hundred records take about 0.3 times that sort, suggestions, roles and exposure together.
func BenchmarkWide(b *testing.B) {
	cols := make([]table.Column, 10_000)
	for j := range cols {
		codes := make([]int32, 100)
		for i := range codes {
			codes[i] = int32((i*j + j) % 7)
		}
		cols[j] = table.CatColumn("col "+string(rune(0x4e00+j)), make([]string, 7), codes)
	}
	t := tabletest.Of(b, cols...)
	for b.Loop() {
		tab, _, err := Roles(t, of(b, t), "", nil)
		must.NoError(b, err)
		must.Get(Expose(b.Context(), tab))(b)
	}
	yardstick.Report(b)
}
