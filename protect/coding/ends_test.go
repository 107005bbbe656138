package coding_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// The highest incomes become the limit or their mean, the others stay.
func TestHighestIncomes(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("income", 1, []float64{10, 200, 12, 14, 60, 16, 18, 20, 22, 40}))
	for _, c := range []struct {
		set  map[string]string
		want []float64
	}{
		{map[string]string{"at": "income=30"}, []float64{10, 30, 12, 14, 30, 16, 18, 20, 22, 30}},
		{map[string]string{"at": "income=30", "as": "mean"}, []float64{10, 100, 12, 14, 100, 16, 18, 20, 22, 100}},
		{map[string]string{"share": "30"}, []float64{10, 22, 12, 14, 22, 16, 18, 20, 22, 22}},
		{map[string]string{"share": "10"}, []float64{10, 40, 12, 14, 40, 16, 18, 20, 22, 40}}, // 60 has two, fewer than k
	} {
		p := plan(t, false, tab, c.set)
		out := apply(t, p, tab)
		if d := out.Attr(0).Domain; !slices.Equal(out.Num(0), c.want) || d.Hi != slices.Max(c.want) || d.Lo != 10 {
			t.Errorf("%v: %v in %v, expected %v", c.set, out.Num(0), d, c.want)
		}
		if p.Describe().String() != "top-coded" {
			t.Errorf("the plan is %s", p.Describe())
		}
	}
}

// Bottom coding is top coding of the negative values.
func TestMirrorsTopCoding(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(3, 40).Draw(r, "rows")
		v, up, w := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range v {
			v[i], w[i] = float64(rapid.IntRange(-8, 8).Draw(r, "value")), float64(rapid.IntRange(1, 3).Draw(r, "weight"))
			if i > 2 && v[i] == 8 {
				v[i] = math.NaN()
			}
			up[i] = -v[i]
		}
		weight := table.NumColumn("w", 1, w)
		weight.Role = table.Weight
		set := map[string]string{
			"share": rapid.SampledFrom([]string{"0", "5", "20", "50"}).Draw(r, "share"),
			"as":    rapid.SampledFrom([]string{"limit", "mean"}).Draw(r, "as"),
		}
		of := func(bottom bool, v []float64) *table.Table {
			tab := tabletest.Of(t, table.NumColumn("x", 1, v), weight)
			return apply(t, plan(t, bottom, tab, set), tab)
		}
		low, high := of(true, v), of(false, up)
		for i, y := range low.Num(0) {
			if z := -high.Num(0)[i]; y != z && (y == y || z == z) {
				r.Fatalf("%v becomes %v, its negative %v", v[i], y, z)
			}
		}
		a, b := low.Attr(0).Domain, high.Attr(0).Domain
		if a.Lo != -b.Hi || a.Hi != -b.Lo {
			r.Fatalf("domains %v and %v", a, b)
		}
	})
}
