package protecttest

import (
	"context"
	"encoding/csv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// AdultLike draws so many complete records of Adult, whose class is income, with jitter on the numbers.
func AdultLike(t testing.TB, rows int) *table.Table {
	t.Helper()
	f, err := os.Open(dataset.File(t, "adult/adult.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head, records := records[0], slices.DeleteFunc(records[1:], func(r []string) bool { return slices.Contains(r, "?") })
	r := rand.New(rand.NewPCG(1, 2))
	from := make([]int, rows)
	for i := range from {
		from[i] = r.IntN(len(records))
		if rows <= len(records) {
			from[i] = i
		}
	}
	jitter := map[string]float64{
		"age":            3,
		"fnlwgt":         20_000,
		"education_num":  0,
		"capital_gain":   300,
		"capital_loss":   100,
		"hours_per_week": 2,
	}
	var cols []table.Column
	for j, name := range head {
		spread, numeric := jitter[name]
		if !numeric {
			cols = append(cols, categories(name, records, j, from))
			continue
		}
		v := make([]float64, rows)
		for i := range v {
			v[i], err = strconv.ParseFloat(records[from[i]][j], 64)
			if err != nil {
				t.Fatal(err)
			}
			if rows > len(records) && v[i] != 0 {
				v[i] = max(0, float64(int(v[i]+spread*(2*r.Float64()-1)+0.5)))
			}
		}
		cols = append(cols, table.NumColumn(name, 1, v))
	}
	cols[len(cols)-1].Role = table.Class
	tab, err := table.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func categories(name string, records [][]string, j int, from []int) table.Column {
	index := map[string]int32{}
	var labels []string
	codes := make([]int32, len(from))
	for i, k := range from {
		l := records[k][j]
		code, ok := index[l]
		if !ok {
			code = int32(len(labels))
			index[l] = code
			labels = append(labels, strings.Clone(l))
		}
		codes[i] = code
	}
	return table.CatColumn(name, labels, codes)
}

// BenchFit times fitting a technique to so many records like Adult's.
func BenchFit(b *testing.B, m protect.Method, rows int) {
	t := AdultLike(b, rows)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.New().Fit(context.Background(), t, rng.New([32]byte{1})); err != nil {
			b.Fatal(err)
		}
	}
	yardstick.Report(b)
}

// BenchApply times applying a technique's plan to so many records like Adult's.
func BenchApply(b *testing.B, m protect.Method, rows int) {
	t := AdultLike(b, rows)
	p, err := m.New().Fit(context.Background(), t, rng.New([32]byte{1}))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := executor.Run(context.Background(), p, t, rng.New([32]byte{2}), protect.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	yardstick.Report(b)
}
