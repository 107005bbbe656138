package valuedisclosure

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

var nan = math.NaN()

func TestDivide(t *testing.T) {
	for _, c := range []struct {
		name         string
		values       []float64
		most         int
		step         float64
		cuts, widths []float64
	}{
		{"each its own", []float64{3, 1, nan, 3, 7}, 3, 1, []float64{3, 7}, []float64{1, 1, 1}},
		{"equal frequency", []float64{1, 2, 3, 4, 5, 6}, 3, 1, []float64{3, 5}, []float64{2, 2, 2}},
		{"grid of 5", []float64{0, 5, 10, 30}, 2, 5, []float64{10}, []float64{10, 25}},
		{"frequent value", []float64{1, 2, 9, 9, 9, 9, 12, 13}, 3, 1, []float64{9, 12}, []float64{2, 1, 2}},
		{"frequent first value", []float64{0, 0, 0, 0, 1, 2, 3, 4}, 3, 1, []float64{1, 3}, []float64{1, 2, 2}},
		{"continuous", []float64{0, 1, 2, 10, 20, 30}, 2, 0, []float64{10}, []float64{3, 30}},
		{"continuous, alone", []float64{0, 8, 8}, 2, 0, []float64{8}, []float64{narrow, 8 * narrow}},
		{"none", []float64{nan}, 2, 1, nil, []float64{1}},
		{"one", []float64{4}, 2, 1, nil, []float64{1}},
	} {
		got := conditionalDivide(ascending(c.values), c.most, c.step)
		if !slices.Equal(got.cuts, c.cuts) || !slices.Equal(got.widths, c.widths) {
			t.Errorf("%s: cuts %v and widths %v, expected %v and %v", c.name, got.cuts, got.widths, c.cuts, c.widths)
		}
	}
}

// TestCellsHoldTheirValues: there are at most as many cells as asked for, every one has a value, none of a value and a
// neighbour that together would hold less than a fair share, and a value lies in the cell that its cuts say.
func TestCellsHoldTheirValues(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(
			rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(0, 30).Draw(t, "value")) }), 1,
			80).Draw(t, "values")
		most := rapid.IntRange(2, 12).Draw(t, "most")
		c := conditionalDivide(ascending(v), most, 1)
		count := make([]int, len(c.widths))
		for i, k := range c.number(v) {
			if k > 0 && v[i] < c.cuts[k-1] || int(k) < len(c.cuts) && v[i] >= c.cuts[k] {
				t.Fatalf("%v is in cell %d of %v", v[i], k, c.cuts)
			}
			count[k]++
		}
		if len(count) > most || len(c.cuts)+1 != len(count) || slices.Contains(count, 0) {
			t.Fatalf("%d cells of %v values, at most %d", len(count), count, most)
		}
		if len(slices.Compact(slices.Sorted(slices.Values(v)))) <= most && slices.Max(c.widths) > 1 {
			t.Fatalf("few values, but a cell is %v wide", slices.Max(c.widths))
		}
		if c.of(nan) != int32(len(c.widths)) {
			t.Fatal("a missing value is in a cell")
		}
	})
}
