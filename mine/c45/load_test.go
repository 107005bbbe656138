package c45

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// load reads a data set: columns of numbers are numeric with step 1, the class is categorical, rows with a ? are
// dropped on request.
func load(t testing.TB, file, class string, complete bool, drop ...string) *table.Table {
	t.Helper()
	f := must.Get(os.Open(dataset.File(t, file)))(t)
	defer f.Close()
	recs := must.Get(csv.NewReader(f).ReadAll())(t)
	head, recs := recs[0], recs[1:]
	missing := func(s string) bool { return s == "?" || s == "" }
	if complete {
		recs = slices.DeleteFunc(recs, func(r []string) bool { return slices.ContainsFunc(r, missing) })
	}
	var cols []table.Column
	for j, name := range head {
		if slices.Contains(drop, name) {
			continue
		}
		cols = append(cols, readColumn(name, name == class, recs, j, missing))
	}
	return tabletest.Of(t, cols...)
}

func readColumn(name string, class bool, recs [][]string, j int, missing func(string) bool) table.Column {
	num := make([]float64, len(recs))
	numeric := !class
	for i, r := range recs {
		v, err := strconv.ParseFloat(r[j], 64)
		if num[i] = v; missing(r[j]) {
			num[i] = math.NaN()
		} else if err != nil {
			numeric = false
		}
	}
	if numeric {
		return table.NumColumn(name, 1, num)
	}
	var labels []string
	for _, r := range recs {
		if !missing(r[j]) {
			labels = append(labels, r[j])
		}
	}
	slices.Sort(labels)
	labels = slices.Compact(labels)
	codes := make([]int32, len(recs))
	for i, r := range recs {
		codes[i] = -1
		if !missing(r[j]) {
			k, _ := slices.BinarySearch(labels, r[j])
			codes[i] = int32(k)
		}
	}
	c := table.CatColumn(name, labels, codes)
	if class {
		c.Role = table.Class
	}
	return c
}

func hasMissing(t *table.Table) bool {
	for j := range t.Width() {
		for i := range t.Rows() {
			if t.MissingAt(i, j) {
				return true
			}
		}
	}
	return false
}
