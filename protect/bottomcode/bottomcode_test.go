package bottomcode

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/topcode"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var (
	_ protect.Noted     = (*Plan)(nil)
	_ protect.Described = (*Plan)(nil)
	_ protect.Checker   = (*Plan)(nil)
)

func release(t testing.TB, q protect.Technique, tab *table.Table, set map[string]string) (protect.Plan, *table.Table) {
	t.Helper()
	if err := q.Params().Apply(set); err != nil {
		t.Fatal(err)
	}
	p, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Apply(tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	return p, out
}

// TestMirrorsTopCoding: bottom coding is top coding of the negative values.
func TestMirrorsTopCoding(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
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
		_, low := release(t, New(), tabletest.Of(t, table.NumColumn("x", 1, v), weight), set)
		_, high := release(t, topcode.New(), tabletest.Of(t, table.NumColumn("x", 1, up), weight), set)
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

func TestOrderedCategories(t *testing.T) {
	c := table.CatColumn("size", []string{"S", "M", "L"}, []int32{0, 1, 2, -1, 2, 1, 1})
	c.Ordered = true
	tab := tabletest.Of(t, c)
	p, out := release(t, New(), tab, nil)
	if want := []int32{1, 1, 2, -1, 2, 1, 1}; !slices.Equal(out.Cat(0), want) {
		t.Errorf("%v, expected %v: one record of S is fewer than k", out.Cat(0), want)
	}
	if p.(*Plan).Bottom = false; p.(*Plan).Check() == nil {
		t.Error("a plan that codes the other end is accepted")
	}
}
