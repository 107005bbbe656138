package hierarchy

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/table"
)

// 1,000,000 records as shares of the yardstick: 0.02 for categories, 0.13 for ten intervals and for 100 listed numbers,
// on two cores.
func BenchmarkGroups(b *testing.B) {
	for name, n := range map[string]int{"30k": 30_000, "1M": 1_000_000} {
		r := rand.New(rand.NewPCG(1, 2))
		v, codes := make([]float64, n), make([]int32, n)
		for i := range v {
			codes[i] = int32(r.IntN(100))
			v[i] = float64(codes[i])
		}
		var labels, group []string
		for k := range 100 {
			labels, group = append(labels, strconv.Itoa(k)), append(group, strconv.Itoa(k/10))
		}
		num, cat := table.NumColumn("v", 1, v), table.CatColumn("v", labels, codes)
		listed := Join("v", labels, group)
		for _, c := range []struct {
			name string
			h    *Hierarchy
			c    *table.Column
		}{{"categories", listed, &cat}, {"listed numbers", listed, &num}, {"intervals", Intervals(&num), &num}} {
			b.Run(c.name+" "+name, func(b *testing.B) {
				for b.Loop() {
					must.Get(c.h.Groups(c.c, 1))(b)
				}
				yardstick.Report(b)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/value")
			})
		}
	}
}

// A file of 1,000,000 values in four levels.
func BenchmarkParse(b *testing.B) {
	var text strings.Builder
	for k := range 1_000_000 {
		s := strconv.Itoa(1_000_000 + k)
		text.WriteString(s + ";" + s[:5] + ";" + s[:3] + ";*\n")
	}
	for b.Loop() {
		must.Get(Parse("v", strings.NewReader(text.String())))(b)
	}
	yardstick.Report(b)
}
