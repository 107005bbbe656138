package format_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/table"
)

// baskets are sets of 5 to 20 items of so many, the commoner the lower their number, beside the number of the record.
func baskets(b *testing.B, rows, most int) (t *table.Table, items int) {
	chance := rand.New(rand.NewPCG(1, 2))
	skewed := rand.NewZipf(chance, 1.2, 8, uint64(most-1))
	labels := make([]string, most)
	for v := range labels {
		labels[v] = fmt.Sprint("item", v)
	}
	lists, id := make([][]int32, rows), make([]float64, rows)
	for i := range lists {
		id[i], lists[i] = float64(i+1), []int32{}
		for range 5 + chance.IntN(16) {
			lists[i] = append(lists[i], int32(skewed.Uint64()))
		}
	}
	c := table.SetColumn("has", labels, table.SetsOf(lists, nil))
	items = len(c.Sets.Present.All())
	t = must.Get(table.New(table.NumColumn("id", 1, id), c.Compact()))(b)
	return t, items
}

// BenchmarkReadSets reads sets from files, with their hashes. The bar is ten million items a second. On two cores that
// nothing else disturbed: sets in cells took 9.9 times the yardstick (12.0 million items a second), a row for each item
// 10.3 (11.6), a column for each 2.8 (11.0), sparse ARFF 6.6 (18.2) and lists in Parquet 4.1 (29.0). What is left in
// cells is the dictionary of whole cells.
func BenchmarkReadSets(b *testing.B) {
	for _, c := range []struct {
		what, file, items string
		rows, most        int
	}{
		{"in a cell", "a.csv", "has:;", 1_000_000, 16_000},
		{"a row each", "a.csv", "id:has", 1_000_000, 16_000},
		{"a column each", "a.csv", "wide:has_", 300_000, 60},
		{"sparse ARFF", "a.arff", "wide:has_", 1_000_000, 16_000},
		{"Parquet lists", "a.parquet", "has:;", 1_000_000, 16_000},
	} {
		t, items := baskets(b, c.rows, c.most)
		spec := must.Get(layout.Parse(c.items))(b)
		opt := format.Options{Items: []layout.Spec{spec}}
		path := filepath.Join(b.TempDir(), c.file)
		must.Get(format.Write(context.Background(), path, t, opt))(b)
		b.Run(c.what, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := format.Read(context.Background(), path, opt); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(items)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mitems/s")
			yardstick.Report(b)
		})
	}
}
