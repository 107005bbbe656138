package profile

import (
	"context"
	"encoding/json"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// The figures are those of the data set's own description.
func TestAdultFigures(t *testing.T) {
	p := of(t, load(t, "adult/adult.csv"))
	want := map[string]struct {
		kind              string
		missing, distinct int
		lo, hi, mean, sd  float64
	}{
		"age":            {"numeric", 0, 73, 17, 90, 38.5816, 13.6404},
		"workclass":      {"categorical", 1836, 8, 0, 0, 0, 0},
		"fnlwgt":         {"numeric", 0, 21648, 12285, 1484705, 189778.3665, 105549.9777},
		"capital_gain":   {"numeric", 0, 119, 0, 99999, 1077.6488, 7385.2921},
		"native_country": {"categorical", 583, 41, 0, 0, 0, 0},
	}
	for _, c := range p.Columns {
		w, ok := want[c.Name]
		if !ok {
			continue
		}
		if c.Kind != w.kind || c.Missing != w.missing || c.Distinct != w.distinct {
			t.Errorf("%s: kind %s, %d missing, %d distinct; want %+v", c.Name, c.Kind, c.Missing, c.Distinct, w)
		}
		if c.Kind != "numeric" {
			continue
		}
		if d := *c.Domain; d.Lo != w.lo || d.Hi != w.hi {
			t.Errorf("%s: domain %v, want [%v, %v]", c.Name, d, w.lo, w.hi)
		}
		if math.Abs(float64(c.Summary.Mean)-w.mean) > 5e-5 || math.Abs(float64(c.Summary.SD)-w.sd) > 5e-5 {
			t.Errorf("%s: mean %v, sd %v; want %v, %v", c.Name, c.Summary.Mean, c.Summary.SD, w.mean, w.sd)
		}
	}
}

// drawNumbers favours repetition, signs, zeros of both signs and missing values.
func drawNumbers(t *rapid.T, atLeast, atMost int) []float64 {
	v := rapid.OneOf(rapid.Map(rapid.IntRange(-3, 3), func(k int) float64 { return float64(k) }),
		rapid.SampledFrom([]float64{math.NaN(), math.Copysign(0, -1), 0, 1e-300, -1e300}), rapid.Float64Range(-10, 10))
	return rapid.SliceOfN(v, atLeast, atMost).Draw(t, "values")
}

// twin describes a numeric column with a map and a sorted copy.
func twin(values []float64) Column {
	count := map[float64]int{}
	var valid []float64
	for _, v := range values {
		if !math.IsNaN(v) {
			count[v]++
			valid = append(valid, v)
		}
	}
	slices.Sort(valid)
	c := Column{Name: "x", Kind: "numeric", Missing: len(values) - len(valid), Distinct: len(count)}
	top := 0
	for _, n := range count {
		top = max(top, n)
		if n == 1 {
			c.Alone++
		}
	}
	if len(values) > 0 {
		c.Uniqueness = float64(c.Alone) / float64(len(values))
		c.Top = float64(top) / float64(len(values))
	}
	n := len(valid)
	if n == 0 {
		return c
	}
	c.Domain = &table.Interval{Lo: valid[0], Hi: valid[n-1]}
	at := func(p float64) Number {
		k := p * float64(n-1)
		lo, hi := math.Floor(k), math.Ceil(k)
		return Number(valid[int(lo)]*(1-(k-lo)) + valid[int(hi)]*(k-lo))
	}
	mean, sd := stat.MeanStdDev(valid, nil)
	if n == 1 {
		sd = 0
	}
	c.Summary = &Summary{
		Mean:   Number(mean),
		SD:     Number(sd),
		Min:    Number(valid[0]),
		Q1:     at(.25),
		Median: at(.5),
		Q3:     at(.75),
		Max:    Number(valid[n-1]),
	}
	return c
}

var alike = cmp.Options{
	cmpopts.IgnoreFields(Column{}, "Suggest", "Codes"), // which TestCodes and the tests of suggestions hold
	cmpopts.IgnoreUnexported(Column{}),
	cmp.Comparer(func(a, b Number) bool {
		x, y := float64(a), float64(b)
		return math.Abs(x-y) <= 1e-9*max(1, math.Abs(x), math.Abs(y))
	}),
}

func TestNumericAgainstTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		values := drawNumbers(t, 0, 30)
		// A mean of numbers 300 orders of magnitude apart has no digits to compare.
		values = slices.DeleteFunc(values, func(v float64) bool { return v == -1e300 })
		got := describe(table.NumColumn("x", 0, values), &scratch{}, false)
		if d := cmp.Diff(twin(values), got, alike); d != "" {
			t.Fatal(d)
		}
	})
}

func TestSortedAgainstSlicesSort(t *testing.T) {
	var s scratch // reused, as by a worker
	long.Check(t, func(t *rapid.T) {
		values := drawNumbers(t, 1, 40)
		values = slices.Repeat(values, rapid.SampledFrom([]int{1, 400}).Draw(t, "times")) // both sides of the radix threshold
		var want []float64
		for _, v := range values {
			if !math.IsNaN(v) {
				want = append(want, v)
			}
		}
		slices.Sort(want)
		got := s.sorted(values)
		if len(got) != len(want) {
			t.Fatalf("%d values, want %d", len(got), len(want))
		}
		for i, k := range got {
			if sorting.Value(k) != want[i] {
				t.Fatalf("position %d: %v, want %v", i, sorting.Value(k), want[i])
			}
		}
	})
}

func TestCategorical(t *testing.T) {
	c := table.CatColumn("x", []string{"unused", "aa", "b", "cccc"}, []int32{1, 2, 2, -1, 3})
	c.Ordered = true
	got := describe(c, &scratch{}, false)
	want := Column{
		Name:       "x",
		Kind:       "ordered",
		Missing:    1,
		Distinct:   3,
		Alone:      2,
		Uniqueness: 0.4,
		Top:        0.4,
		Length:     7.0 / 3,
	}
	if d := cmp.Diff(want, got, alike); d != "" {
		t.Error(d)
	}
}

// A profile does not depend on the number of cores and becomes JSON whatever the columns hold.
func TestProfileOfOddColumns(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tab := tabletest.Of(t,
		table.NumColumn("empty", 1, []float64{nan, nan, nan}),
		table.NumColumn("infinite", 0, []float64{inf, -inf, nan}),
		table.NumColumn("large", 0, []float64{math.MaxFloat64, -math.MaxFloat64, math.MaxFloat64}),
		table.NumColumn("constant", 1, []float64{7, 7, 7}),
		table.CatColumn("none", nil, []int32{-1, -1, -1}))
	p := of(t, tab)
	text := must.Get(json.Marshal(p))(t)
	old := runtime.GOMAXPROCS(1)
	again, err := json.Marshal(of(t, tab))
	runtime.GOMAXPROCS(old)
	if err != nil || string(again) != string(text) {
		t.Errorf("one core gives %s, %d give %s", again, old, text)
	}
	if c := p.Columns[3]; c.Distinct != 1 || c.Top != 1 || c.Summary.SD != 0 {
		t.Errorf("constant column: %+v", c)
	}
	for _, j := range []int{0, 4} {
		if c := p.Columns[j]; c.Distinct != 0 || c.Missing != 3 || c.Suggest.Role != 0 || c.Domain != nil {
			t.Errorf("empty column: %+v", c)
		}
	}
	if _, err := json.Marshal(of(t, tab.Slice(0, 0))); err != nil {
		t.Errorf("no records: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tab := tabletest.Of(t, table.NumColumn("age", 1, []float64{1, 2}))
	if _, err := Of(ctx, tab); err != context.Canceled {
		t.Errorf("Of: %v", err)
	}
	if _, err := Expose(ctx, tab); err != context.Canceled {
		t.Errorf("Expose: %v", err)
	}
}

func TestInputUntouched(t *testing.T) {
	values := []float64{3, 1, math.Copysign(0, -1), 2}
	tab := tabletest.Of(t, table.NumColumn("age", 1, values))
	of(t, tab)
	if !slices.Equal(values, []float64{3, 1, 0, 2}) || !math.Signbit(values[2]) {
		t.Errorf("the values became %v", values)
	}
}

// Sets that are alike have one code, an empty one is not a missing one, and a class is never a set.
func TestSets(t *testing.T) {
	c := table.SetColumn("basket", []string{"a", "b"}, table.SetsOf([][]int32{{0}, nil, {}, {0, 1}, {0}}, nil))
	got := encode(c, 5, &lookup{})
	if want := []int32{0, 1, 2, 3, 0}; !slices.Equal(got.codes, want) || got.missing != 1 || got.distinct != 4 ||
		got.uniques != 3 {
		t.Errorf("got %+v, want codes %v", got, want)
	}
	if d := describe(c, &scratch{}, false); d.Missing != 1 || d.Distinct != 3 || d.Alone != 2 || d.Top != 0.4 {
		t.Errorf("got %+v", d)
	}
	c.Role = table.Class
	if err := CheckClass(tabletest.Of(t, c)); err == nil ||
		err.Error() != `class "basket" is set-valued; a class has one value in every record` {
		t.Errorf("a class of sets: %v", err)
	}
}

// TestBrief: a brief profile tells the roles that a whole one does, and what is missing, and nothing of how sets
// differ.
func TestBrief(t *testing.T) {
	items := table.SetColumn(
		"class",
		[]string{"a", "b"},
		&table.Sets{
			Present: table.Lists{Start: []int{0, 1, 2, 2}, Codes: []int32{0, 1}},
			Missing: []bool{false, false, true},
		},
	)
	tab := must.Get(table.New(table.NumColumn("age", 0, []float64{1, 2, 3}), items))(t)
	whole := must.Get(Of(t.Context(), tab))(t)
	brief := must.Get(Brief(t.Context(), tab))(t)
	if whole.Columns[0].Distinct != 3 || brief.Columns[0].Distinct != 3 || whole.Columns[1].Distinct != 2 ||
		brief.Columns[1].Distinct != 0 {
		t.Errorf("%+v, briefly %+v", whole.Columns, brief.Columns)
	}
	if brief.Columns[1].Missing != 1 || brief.Columns[1].Suggest.Role != table.Quasi {
		t.Errorf("briefly %+v", brief.Columns[1])
	}
}
