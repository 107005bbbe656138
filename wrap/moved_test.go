package wrap_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Values go where they are sent; of dirty ones, off the grid or outside the domain, those that stay keep what they are
// and those that move become legal.
func TestMoved(t *testing.T) {
	from := []int32{1, 0, 2, 4, 3}
	number := func(step float64, v ...float64) table.Column {
		c := table.NumColumn("x", step, v)
		c.Domain = table.Interval{Lo: 0, Hi: 10}
		return c
	}
	for want, c := range map[string]table.Column{
		"[10 3 99 NaN 5]":         number(1, 3.25, 99, 99, 5.25, math.NaN()), // on the grid
		"[10 3.25 99 NaN 5.0625]": number(0, 3.25, 99, 99, 5.0625, math.NaN()),
	} {
		if got := wrap.Moved(c, from); fmt.Sprint(got.Num) != want || got.Name != "x" {
			t.Errorf("%v become %v, expected %s", c.Num, got.Num, want)
		}
	}
	c := table.CatColumn("c", []string{"a", "b"}, []int32{0, 1, -1, 1, 0})
	if got := wrap.Moved(c, from); fmt.Sprint(got.Cat) != "[1 0 -1 0 1]" || got.Labels[1] != "b" {
		t.Errorf("categories become %v", got.Cat)
	}
}
