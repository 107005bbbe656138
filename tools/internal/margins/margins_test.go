package margins

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestMargins: of two equal columns and a coin, permuting each by itself leaves the margins of one column, and makes
// half of the records of a pair of equal columns differ. A missing value, and a number outside the range, count.
func TestMargins(t *testing.T) {
	a, b := []int32{0, 0, 1, 1}, []int32{0, 1, 0, 1}
	labels := []string{"x", "y"}
	original := tabletest.Must(table.CatColumn("a", labels, a), table.CatColumn("same", labels, a),
		table.CatColumn("b", labels, b))
	release := tabletest.Must(table.CatColumn("a", labels, a), table.CatColumn("same", labels, b),
		table.CatColumn("b", labels, b))
	// pairs: a and same, 1/2; a and b, 0; same and b, 1/2; the triple, 1/2
	if got := Of(original, release); got != [3]float64{0, 1.0 / 3, 0.5} {
		t.Errorf("margins %v", got)
	}
	x := tabletest.Must(tabletest.Numbers(0, []float64{0, 1, 19.5, 20})...)
	for _, c := range []struct {
		v    []float64
		want float64
	}{{[]float64{0, 1, 20, 20}, 0}, {[]float64{0, 1, 19.5, 99}, 0}, {[]float64{0, 0.5, 19.5, 20}, 0.25},
		{[]float64{0, 1, 20, math.NaN()}, 0.25}} {
		if got := Of(x, tabletest.Must(tabletest.Numbers(0, c.v)...)); got[0] != c.want {
			t.Errorf("%v: %v, expected %g", c.v, got[0], c.want)
		}
	}
}

// TestYardsticks: with equal columns the permuted ones err in their pairs as chance says, and halves as samples do.
func TestYardsticks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	a := make([]int32, 4000)
	for i := range a {
		a[i] = int32(r.IntN(2))
	}
	in := tabletest.Must(table.CatColumn("a", []string{"x", "y"}, a), table.CatColumn("b", []string{"x", "y"}, a))
	alone, half := Independent(in, rng.New([32]byte{1})), Halves(in, rng.New([32]byte{1}))
	if alone[0] > 1e-12 || math.Abs(alone[1]-0.5) > 0.05 {
		t.Errorf("independent columns have %v", alone)
	}
	if half[0] == 0 || half[1] > 0.05 || half[0] != half[1] {
		t.Errorf("halves have %v", half)
	}
}
