package main

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/noise/selectmeasure"
	"github.com/dither-data/dither/internal/stats/graphical"
)

// Two columns that always agree, against two that never do: single columns are alike, and the pair has nothing in
// common.
func TestVariation(t *testing.T) {
	tab := &selectmeasure.Table{Domain: graphical.Domain{2, 2}, Columns: [][]int32{{0, 1, 0, 1}, {0, 1, 0, 1}}}
	made := [][]int32{{0, 1}, {1, 0}}
	for k, want := range []float64{0, 1} {
		if got := variation(tab, made, k+1); math.Abs(got-want) > 1e-12 {
			t.Errorf("the variation of %d columns is %g, expected %g", k+1, got, want)
		}
	}
}
