package kmanonymise

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// market draws baskets of ten items on average, a few of which are far more frequent than most.
func market(rows, labels int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	chance := rand.NewZipf(r, 1.1, 8, uint64(labels-1))
	sets, names := make([][]int32, rows), make([]string, labels)
	for i := range sets {
		sets[i] = []int32{}
		for range 5 + r.IntN(11) {
			sets[i] = append(sets[i], int32(chance.Uint64()))
		}
	}
	for v := range names {
		names[v] = fmt.Sprint("i", v)
	}
	return tabletest.Must(table.SetColumn("bought", names, table.SetsOf(sets, nil)))
}

// tens is a hierarchy of items by tens, hundreds and thousands.
func tens(labels int) *hierarchy.Hierarchy {
	h := &hierarchy.Hierarchy{Attribute: "bought"}
	for n, width := range []int{1, 10, 100, 1000} {
		var names []string
		var up []int32
		for v := 0; v < labels; v += width {
			names = append(names, fmt.Sprintf("%c%d", "ithg"[n], v/width))
			up = append(up, int32(v/width/10))
		}
		if h.Names = append(h.Names, names); n < 3 {
			h.Up = append(h.Up, up)
		}
	}
	return h
}

// Fit and release of baskets of ten of 1,000 items, on two cores, as multiples of the yardstick: 30,000 with m = 2 1.5
// locally and 0.4 globally, with m = 3 4.7; with a hierarchy of tens, hundreds and thousands 9 and 7; 1,000,000 with m
// = 2 194, most of it in the many rounds that delete few items.
func BenchmarkRelease(b *testing.B) {
	for _, c := range []struct {
		name       string
		rows, m    int
		suppress   string
		hierarchic bool
	}{
		{"30k", 30_000, 2, Local, false}, {"30k m=3", 30_000, 3, Local, false}, {"30k global", 30_000, 2, Global, false},
		{"30k groups", 30_000, 2, Local, true},
		{"30k groups global", 30_000, 2, Global, true}, {"1M", 1_000_000, 2, Local, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			tab := market(c.rows, 1000)
			b.ReportAllocs()
			for b.Loop() {
				q := New()
				q.M, q.Suppress = c.m, c.suppress
				if c.hierarchic {
					q.UseHierarchies(hierarchy.Set{"bought": tens(1000)})
				}
				p := must.Get(q.Fit(b.Context(), tab, protecttest.Seed(1)))(b)
				f := p.(*Plan).Found[0]
				b.ReportMetric(100*float64(f.Deleted)/float64(f.Items), "%deleted")
			}
			yardstick.Report(b)
		})
	}
}
