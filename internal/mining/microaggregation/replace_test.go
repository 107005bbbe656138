package microaggregation

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// Numbers and ordered codes have mean 0 and variance 1, what is missing stands in the middle, a missing category is one
// of its own, and values outside the domain count as its end.
func TestPoints(t *testing.T) {
	nan := math.NaN()
	age := table.NumColumn("age", 1, []float64{20, 40, nan, 60, 90})
	age.Domain, age.Declared = table.Interval{Lo: 0, Hi: 60}, true
	size := table.CatColumn("size", []string{"S", "M", "L"}, []int32{0, -1, 2, 1, 1})
	size.Ordered = true
	tab := must.Get(table.New(age, table.NumColumn("same", 0.1, []float64{0.1, 0.1, nan, 0.1, 0.1}),
		table.NumColumn("huge", 0, []float64{1e300, -1e300, 0, nan, 1e300}), size,
		table.CatColumn("city", []string{"a", "b"}, []int32{1, -1, 0, -1, 1}),
		table.NumColumn("void", 1, []float64{nan, nan, nan, nan, nan})))(t)
	points, kinds := Points(tab, []int{0, 1, 2, 3, 4, 5})
	if !slices.Equal(kinds, []Kind{Number, Number, Number, Ordinal, Nominal, Number}) {
		t.Errorf("the kinds are %v", kinds)
	}
	col := func(d int) (v []float64) {
		for i := range 5 {
			v = append(v, points[6*i+d])
		}
		return v
	}
	for d, missing := range map[int]int{0: 2, 2: 3, 3: 1} {
		v := col(d)
		known := slices.Delete(slices.Clone(v), missing, missing+1)
		if math.Abs(stat.Mean(known, nil)) > 1e-12 || math.Abs(stat.PopVariance(known, nil)-1) > 1e-12 {
			t.Errorf("attribute %d: %v", d, v)
		}
		if v[missing] != 0 { // the median of S, M, M, L is their mean
			t.Errorf("attribute %d: a missing value is %v", d, v[missing])
		}
	}
	if v := col(0); v[3] != v[4] {
		t.Errorf("a value outside the domain is %v, its end %v", v[4], v[3])
	}
	for d, want := range map[int][]float64{1: {0, 0, 0, 0, 0}, 4: {1, 2, 0, 2, 1}, 5: {0, 0, 0, 0, 0}} {
		if v := col(d); !slices.Equal(v, want) {
			t.Errorf("attribute %d is %v, expected %v", d, v, want)
		}
	}
}

// weighted draws values, some missing, with weights, in groups of k or more.
func weighted(r *rapid.T) (v, w []float64, group []int32, groups, k int) {
	k = rapid.IntRange(2, 4).Draw(r, "k")
	groups = rapid.IntRange(1, 8).Draw(r, "groups")
	rare := rapid.IntRange(0, 9).Draw(r, "rare")
	for g := range groups {
		for range rapid.IntRange(k, 2*k-1).Draw(r, "size") {
			x := float64(rapid.IntRange(0, 5).Draw(r, "v"))
			if rapid.IntRange(0, 9).Draw(r, "gap") < rare {
				x = math.NaN()
			}
			v, w, group = append(v, x), append(w, float64(rapid.IntRange(1, 3).Draw(r, "w"))), append(group, int32(g))
		}
	}
	return v, w, group, groups, k
}

// known returns which records know a value.
func known(v []float64, members []int) (out []int) {
	for _, i := range members {
		if v[i] == v[i] {
			out = append(out, i)
		}
	}
	return out
}

// middleOf repeats every value as often as its weight says.
func middleOf(kind Kind, v, w []float64, members []int) float64 {
	var values []float64
	for _, i := range members {
		values = append(values, slices.Repeat([]float64{v[i]}, int(w[i]))...)
	}
	return middle(kind, values)
}

// pools joins the groups that know too few values as it is defined, on lists of records.
func pools(kind Kind, v, w []float64, groups [][]int, k int) [][]int {
	var few, enough [][]int
	for _, g := range groups {
		switch m := known(v, g); {
		case len(m) >= k:
			enough = append(enough, m)
		case len(m) > 0:
			few = append(few, m)
		}
	}
	byMiddle := func(a, b []int) int { return cmp.Compare(middleOf(kind, v, w, a), middleOf(kind, v, w, b)) }
	slices.SortStableFunc(few, byMiddle)
	var out [][]int
	var open []int
	for _, g := range few {
		if open = append(open, g...); len(open) >= k {
			out, open = append(out, open), nil
		}
	}
	switch {
	case len(open) > 0 && len(out) > 0:
		out[len(out)-1] = append(out[len(out)-1], open...)
	case len(open) > 0:
		at, nearest := 0, math.Inf(1)
		for e, m := range enough {
			if d := math.Abs(middleOf(kind, v, w, m) - middleOf(kind, v, w, few[0])); d < nearest {
				at, nearest = e, d
			}
		}
		enough[at] = append(enough[at], open...)
	}
	return append(out, enough...)
}

// Every released value is the centre of k known ones at least: of its group or, where that knows fewer, of the groups
// it is pooled with. Missing values stay missing.
func TestReplaceTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		v, w, group, groups, k := weighted(r)
		kind := Kind(rapid.IntRange(0, 2).Draw(r, "kind"))
		all := make([][]int, groups)
		for i, g := range group {
			all[g] = append(all[g], i)
		}
		out, _, err := newPartition(group, groups).replace(v, w, kind, nil, k, func(v float64) float64 { return v })
		if total := len(known(v, slices.Concat(all...))); total > 0 && total < k {
			if err == nil {
				r.Fatalf("%d known values are accepted", total)
			}
			return
		}
		must.NoError(r, err)
		want := slices.Clone(v)
		for _, members := range pools(kind, v, w, all, k) {
			if len(members) < k {
				r.Fatalf("a pool of %d", len(members))
			}
			for _, i := range members {
				want[i] = middleOf(kind, v, w, members)
			}
		}
		for i := range v {
			if (v[i] != v[i]) != (out[i] != out[i]) || math.Abs(out[i]-want[i]) > 1e-12 {
				r.Fatalf("record %d: %v is released as %v, expected %v", i, v[i], out[i], want[i])
			}
		}
	})
}

// Without weights all count the same; a mean of equal values is that value, to the last bit.
func TestBag(t *testing.T) {
	for kind, want := range map[Kind]float64{Number: 3, Ordinal: 2, Nominal: 1} {
		b := bag{kind: kind, values: []float64{5, 2, 1, 7, 2, 1}}
		if got := b.centre(); got != want {
			t.Errorf("kind %d: the centre is %v, expected %v", kind, got, want)
		}
	}
	b := bag{values: []float64{0.1, 0.1, 0.1}, weights: []float64{0.3, 0.7, 1e-9}}
	if got := b.centre(); got != 0.1 {
		t.Errorf("the mean of 0.1 is %v", got)
	}
	b = bag{values: []float64{1.5e308, 1.5e308, 0}, weights: []float64{1, 3, 4}}
	if got := b.centre(); got != 0.75e308 {
		t.Errorf("the mean of huge values is %v", got)
	}
}

func TestMembers(t *testing.T) {
	records, ends := Members([]int32{2, 0, 2, 1, 0}, 4)
	if !slices.Equal(records, []int32{1, 4, 3, 0, 2}) || !slices.Equal(ends, []int32{2, 3, 5, 5}) {
		t.Errorf("records %v, ends %v", records, ends)
	}
}

// Decoded plans whose parts do not belong together are refused.
func TestCheck(t *testing.T) {
	tab := protecttest.Mixed(20)
	good := func() *Frame {
		return &Frame{
			Attrs:   tab.Attrs(),
			Columns: []int{0, 4},
			Steps:   []float64{1, 0},
			By:      []int{0, 1},
			Weights: []int{8},
			K:       3,
			Found:   Found{Pooled: []int{0, 0}},
		}
	}
	if err := good().Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(f *Frame){
		"k is 1":                    func(f *Frame) { f.K = 1 },
		"block is -1":               func(f *Frame) { f.Block = -1 },
		"grids":                     func(f *Frame) { f.Steps = nil },
		"numbers of groups":         func(f *Frame) { f.Found.Pooled = nil },
		"to group":                  func(f *Frame) { f.By = nil },
		"ascending":                 func(f *Frame) { f.By = []int{1, 0} },
		"in the schema":             func(f *Frame) { f.By = []int{99} },
		"one column of":             func(f *Frame) { f.Weights = []int{0, 1} },
		"not numeric":               func(f *Frame) { f.Weights = []int{4} },
		"be released with its step": func(f *Frame) { f.Steps[0] = -1 },
		"with its step":             func(f *Frame) { f.Steps[0] = math.NaN() },
		"unusable":                  func(f *Frame) { f.Attrs[1].Domain = table.Everything() },
	} {
		f := good()
		change(f)
		if err := f.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, expected %q", err, want)
		}
	}
}
