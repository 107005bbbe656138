package kanonymise

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// Li, Li & Venkatasubramanian 2007, section 5: nine salaries of 3k to 11k, one each; {3, 4, 5} is .375 from the whole and {6, 8, 11} .167. With all
// salaries equally far apart both are 2/3.
func TestSalaries(t *testing.T) {
	counts := []int32{1, 1, 1, 1, 1, 1, 1, 1, 1}
	for _, c := range []struct {
		runs []run
		want float64
	}{{[]run{{0, 1}, {1, 1}, {2, 1}}, 0.375}, {[]run{{3, 1}, {5, 1}, {8, 1}}, 1.0 / 6}} {
		protecttest.Near(t, "ordered distance", newSecret(counts, true).distance(c.runs), c.want, 1e-12)
		protecttest.Near(t, "equal distance", newSecret(counts, false).distance(c.runs), 2.0/3, 1e-12)
	}
	if d := newSecret([]int32{4}, true).distance([]run{{0, 2}}); d != 0 {
		t.Errorf("one value all over is %v from the whole", d)
	}
}

// Machanavajjhala and others 2007, definitions 4.1 and 4.2: values that occur 4, 2, 1 and 1 times; entropy 1.75 bits; 4 < c (2+1+1) needs c above 1, and
// 4 < c (1+1) c above 2.
func TestDiversity(t *testing.T) {
	counts := func() []int32 { return []int32{2, 1, 4, 1} }
	for _, c := range []struct {
		g    Goals
		want float64
	}{{Goals{Diversity: "distinct"}, 4}, {Goals{Diversity: "entropy"}, math.Exp2(1.75)}, {Goals{Diversity: "recursive", C: 1}, 1},
		{Goals{Diversity: "recursive", C: 1.5}, 2}, {Goals{Diversity: "recursive", C: 2.1}, 3}, {Goals{Diversity: "recursive", C: 4.1}, 4}} {
		protecttest.Near(t, c.g.Diversity, c.g.diversity(counts()), c.want, 1e-12)
	}
	if l := (&Goals{Diversity: "entropy"}).diversity([]int32{3, 3, 3}); l != 3 {
		t.Errorf("three equally frequent values have entropy l = %v", l)
	}
}

// The earth mover's distance, by the cumulative sums of all values.
func TestDistanceEqualsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.SliceOfN(rapid.Int32Range(1, 9), 1, 12).Draw(t, "whole")
		var runs []run
		size, n := 0.0, 0.0
		for v, c := range whole {
			if k := rapid.Int32Range(0, c).Draw(t, "own"); k > 0 {
				runs = append(runs, run{int32(v), k})
				size += float64(k)
			}
			n += float64(c)
		}
		if len(runs) == 0 {
			return
		}
		equal, ordered, sum := 0.0, 0.0, 0.0
		for v, c := range whole {
			p := 0.0
			if k := slices.IndexFunc(runs, func(r run) bool { return r.value == int32(v) }); k >= 0 {
				p = float64(runs[k].count) / size
			}
			sum += p - float64(c)/n
			equal += math.Abs(p-float64(c)/n) / 2
			ordered += math.Abs(sum) / max(1, float64(len(whole)-1))
		}
		if d := newSecret(whole, false).distance(runs); math.Abs(d-equal) > 1e-12 {
			t.Fatalf("equal distance %v, expected %v", d, equal)
		}
		if d := newSecret(whole, true).distance(runs); math.Abs(d-ordered) > 1e-12 {
			t.Fatalf("ordered distance %v, expected %v", d, ordered)
		}
	})
}

// Codes ascend with the numbers, whether these are whole and close together or not, and 0 is missing.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom([]float64{1, 0.25, 1e5, 1e17}).Draw(t, "scale")
		v := make([]float64, rapid.IntRange(0, 30).Draw(t, "rows"))
		for i := range v {
			if v[i] = scale * float64(rapid.IntRange(-9, 9).Draw(t, "value")); v[i] == 9*scale {
				v[i] = math.NaN()
			}
		}
		codes, distinct := numbers(v)
		if !slices.IsSorted(distinct) || len(slices.Compact(slices.Clone(distinct))) != len(distinct) {
			t.Fatalf("the distinct values are %v", distinct)
		}
		for i, c := range codes {
			if c == 0 && v[i] == v[i] || c > 0 && distinct[c-1] != v[i] {
				t.Fatalf("%v has code %d of %v", v[i], c, distinct)
			}
		}
	})
}

// Fewer than k suppressed records are joined by some of the largest class; where no class can spare any, by the smallest.
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
		f, err := newFrame(t.Context(), tableOf(t, table.NumColumn("v", 1, c.v)), []int{0}, nil, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		j := f.newJudge(Goals{K: 3, L: 1, T: 1})
		if lost := j.crowds(&f.base); lost != c.lost || !slices.Equal(j.out, c.out) {
			t.Errorf("of %v, %d records are suppressed, by class %v; expected %d, %v", c.v, lost, j.out, c.lost, c.out)
		}
	}
}
