package main

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/dither-data/dither/internal/dataset"
	"github.com/dither-data/dither/table"
)

// TestTable3 reads every data set of Table 3 and counts what the paper counts.
func TestTable3(t *testing.T) {
	t.Setenv("DITHER_DATA", filepath.Dir(filepath.Dir(dataset.File(t, "wine/wine.csv"))))
	for _, want := range []struct {
		name                                   string
		records, numeric, categorical, classes int
	}{
		{"wine", 178, 13, 1, 3}, // the paper prints 12 numeric attributes
		{"wbc", 683, 9, 1, 2},
		{"credit", 653, 6, 10, 2},
		{"cmc", 1473, 2, 8, 3},
		{"abalone", 4177, 7, 2, 28},
	} {
		d, err := load(context.Background(), want.name)
		if err != nil {
			t.Fatal(err)
		}
		numeric, categorical := 0, 0
		for j := range d.Table.Width() {
			if d.Table.Attr(j).Kind == table.Numeric {
				numeric++
			} else {
				categorical++
			}
		}
		classes := map[int32]bool{}
		for _, c := range d.Table.Cat(d.Table.WithRole(table.Class)) {
			classes[c] = true
		}
		if d.Table.Rows() != want.records || numeric != want.numeric || categorical != want.categorical || len(classes) != want.classes {
			t.Errorf("%s: %d records, %d numeric, %d categorical, %d classes", want.name, d.Table.Rows(), numeric, categorical, len(classes))
		}
	}
	if _, err := load(context.Background(), "iris"); err == nil {
		t.Error("a data set that is not in the table was read")
	}
}

func TestDifference(t *testing.T) {
	mean, half := difference([]float64{3, 5, 7}, []float64{2, 3, 4})
	if math.Abs(mean-2) > 1e-12 || math.Abs(half-4.302652729696142/math.Sqrt(3)) > 1e-9 {
		t.Errorf("%v ± %v", mean, half)
	}
}
