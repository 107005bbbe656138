package report

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestCrowded: no value that few records hold is named, and what is left of 1 is never the share of one such value.
func TestCrowded(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after []int
		want          []bool // nil where nothing may be named
	}{
		{"all are many", []int{50, 11}, []int{40, 21}, []bool{true, true}},
		{"one is rare, and hides with the fewest", []int{50, 30, 2}, []int{50, 30, 2}, []bool{true, false, false}},
		{"few are few", []int{50, 30, 4, 2}, []int{50, 30, 4, 2}, []bool{true, false, false, false}},
		{"two that are enough", []int{50, 30, 7, 6}, []int{50, 30, 7, 6}, []bool{true, true, false, false}},
		{"rare in the release alone", []int{50, 30, 20}, []int{50, 46, 4}, []bool{true, false, false}},
		{"rare in the original alone", []int{60, 38, 2}, []int{50, 30, 20}, []bool{true, false, false}},
		{"absent", []int{50, 30, 20}, []int{60, 40, 0}, []bool{true, true, false}},
		{"one and a rare one", []int{98, 2}, []int{98, 2}, nil},
		{"nothing", nil, nil, nil},
	} {
		named, ok := crowded(c.before, c.after, fewest)
		if ok != (c.want != nil) || ok && !slices.Equal(named, c.want) {
			t.Errorf("%s: %v, %v", c.name, named, ok)
		}
	}
}

// fewest is how many records the public is told of at least.
const fewest = 11

// TestPublicNumbersKeepTheirShares: numbers that are not drawn still count.
func TestPublicNumbersKeepTheirShares(t *testing.T) {
	var original []float64
	for _, of := range []struct {
		v float64
		n int
	}{{1, 50}, {2, 30}, {3, 15}, {9, 5}} {
		original = append(original, slices.Repeat([]float64{of.v}, of.n)...)
	}
	out, ok := shownNumbers(nil, original, original, fewest)
	counts := map[float64]int{}
	for _, v := range out {
		counts[v]++
	}
	if !ok || len(out) != 100 || counts[1] != 50 || counts[2] != 30 || counts[3] != 0 || counts[math.Inf(1)] != 20 {
		t.Errorf("%v, %v", counts, ok)
	}
}

// TestPublicGaps: how many values are missing is told of as many as may be told of.
func TestPublicGaps(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 0, fewest - 1: 0, fewest: 1} {
		v := make([]float64, 200)
		for i := range v {
			if v[i] = float64(i % 4); i < n {
				v[i] = math.NaN()
			}
		}
		tab := tabletest.Of(t, table.NumColumn("x", 1, v))
		o := &study.Outcome{Original: tab, Released: tab}
		if c := panelOf(o, 0, true, nil); len(c.Facts) != want || c.Drawing == nil {
			t.Errorf("%d are missing: %v", n, c.Facts)
		}
	}
}
