package tdp

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/geometric"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// release returns the plan of the mixed table without declared domains, and its release.
func release(t *testing.T, set map[string]string) (p *geometric.Map, tab, out *table.Table) {
	t.Helper()
	tab = protecttest.Mixed(200)
	for j := range tab.Width() {
		a := *tab.Attr(j)
		a.Declared = false
		tab = tab.WithAttr(j, a)
	}
	q := New()
	if err := q.Params().Apply(set); err != nil {
		t.Fatal(err)
	}
	plan, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	out, err = executor.Run(context.Background(), plan, tab, protecttest.Seed(1), protect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return plan.(*geometric.Map), tab, out
}

// Oliveira & Zaiane 2003: one number is added to all values of an attribute. On a grid it is a whole number of steps, so every difference
// of two records stays what it is, and with it every distance; a continuous attribute moves by the number to half a step of its implied
// grid, 2^-34 of its width. The shift is between 5 and 50 % of the range, which rounding to the grid may exceed by half a step.
func TestOneShiftForAll(t *testing.T) {
	_, tab, out := release(t, nil)
	shifted := 0
	for j := range tab.Width() {
		a, x, y := tab.Attr(j), tab.Num(j), out.Num(j)
		if a.Kind != table.Numeric || a.Role&table.Weight != 0 {
			continue
		}
		width, first := a.Domain.Hi-a.Domain.Lo, math.NaN()
		for i := range x {
			if x[i] != x[i] {
				continue
			}
			by := y[i] - x[i]
			if a.Step > 0 {
				by = math.Round(by / a.Step)
			}
			if first != first {
				first = by
			}
			if math.Abs(by-first) > 0x1p-33*width {
				t.Fatalf("column %q: one record moves by %v, another by %v", a.Name, first, by)
			}
		}
		share := math.Abs(first) / width
		if a.Step > 0 {
			share *= a.Step
		}
		if slack := a.Step/width/2 + 1e-9; share < 0.05-slack || share > 0.5+slack {
			t.Errorf("column %q moves by %v of its range", a.Name, share)
		}
		shifted++
	}
	if shifted != 6 {
		t.Errorf("%d columns are shifted", shifted)
	}
}

// The privacy measure of the authors, Var(X - Y) / Var(X), is 0; and one known record gives the map.
func TestSecurityIsZero(t *testing.T) {
	p, tab, out := release(t, map[string]string{"shiftLeast": "0.3"})
	for k, j := range p.Columns {
		if p.Security[k] != 0 {
			t.Errorf("column %d has security %v", j, p.Security[k])
		}
		known := 0
		for tab.MissingAt(known, j) {
			known++
		}
		shift := out.Num(j)[known] - tab.Num(j)[known]
		for i, y := range out.Num(j) {
			if x := tab.Num(j)[i]; math.Abs(y-shift-x) > 1e-8 {
				t.Fatalf("column %d: the intruder finds %v, the value is %v", j, y-shift, x)
			}
		}
	}
}

// An attribute of two values has one step to move by, whatever its range asks for.
func TestAtLeastOneStep(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("sex", 1, []float64{0, 1, 1, 0}))
	p, err := New().Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	if by := p.(*geometric.Map).Steps[0].By; math.Abs(by) != 1 {
		t.Errorf("it moves by %v", by)
	}
}
