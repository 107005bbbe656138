package protect_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

func TestInOrder(t *testing.T) {
	tab := must.Get(table.New(table.NumColumn("x", 1, []float64{10, 11, 12, 13})))(t)
	var seen []float64
	plus := func(t *table.Table) (*table.Table, error) {
		out := slices.Clone(t.Num(0))
		seen = slices.Clone(out)
		for i := range out {
			out[i] += float64(i) / 10
		}
		return t.WithNum(0, out), nil
	}
	mixed := tab.Gather([]int{2, 0, 3, 1})
	out := must.Get(protect.InOrder(mixed, plus))(t)
	if !slices.Equal(seen, []float64{10, 11, 12, 13}) || !slices.Equal(out.Num(0), []float64{12.2, 10, 13.3, 11.1}) {
		t.Errorf("seen %v, released %v", seen, out.Num(0))
	}
	for i := range 4 {
		if out.ID(i) != mixed.ID(i) {
			t.Errorf("row %d is record %d, expected %d", i, out.ID(i), mixed.ID(i))
		}
	}
	if _, err := protect.InOrder(mixed, func(*table.Table) (*table.Table, error) {
		return nil,
			errors.New("no")
	}); err == nil {
		t.Error("the error is lost")
	}
}
