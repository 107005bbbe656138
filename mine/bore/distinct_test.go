package bore_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/mine/bore"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Of equal records the first in the source is kept, in any order; missing values equal each other, and 0 is -0.
func TestDistinct(t *testing.T) {
	nan := math.NaN()
	tab := tabletest.Of(t, table.NumColumn("v", 1, []float64{1, nan, 1, nan, 0, math.Copysign(0, -1), 1}),
		table.CatColumn("w", []string{"p", "q"}, []int32{0, -1, 0, -1, 1, 1, 1}))
	if got := bore.Distinct(tab, []int{0, 1, 2, 3, 4, 5, 6}); !slices.Equal(got, []int{0, 1, 4, 6}) {
		t.Errorf("rows %v are distinct, expected 0, 1, 4, 6", got)
	}
	if got := bore.Distinct(tab, []int{2, 3, 5}); !slices.Equal(got, []int{2, 3, 5}) {
		t.Errorf("rows %v of 2, 3 and 5 are distinct, expected all", got)
	}
	back := tab.Gather([]int{6, 5, 4, 3, 2, 1, 0})
	if got := bore.Distinct(back, []int{0, 1, 2, 3, 4, 5, 6}); !slices.Equal(got, []int{0, 2, 5, 6}) {
		t.Errorf("rows %v of the reverse are distinct, expected 0, 2, 5, 6", got)
	}
}
