package hierarchy

import (
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// A time of the day is in the group of its hours on every level.
func TestTimes(t *testing.T) {
	var v []float64
	for m := range 1440 {
		v = append(v, float64(m))
	}
	c := table.DateColumn("came", "hh:mm", v)
	h := Build(&c)
	must.NoError(t, h.Check())
	for l, wide := range map[int]int{1: 1, 2: 3, 3: 6, 4: 12} {
		groups := must.Get(h.Groups(&c, l))(t)
		for m, g := range groups {
			from := m / 60 / wide * wide
			if got, want := h.Labels(l)[g], fmt.Sprintf("[%02d:00, %02d:00)", from, from+wide); got != want {
				t.Fatalf("minute %d is in %s on level %d, not in %s", m, got, l, want)
			}
		}
	}
	if h.Height() != 5 || h.Labels(5)[0] != Top {
		t.Error("nothing is above")
	}
}
