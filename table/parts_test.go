package table

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// What a format holds of months and times of the day is what the table writes.
func TestWithoutParts(t *testing.T) {
	tab := must.Get(New(DateColumn("m", "yyyymm", []float64{2, -1, math.NaN()}),
		DateColumn("i", "yyyy-mm", []float64{2, -1, 5}),
		DateColumn("t", "hh:mm", []float64{0, 1439, 510}), DateColumn("d", "yyyy-mm-dd", []float64{2, 3, 4})))(t)
	got := must.Get(tab.WithoutParts())(t)
	if m := got.Num(0); m[0] != 197003 || m[1] != 196912 || m[2] == m[2] || got.Attr(0).Dates != "" {
		t.Errorf("months: %v", m)
	}
	for j, want := range map[int]string{1: "1969-12", 2: "23:59"} {
		if c := got.Column(j); c.Kind != Categorical || c.Labels[c.Cat[1]] != want {
			t.Errorf("%s: %v", c.Name, c.Labels)
		}
	}
	if got.Attr(3).Dates != "yyyy-mm-dd" {
		t.Error("days changed")
	}
}
