package transactions

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// baskets are a million transactions of ten items on average, of 16,000, the commoner the lower their number.
func baskets(b *testing.B) (t *table.Table, items int) {
	chance := rand.New(rand.NewPCG(1, 2))
	skewed := rand.NewZipf(chance, 1.2, 8, 15_999)
	labels := make([]string, 16_000)
	for v := range labels {
		labels[v] = fmt.Sprint(v)
	}
	rows := make([][]int32, 1_000_000)
	for i := range rows {
		rows[i] = []int32{}
		for range 5 + chance.IntN(16) {
			rows[i] = append(rows[i], int32(skewed.Uint64()))
		}
	}
	s := table.SetsOf(rows, nil)
	t = must.Get(table.New(table.SetColumn(Column, labels, s)))(b)
	return t, len(s.Present.All())
}

// The bar is ten million items a second. On two cores FIMI files were read at 69 million and names at 22 million, and
// written at 20 million, where slices.Sort of 1,000,000 random float64 took 0.11 s.
func benchmark(b *testing.B, f dialect.Format) {
	t, items := baskets(b)
	var out bytes.Buffer
	must.NoError(b, f.Write(context.Background(), &out, t, dialect.Options{}))
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := f.Read(context.Background(), out.Bytes(), dialect.Options{}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(items)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mitems/s")
	})
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			out.Reset()
			must.NoError(b, f.Write(context.Background(), &out, t, dialect.Options{}))
		}
		b.ReportMetric(float64(items)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mitems/s")
	})
}

func BenchmarkFIMI(b *testing.B)   { benchmark(b, Format) }
func BenchmarkBasket(b *testing.B) { benchmark(b, FormatBasket) }
func BenchmarkSPMF(b *testing.B)   { benchmark(b, FormatSPMF) }
