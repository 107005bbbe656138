package study

import (
	"math"
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// That missing values stay in the same rows is said where there are any and no column has fewer of them in the release.
func TestGapsStay(t *testing.T) {
	of := func(v ...float64) *table.Table { return tabletest.Must(table.NumColumn("x", 1, v)) }
	nan := math.NaN()
	for _, c := range []struct {
		was, is *table.Table
		want    bool
	}{
		{of(1, 2, 3), of(2, 3, 1), false},
		{of(1, nan, 3), of(3, 1, nan), true},
		{of(1, nan, 3), of(nan, 1, nan), true}, // more were suppressed
		{of(1, nan, nan), of(3, 1, nan), false},
		{of(1, nan, 3), nil, true},
	} {
		if got := gapsStay(&Outcome{Original: c.was, Released: c.is}); got != c.want {
			t.Errorf("%v released as %v: %v, expected %v", c.was.Num(0), c.is, got, c.want)
		}
	}
}
