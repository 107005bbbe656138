package hierarchy

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// randomHierarchy draws a consistent hierarchy that lists up to 12 values, which are numbers.
func randomHierarchy(r *rapid.T) *Hierarchy {
	values := rapid.SliceOfNDistinct(rapid.IntRange(-50, 50), 1, 12, rapid.ID).Draw(r, "values")
	h := &Hierarchy{Attribute: "v", Names: [][]string{{}}}
	for _, v := range values {
		h.Names[0] = append(h.Names[0], strconv.Itoa(v))
	}
	for l := range rapid.IntRange(1, 4).Draw(r, "height") {
		var names []string
		seen := map[int]int32{}
		var up []int32
		for range h.Names[l] {
			raw := rapid.IntRange(0, 5).Draw(r, "group")
			g, ok := seen[raw]
			if !ok {
				g = int32(len(names))
				seen[raw] = g
				names = append(names, fmt.Sprintf("%d.%d", l+1, raw))
			}
			up = append(up, g)
		}
		h.Names, h.Up = append(h.Names, names), append(h.Up, up)
	}
	return h
}

// TestGroupsEqualTwin climbs one value at a time, in a numeric and in a categorical column, and counts what a group
// covers.
func TestGroupsEqualTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		h := randomHierarchy(r)
		must.NoError(r, h.Check())
		n := len(h.Names[0])
		level := rapid.IntRange(0, h.Height()).Draw(r, "level")
		codes := rapid.SliceOfN(rapid.IntRange(-1, n-1), 0, 40).Draw(r, "codes")
		cat := table.CatColumn("v", slices.Clone(h.Names[0]), make([]int32, len(codes)))
		slices.Reverse(cat.Labels)
		num := make([]float64, len(codes))
		want := make([]int32, len(codes))
		for i, c := range codes {
			cat.Cat[i], num[i], want[i] = -1, math.NaN(), -1
			if c < 0 {
				continue
			}
			cat.Cat[i] = int32(n - 1 - c)
			num[i], _ = strconv.ParseFloat(h.Names[0][c], 64)
			want[i] = int32(c)
			for l := range level {
				want[i] = h.Up[l][want[i]]
			}
		}
		for _, c := range []table.Column{cat, table.NumColumn("v", 1, num)} {
			got, err := h.Groups(&c, level)
			if err != nil || !slices.Equal(got, want) {
				r.Fatalf("%s: %v, %v, expected %v", c.Kind, got, err, want)
			}
		}
		for g, s := range h.Spans(level) {
			held := -1.0
			for c := range n {
				k := int32(c)
				for l := range level {
					k = h.Up[l][k]
				}
				if k == int32(g) {
					held++
				}
			}
			if s != held/max(float64(n-1), 1) {
				r.Fatalf("group %d of level %d spans %v, expected %v of %d", g, level, s, held, n-1)
			}
		}
		checkOrder(r, h, level)
	})
}

// checkOrder compares Ordered with all pairs of listed numbers.
func checkOrder(r *rapid.T, h *Hierarchy, level int) {
	c := table.NumColumn("v", 1, nil)
	l := must.Get(h.At(&c.Attribute, level))(r)
	up := h.Raise(0, level)
	want := true
	for i, a := range h.Names[0] {
		for j, b := range h.Names[0] {
			x, _ := strconv.Atoi(a)
			y, _ := strconv.Atoi(b)
			want = want && (x >= y || up[i] <= up[j])
		}
	}
	if l.Ordered != want {
		r.Fatalf("level %d is ordered: %v, expected %v", level, l.Ordered, want)
	}
}

// within reports whether a number is in the interval that a label says.
func within(t testing.TB, v float64, label string) bool {
	t.Helper()
	number := func(text string) float64 {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatalf("label %q", label)
		}
		return x
	}
	switch {
	case label == Top:
		return true
	case strings.HasPrefix(label, "< "):
		return v < number(label[2:])
	case strings.HasPrefix(label, ">= "):
		return v >= number(label[3:])
	}
	lo, hi, _ := strings.Cut(strings.Trim(label, "[)"), ", ")
	return v >= number(lo) && v < number(hi)
}

// TestIntervalsHoldWhatTheySay: whatever the column, a hierarchy is consistent, every number is inside the interval
// that its label says, on every level, intervals of one level but the ends are equally wide, and each level has about
// half as many as the one below.
func TestIntervalsHoldWhatTheySay(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		step := rapid.SampledFrom([]float64{1, 0.01, 0.1, 0.3, 5, 0}).Draw(r, "step")
		scale := rapid.SampledFrom([]float64{1e-7, 1, 1e3, 1e12}).Draw(r, "scale")
		from := rapid.SampledFrom([]float64{0, -1000, 17, 1e6}).Draw(r, "from")
		v := make([]float64, rapid.IntRange(1, 30).Draw(r, "rows"))
		for i := range v {
			v[i] = table.Snap(scale*(from+float64(rapid.IntRange(-300, 300).Draw(r, "value"))/7), step)
		}
		c := table.NumColumn("v", step, v)
		c.Declared = rapid.Bool().Draw(r, "declared")
		h := Intervals(&c)
		must.NoError(r, h.Check())
		if n := len(h.Labels(1)); n > finest+2 {
			r.Fatalf("%d intervals on level 1", n)
		}
		for l := 1; l <= h.Height(); l++ {
			g := must.Get(h.Groups(&c, l))(r)
			for i, x := range v {
				if !within(t, x, h.Labels(l)[g[i]]) {
					r.Fatalf("level %d puts %v into %q", l, x, h.Labels(l)[g[i]])
				}
			}
			if n := len(h.Labels(l)); l > 1 && n > len(h.Labels(l-1))/2+1 {
				r.Fatalf("%d intervals on level %d, %d on level %d", len(h.Labels(l-1)), l-1, n, l)
			}
		}
	})
}

// TestSearchEqualsTwin compares the halving search with a scan of the limits.
func TestSearchEqualsTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		limits := rapid.SliceOfNDistinct(rapid.IntRange(-20, 20), 0, 20, rapid.ID).Draw(r, "limits")
		slices.Sort(limits)
		cuts := make([]float64, len(limits))
		for k, c := range limits {
			cuts[k] = float64(c)
		}
		h, err := Cut(&table.Attribute{Name: "v", Domain: table.Interval{Lo: -20, Hi: 20}}, cuts)
		if err != nil || h.Check() != nil {
			r.Fatal(err, h.Check())
		}
		v := make([]float64, 0, 100)
		for x := -22.5; x < 23; x += 0.5 {
			v = append(v, x)
		}
		v = append(v, math.Inf(1), math.Inf(-1), math.NaN())
		c := table.NumColumn("v", 0, v)
		got := must.Get(h.Groups(&c, 1))(r)
		for i, x := range v {
			want := int32(0)
			for _, c := range cuts {
				if c <= x {
					want++
				}
			}
			if x != x {
				want = -1
			}
			if got[i] != want {
				r.Fatalf("%v is in interval %d, expected %d of %v", x, got[i], want, cuts)
			}
			if want >= 0 && !math.IsInf(x, 0) && !within(t, x, h.Labels(1)[want]) {
				r.Fatalf("%v is in %q", x, h.Labels(1)[want])
			}
		}
	})
}

func TestRunsEqualTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		odd := rapid.SampledFrom([]string{"a", "b", "c", "d", "a .. b", "b .. c", "\"a", "..", "*", "e", "f"})
		values := rapid.SliceOfNDistinct(odd, 1, 11, rapid.ID).Draw(r, "values")
		h := Runs("v", values)
		must.NoError(r, h.Check())
		if len(h.Labels(h.Height())) != 1 {
			r.Fatalf("%q at the top", h.Labels(h.Height()))
		}
		for l := 1; l <= h.Height(); l++ {
			for k, g := range h.Raise(0, l) {
				if want := int32(k >> l); g != want && len(values) > 1 {
					r.Fatalf("value %d is in group %d of level %d, expected %d", k, g, l, want)
				}
			}
		}
	})
}

// A million values, a level of as many groups, and labels that repeat.
func TestAtTheEdges(t *testing.T) {
	n := long.Of(10_000, 1_000_000)
	if testing.Short() {
		return // the race detector takes long for a million values
	}
	values, group := make([]string, n), make([]string, n)
	codes := make([]int32, n)
	for k := range values {
		values[k] = strconv.Itoa(k)
		group[k] = values[k][:1]
		codes[k] = int32(n - 1 - k)
	}
	h := Join("v", values, group)
	c := table.CatColumn("v", values, codes)
	g, err := h.Groups(&c, 1)
	if err != nil || len(h.Labels(1)) != 10 || h.Labels(1)[g[0]] != "9" || h.Labels(1)[g[n-1]] != "0" {
		t.Errorf("%d groups, %v", len(h.Labels(1)), err)
	}
	h.Names[1][3] = h.Names[1][4]
	if h.Check() == nil {
		t.Error("two groups of one label are consistent")
	}
}

func TestAtRefuses(t *testing.T) {
	listed := Join("v", []string{"a", "b"}, []string{"x", "x"})
	cut := must.Get(Cut(&table.Attribute{Name: "v", Domain: table.Interval{Lo: 0, Hi: 9}}, []float64{3}))(t)
	num, cat := table.NumColumn("v", 1, []float64{1}), table.CatColumn("v", []string{"a", "z"}, []int32{0})
	twice := Join("v", []string{"1", "1.0"}, []string{"x", "y"})
	for what, err := range map[string]error{
		"a numeric column without listed numbers": second(listed.At(&num.Attribute, 1)),
		"intervals of categories":                 second(cut.At(&cat.Attribute, 1)),
		"level 0 of intervals":                    second(cut.At(&num.Attribute, 0)),
		"a level above the top":                   second(listed.At(&cat.Attribute, 2)),
		"a level below the values":                second(listed.At(&cat.Attribute, -1)),
		"a number in two groups":                  second(twice.At(&num.Attribute, 1)),
	} {
		if err == nil || !strings.Contains(err.Error(), `"v"`) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := Cut(&table.Attribute{Name: "v"}, []float64{3, 3}); err == nil {
		t.Error("limits that are equal are accepted")
	}
	if g, err := listed.Groups(&cat, 1); err != nil || g[0] != 0 {
		t.Errorf("a category that does not occur and is not listed: %v", err)
	}
	cat.Cat[0] = 1
	if _, err := listed.Groups(&cat, 1); !errors.Is(err, ErrNotCovered) {
		t.Errorf("a category that is not listed: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
