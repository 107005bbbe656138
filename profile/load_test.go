package profile

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// load reads a data set: a column is numeric when all its values are, "?" is missing.
func load(t testing.TB, name string) *table.Table {
	t.Helper()
	f := must.Get(os.Open(dataset.File(t, name)))(t)
	defer f.Close()
	records := must.Get(csv.NewReader(f).ReadAll())(t)
	cols := make([]table.Column, len(records[0]))
	for j, n := range records[0] {
		text := make([]string, len(records)-1)
		for i := range text {
			text[i] = records[i+1][j]
		}
		cols[j] = column(n, text)
	}
	return tabletest.Of(t, cols...)
}

func column(name string, text []string) table.Column {
	num := make([]float64, len(text))
	decimals := 0
	for i, s := range text {
		num[i] = math.NaN()
		if s == "?" {
			continue
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return categories(name, text)
		}
		num[i] = v
		if _, frac, ok := strings.Cut(s, "."); ok {
			decimals = max(decimals, len(strings.TrimRight(frac, "0")))
		}
	}
	return table.NumColumn(name, math.Pow10(-decimals), num)
}

func categories(name string, text []string) table.Column {
	index := map[string]int32{}
	var labels []string
	codes := make([]int32, len(text))
	for i, s := range text {
		codes[i] = -1
		if s == "?" {
			continue
		}
		k, ok := index[s]
		if !ok {
			k = int32(len(labels))
			index[s] = k
			labels = append(labels, s)
		}
		codes[i] = k
	}
	return table.CatColumn(name, labels, codes)
}

func of(t testing.TB, tab *table.Table) *Profile {
	t.Helper()
	return must.Get(Of(t.Context(), tab))(t)
}
