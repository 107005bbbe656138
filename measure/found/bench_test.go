package found

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// noisy returns the table with normal noise of a share of the range and that share of categories drawn anew.
func noisy(t *table.Table, share float64) *table.Table {
	r := rand.New(rand.NewPCG(3, 4))
	for j := range t.Width() {
		if v := t.Num(j); v != nil {
			w := make([]float64, len(v))
			lo, hi := table.Range(v)
			for i := range v {
				w[i] = table.Snap(v[i]+share*r.NormFloat64()*(hi-lo)/6, t.Attr(j).Step)
			}
			t = t.WithNum(j, w)
			continue
		}
		w := make([]int32, t.Rows())
		for i, c := range t.Cat(j) {
			if w[i] = c; r.Float64() < share {
				w[i] = t.Cat(j)[r.IntN(len(w))]
			}
		}
		t = t.WithCat(j, w)
	}
	return t
}

func bench(b *testing.B, r *measure.Release) {
	m := Measure.New()
	b.ReportAllocs()
	for b.Loop() {
		c := *r
		v := must.Get(m.Measure(b.Context(), &c, rng.New([32]byte{1})))(b)
		b.ReportMetric(v.Score, "found")
		b.ReportMetric(float64(v.Detail.(*Detail).Attacked.Tried), "tried")
	}
	yardstick.Report(b)
}

// With the budget of a report, 300,000,000 comparisons.
func BenchmarkNoise(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		t := protecttest.AdultLike(b, rows)
		for _, share := range []float64{0, 0.1, 0.5} {
			u := t
			if share > 0 {
				u = noisy(t, share)
			}
			b.Run(fmt.Sprint(rows, share),
				func(b *testing.B) { bench(b, &measure.Release{Original: t, Released: u, Paired: true}) })
		}
	}
}

// wide returns people of 40 numbers, of grids from 5 values to all different ones, 19 categories of 3 to 21 labels and
// a class that follows the first number.
func wide(tb testing.TB, rows int) *table.Table {
	r := rand.New(rand.NewPCG(5, 6))
	var cols []table.Column
	for j := range 40 {
		v, step := make([]float64, rows), []float64{1, 0.1, 1, 0.01, 0}[j%5]
		for i := range v {
			v[i] = table.Snap([]float64{3, 12, 9000, 1.3, 1}[j%5]*r.NormFloat64(), step)
		}
		cols = append(cols, table.NumColumn(fmt.Sprint("n", j), step, v))
	}
	for j := range 20 {
		labels, codes := make([]string, j+2), make([]int32, rows)
		for c := range labels {
			labels[c] = fmt.Sprint(c)
		}
		for i := range codes {
			if codes[i] = int32(float64(len(labels)) * r.Float64() * r.Float64()); j == 0 && cols[0].Num[i] > 1 {
				codes[i] = 1
			}
		}
		cols = append(cols, table.CatColumn(fmt.Sprint("c", j), labels, codes))
	}
	cols[40].Role = table.Class
	return tabletest.Of(tb, cols...)
}

// With the Framework the two intruders of a report take 1.6 and 1.0 s of processor time, 16 and 10 times that of the
// yardstick; the first prepares the columns for both. Where nothing but noise is left, 100 people who are compared with
// most of the records take 70 times.
func BenchmarkWide(b *testing.B) {
	t := wide(b, 100_000)
	b.Run("noise", func(b *testing.B) {
		bench(b, (&measure.Release{Original: t, Released: noisy(t, 0.3), Paired: true}).Against(everything))
	})
	b.Run("framework", func(b *testing.B) { bench(b, protected(b, t, framework.Framework).Against(everything)) })
}

func BenchmarkFramework30k(b *testing.B) {
	bench(b, protected(b, protecttest.AdultLike(b, 30_162), framework.Framework))
}
