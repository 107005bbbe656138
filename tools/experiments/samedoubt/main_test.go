package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Both kinds of noise leave the doubt that the Framework leaves, the law brings the correlations back, and the original
// keeps all.
func TestCompare(t *testing.T) {
	const n = 1500
	r := rand.New(rand.NewPCG(1, 1))
	x, y, c := make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		x[i] = float64(r.IntN(100))
		y[i] = math.Round(x[i]/2) + float64(r.IntN(20))
		if x[i] > 40 {
			c[i] = 1
		}
	}
	class := table.CatColumn("c", []string{"no", "yes"}, c)
	class.Role = table.Class
	rows, err := compare(
		t.Context(),
		tabletest.Must(table.NumColumn("x", 1, x), table.NumColumn("y", 1, y), class),
		33.33,
		1,
	)
	if err != nil {
		t.Fatal(err)
	}
	if o := rows[0].figures; o[face] < 98 || o[rules] != 100 || o[correlations] != 0 {
		t.Errorf("original: %v", o)
	}
	for _, noise := range rows[2:] {
		f, own := noise.figures, rows[1].figures
		if math.Abs(f[doubt]-own[doubt]) > 0.05 || f[corrected] > f[correlations] || f[byLaw] < f[face]-2 ||
			own[byLaw] == own[byLaw] {
			t.Errorf("%s: %v beside %v", noise.name, f, own)
		}
	}
}
