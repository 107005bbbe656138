package kanonymise

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/anonymity/diversity"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Goals are met up to the limit: values that occur 4, 2, 1 and 1 times, of a whole where all four are equally frequent
// (Machanavajjhala and others 2007, definitions 4.1 and 4.2; Li, Li & Venkatasubramanian 2007, section 5). Entropy l is
// 2^1.75, recursive l with c = 1.5 is 2, the equal distance 1/4 and the ordered one (1/4 + 1/4 + 1/8) / 3 = 0.208.
func TestGoalsAreMet(t *testing.T) {
	whole := diversity.NewWhole([]int32{4, 4, 4, 4})
	runs := []diversity.Run{{Value: 0, Count: 4}, {Value: 1, Count: 2}, {Value: 2, Count: 1}, {Value: 3, Count: 1}}
	for _, c := range []struct {
		g       Goals
		ordered bool
		want    bool
	}{
		{Goals{L: 1, T: 1}, false, true},
		{Goals{L: 4, T: 1, Diversity: "distinct"}, false, true}, {Goals{L: 5, T: 1, Diversity: "distinct"}, false, false},
		{Goals{L: 3.36, T: 1, Diversity: "entropy"}, false, true}, {Goals{L: 3.37, T: 1, Diversity: "entropy"}, false, false},
		{Goals{L: 2, T: 1, Diversity: "recursive", C: 1.5}, false, true},
		{Goals{L: 3, T: 1, Diversity: "recursive", C: 1.5}, false, false},
		{Goals{L: 1, T: 0.25}, false, true}, {Goals{L: 1, T: 0.24}, false, false},
		{Goals{L: 1, T: 0.21}, true, true}, {Goals{L: 1, T: 0.2}, true, false},
	} {
		var scratch room
		if got := c.g.meets(&secret{Whole: whole, ordered: c.ordered}, runs, &scratch); got != c.want {
			t.Errorf("%+v, ordered %v: %v, expected %v", c.g, c.ordered, got, c.want)
		}
		if !c.g.meets(&secret{Whole: whole, ordered: c.ordered}, nil, &scratch) {
			t.Errorf("%+v: a group without values does not meet the goals", c.g)
		}
	}
}

// Fewer than k suppressed records are joined by some of the largest class; where no class can spare any, by the
// smallest.
func TestSuppressedHideToo(t *testing.T) {
	for _, c := range []struct {
		v    []float64
		lost int
		out  []int32
	}{
		{[]float64{1, 1, 1, 1, 1, 2, 2, 2, 3}, 3, []int32{2, 0, 1}},
		{[]float64{1, 1, 1, 2, 2, 2, 3}, 4, []int32{0, 3, 1}},
		{[]float64{1, 1, 1, 1, 2, 2, 2, 2, 3}, 3, []int32{1, 1, 1}},
		{[]float64{1, 1, 1, 2, 2, 3}, 3, []int32{0, 2, 1}},
		{[]float64{1, 1, 1, 1, 1, math.NaN()}, 2, []int32{2, 0}},
		{[]float64{1, 1, 1}, 0, []int32{0}}, {[]float64{1, 2}, 2, []int32{1, 1}}, {nil, 0, []int32{}},
	} {
		f := must.Get(newFrame(t.Context(), tabletest.Of(t, table.NumColumn("v", 1, c.v)), []int{0}, nil, nil, nil, ""))(t)
		j := f.newJudge(Goals{K: 3, L: 1, T: 1})
		if lost := j.forSize(&f.base); lost != c.lost || !slices.Equal(j.out, c.out) {
			t.Errorf("of %v, %d records are suppressed, by class %v; expected %d, %v", c.v, lost, j.out, c.lost, c.out)
		}
	}
}
