package fence_test

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestSignsStay: with outside=sign nothing negative is released of a column without negative values,
// on a grid and off it, and of one without positive values nothing positive; every other value is the one that is
// released where any sign is allowed. Days, and numbers of both signs, go where they are drawn. Fixed draws.
func TestSignsStay(t *testing.T) {
	const n = 400
	columns := []struct {
		name      string
		lo, hi    float64
		step      float64
		dates     bool
		from, to  float64 // of what is released
		lostSigns bool
	}{
		{name: "rent", lo: 0, hi: 16, step: 1, from: 0, to: math.Inf(1), lostSigns: true},
		{name: "weight", lo: 0.5, hi: 16, from: 0, to: math.Inf(1), lostSigns: true},
		{name: "debt", lo: -16, hi: -1, step: 1, from: math.Inf(-1), to: 0, lostSigns: true},
		{name: "balance", lo: -8, hi: 8, step: 1, from: math.Inf(-1), to: math.Inf(1)},
		{name: "seen", lo: 3, hi: 16, step: 1, dates: true, from: math.Inf(-1), to: math.Inf(1)},
	}
	var cols []table.Column
	var names []string
	var all []int
	for k, c := range columns {
		col := table.NumColumn(c.name, c.step, make([]float64, n))
		if col.Domain = (table.Interval{Lo: c.lo, Hi: c.hi}); c.dates {
			col.Dates = "yyyy-mm-dd"
		}
		cols, names, all = append(cols, col), append(names, c.name), append(all, k)
	}
	tab := tabletest.Of(t, cols...)
	draw := func(outside string) [][]float64 {
		f := fence.Fence{Outside: outside, Whole: fence.Domains(tab.Attrs(), all, outside)}
		y := must.Get(f.Draw(tab, protecttest.Seed(4), names, standard(tab)))(t)
		return y
	}
	kept, free := draw(fence.OutsideSign), draw(fence.OutsideAllow)
	for k, c := range columns {
		lost := 0
		for i, v := range kept[k] {
			want := math.Min(math.Max(free[k][i], c.from), c.to)
			if v != want {
				t.Fatalf("%s, row %d: %v, and allowed %v", c.name, i, v, free[k][i])
			}
			if v != free[k][i] {
				lost++
			}
		}
		if (lost > n/4) != c.lostSigns || !c.lostSigns && lost > 0 {
			t.Errorf("%s: %d values of %d would have another sign", c.name, lost, n)
		}
		a := fence.Widened(*tab.Attr(k), fence.OutsideSign)
		if a.Domain.Lo < c.from || a.Domain.Hi > c.to {
			t.Errorf("%s: its domain in the release is %v", c.name, a.Domain)
		}
	}
}

// TestShares: what loses its sign counts as forced, and what lies beyond the range otherwise as beyond it; together
// they are what lies outside the range.
func TestShares(t *testing.T) {
	a := table.Attribute{Name: "rent", Kind: table.Numeric, Step: 1, Domain: table.Interval{Lo: 10, Hi: 90}}
	const mean, sd = 50.0, 30.0
	forced, beyond := fence.Forced(&a, fence.OutsideSign, mean, sd), fence.Beyond(&a, fence.OutsideSign, mean, sd)
	outside := fence.Beyond(&a, fence.OutsideAllow, mean, sd)
	if below := math.Erfc((mean+a.Step/2)/sd/math.Sqrt2) / 2; math.Abs(forced-below) > 1e-12 ||
		math.Abs(forced+beyond-outside) > 1e-12 || fence.Forced(&a, fence.OutsideAllow, mean, sd) != 0 {
		t.Errorf("forced %v, beyond %v, outside %v", forced, beyond, outside)
	}
}
