package sdp

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/geometric"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// Oliveira & Zaiane 2003: one number multiplies all values of an attribute, scaled to the unit interval. So the smallest stays, distances
// from it are multiplied, to half a step of the finer grid, and Var(X - Y) / Var(X) is (1 - factor)². Normalised anew, attributes are as
// they were, to a step at either end and one at the value, over the released width.
func TestOneFactorForAll(t *testing.T) {
	tab := protecttest.Mixed(300)
	for j := range tab.Width() {
		a := *tab.Attr(j)
		if a.Declared = false; a.Kind == table.Numeric {
			a.Domain.Lo, a.Domain.Hi = table.Range(tab.Num(j))
		}
		tab = tab.WithAttr(j, a)
	}
	p, err := New().Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	out, err := executor.Run(context.Background(), p, tab, protecttest.Seed(1), protect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan := p.(*geometric.Map)
	if len(plan.Steps) != 6 {
		t.Errorf("there are %d steps", len(plan.Steps))
	}
	for k, s := range plan.Steps {
		j := s.Columns[0]
		a, x, y := tab.Attr(j), tab.Num(j), out.Num(j)
		if s.By < 0.5 || s.By > 1.5 {
			t.Errorf("column %q is multiplied by %v", a.Name, s.By)
		}
		if want := (1 - s.By) * (1 - s.By); math.Abs(plan.Security[k]-want) > 1e-9 {
			t.Errorf("column %q has security %v, expected %v", a.Name, plan.Security[k], want)
		}
		half := max(out.Attr(j).Step/2, 1e-9) * (1 + 1e-6)
		lo, hi := table.Range(x)
		newLo, newHi := table.Range(y)
		for i := range x {
			if x[i] != x[i] {
				continue
			}
			if want := lo + s.By*(x[i]-lo); math.Abs(y[i]-want) > half {
				t.Fatalf("column %q: %v becomes %v, expected %v", a.Name, x[i], y[i], want)
			}
			if was, is := (x[i]-lo)/(hi-lo), (y[i]-newLo)/(newHi-newLo); math.Abs(was-is) > 6*half/(newHi-newLo) {
				t.Fatalf("column %q: normalised anew %v becomes %v", a.Name, was, is)
			}
		}
	}
}
