package topcode

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/coding"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var (
	_ protect.Noted     = (*Plan)(nil)
	_ protect.Described = (*Plan)(nil)
	_ protect.Checker   = (*Plan)(nil)
)

func fit(t testing.TB, tab *table.Table, set map[string]string) *Plan {
	t.Helper()
	q := New()
	if err := q.Params().Apply(set); err != nil {
		t.Fatal(err)
	}
	p, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	return p.(*Plan)
}

// limit is the definition: the largest value that at least k records reach and that leaves at most the share of the weight above it; for a
// mean, none or k records at least. Where no value does, it is the smallest.
func limit(v, w []float64, share float64, k int, mean bool) float64 {
	all := 0.0
	for i := range v {
		if v[i] == v[i] {
			all += w[i]
		}
	}
	values := slices.DeleteFunc(slices.Clone(v), math.IsNaN)
	slices.Sort(values)
	values = slices.Compact(values)
	slices.Reverse(values)
	most := len(values) - 1
	for c, x := range values { // the first limit that leaves more than the share at it or above
		at := 0.0
		for i := range v {
			if v[i] >= x {
				at += w[i]
			}
		}
		if at > share*all {
			most = c
			break
		}
	}
	for _, x := range values[most:] {
		at, above := 0, 0
		for i := range v {
			if v[i] >= x {
				at++
			}
			if v[i] > x {
				above++
			}
		}
		if at >= k && !(mean && above > 0 && above < k) {
			return x
		}
	}
	return values[len(values)-1]
}

// flat is the definition of what is left alone: some values lie above the limit, and it is the least value, or that of most records.
func flat(v []float64, x, share float64, k int, mean bool) bool {
	above, at, known := 0, 0, 0
	for _, y := range v {
		switch {
		case y > x:
			above++
		case y == x:
			at++
		}
		if y == y {
			known++
		}
	}
	averaged := mean && above >= k
	return above > 0 && !averaged && (above+at == known || float64(at) > max(0.5, 1-2*share)*float64(known))
}

// A column of zeros but for three records in a hundred would be constant: it is left alone by share, and coded at a limit.
func TestNearlyConstant(t *testing.T) {
	v := make([]float64, 100)
	v[0], v[1], v[2] = 10, 20, 30
	tab := tabletest.Of(t, table.NumColumn("gain", 1, v), table.NumColumn("x", 1, ramp(100)))
	p := fit(t, tab, nil)
	out, err := p.Apply(tab, protecttest.Seed(1))
	if err != nil || !slices.Equal(out.Num(0), v) || out.Attr(0).Domain != tab.Attr(0).Domain || !slices.Equal(p.Changes(), []string{"x"}) {
		t.Errorf("%v, %v", p.Changes(), err)
	}
	if notes := strings.Join(p.Notes(), "\n"); !strings.Contains(notes, "left alone") || !strings.Contains(notes, `"gain"`) {
		t.Errorf("notes %q", notes)
	}
	if p := fit(t, tab, map[string]string{"at": "gain=0"}); len(p.Left) != 0 || p.Columns[0].Records != 3 {
		t.Errorf("a given limit: %+v", p.Columns)
	}
	if p := fit(t, tab, map[string]string{"columns": "gain", "as": "mean"}); len(p.Left) != 0 || p.Columns[0].Value != 20 {
		t.Errorf("a mean: %+v", p.Columns)
	}
	p.Left = []int{2}
	if p.Check() == nil {
		t.Error("a column that is none of the schema is left alone")
	}
}

func ramp(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i)
	}
	return v
}

// TestEqualsTwin compares releases with the definition, for shares that no sum of the weights, which are halves, comes near.
func TestEqualsTwin(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(3, 30).Draw(r, "rows")
		k := rapid.IntRange(2, 3).Draw(r, "k")
		v, w := make([]float64, n), make([]float64, n)
		for i := range v {
			v[i], w[i] = float64(rapid.IntRange(-6, 6).Draw(r, "value")), float64(rapid.IntRange(1, 4).Draw(r, "weight"))/2
			if i >= 3 && v[i] == -6 {
				v[i] = math.NaN()
			}
		}
		c, weight := table.NumColumn("x", 1, v), table.NumColumn("w", 0.5, w)
		if weighted := rapid.Bool().Draw(r, "weighted"); weighted {
			weight.Role = table.Weight
		} else {
			w = slices.Repeat([]float64{1}, n)
		}
		mean := rapid.Bool().Draw(r, "mean")
		share := rapid.SampledFrom([]float64{0, 4.7, 9.7, 33.1, 99.9}).Draw(r, "share")
		as := map[bool]string{false: coding.AsLimit, true: coding.AsMean}[mean]
		tab := tabletest.Of(t, c, weight)
		p := fit(t, tab, map[string]string{"columns": "x", "share": fmt.Sprint(share), "as": as, "k": fmt.Sprint(k)})
		out, err := p.Apply(tab, protecttest.Seed(1))
		if err != nil {
			r.Fatal(err)
		}
		x := limit(v, w, share/100, k, mean)
		if flat(v, x, share/100, k, mean) {
			if len(p.Columns) != 0 || !slices.Equal(p.Left, []int{0}) {
				r.Fatalf("%v is coded: %+v", v, p.Columns)
			}
			return
		}
		value, above, sum, total := x, 0, 0.0, 0.0
		for i := range v {
			if v[i] > x {
				above, sum, total = above+1, sum+w[i]*v[i], total+w[i]
			}
		}
		if mean && above >= k {
			value = math.RoundToEven(sum / total)
		}
		for i, y := range out.Num(0) {
			want := v[i]
			if v[i] > x {
				want = value
			}
			if y != want && (y == y || want == want) {
				r.Fatalf("%v becomes %v, expected %v (limit %v, %d above)", v[i], y, want, x, above)
			}
		}
		if a := out.Attr(0); a.Domain.Hi != value || a.Domain.Lo != c.Domain.Lo || a.Step != 1 {
			r.Fatalf("released as %+v", *a)
		}
		if c := p.Columns[0]; c.Records != above || c.Limit != x {
			r.Fatalf("%+v, expected limit %v with %d above", c, x, above)
		}
	})
}

func TestOrderedCategories(t *testing.T) {
	c := table.CatColumn("size", []string{"S", "M", "L", "XL"}, []int32{0, 1, 3, 2, 2, -1, 0, 2, 1, 3})
	c.Ordered = true
	tab := tabletest.Of(t, c)
	for set, want := range map[string][]int32{
		"at=size=M": {0, 1, 1, 1, 1, -1, 0, 1, 1, 1},
		"share=5":   {0, 1, 2, 2, 2, -1, 0, 2, 1, 2}, // two records of XL are fewer than k
		"k=2":       c.Cat,
	} {
		name, value, _ := strings.Cut(set, "=")
		out, err := fit(t, tab, map[string]string{name: value}).Apply(tab, protecttest.Seed(1))
		if err != nil || !slices.Equal(out.Cat(0), want) || !slices.Equal(out.Attr(0).Labels, c.Labels) {
			t.Errorf("%s: %v, %v, expected %v", set, out.Cat(0), err, want)
		}
	}
}

// A declared domain stays; a limit that few share is kept and noted; too few values have no mean.
func TestGivenLimits(t *testing.T) {
	c := table.NumColumn("x", 1, []float64{1, 2, 3, 4, 5, 70, 90})
	c.Domain, c.Declared = table.Interval{Lo: 0, Hi: 100}, true
	tab := tabletest.Of(t, c)
	p := fit(t, tab, map[string]string{"at": "x=50", "as": coding.AsMean})
	out, err := p.Apply(tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	if got := out.Num(0); !slices.Equal(got, []float64{1, 2, 3, 4, 5, 50, 50}) || out.Attr(0).Domain != c.Domain {
		t.Errorf("%v in %v", got, out.Attr(0).Domain)
	}
	if notes := strings.Join(p.Notes(), "\n"); !strings.Contains(notes, "stands for a mean") || !strings.Contains(notes, "fewer than 3") {
		t.Errorf("notes %q", notes)
	}
	p = fit(t, tab, map[string]string{"at": "x=3", "as": coding.AsMean})
	if c := p.Columns[0]; c.Value != 42 || c.Records != 4 || len(p.Notes()) != 1 {
		t.Errorf("%+v, %q; expected the mean of 4, 5, 70 and 90", c, p.Notes())
	}
	observed := tabletest.Of(t, table.NumColumn("x", 1, c.Num))
	p = fit(t, observed, map[string]string{"at": "x=1000"})
	if out, err := p.Apply(observed, protecttest.Seed(1)); err != nil || !slices.Equal(out.Num(0), c.Num) {
		t.Errorf("a limit above all values changes some: %v, %v", out.Num(0), err)
	}
}

// What becomes of a value is certain, and the law says so.
func TestKernel(t *testing.T) {
	p := fit(t, tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 2, 3, 4, 5})), map[string]string{"at": "x=3"})
	k, ok := law.At(p, 0, nil, nil, 0)
	for _, c := range []struct{ x, y, p float64 }{{5, 3, 1}, {3, 3, 1}, {2, 2, 1}, {5, 5, 0}, {2, 3, 0}, {2, math.NaN(), 0}} {
		if !ok || k.P(c.x, c.y) != c.p {
			t.Errorf("%v is released as %v with probability %v", c.x, c.y, k.P(c.x, c.y))
		}
	}
}

func TestRefuses(t *testing.T) {
	x := table.NumColumn("x", 1, []float64{10, 20})
	declared := table.NumColumn("d", 1, []float64{10, 20})
	declared.Declared = true
	size := table.CatColumn("size", []string{"S", "L"}, []int32{0, 1})
	size.Ordered = true
	city := table.CatColumn("city", []string{"a"}, []int32{0, 0})
	tab := tabletest.Of(t, x, declared, size, city)
	for _, c := range []struct{ name, value, want string }{
		{"at", "x=9", "do not lie beyond"},
		{"at", "x=10.5", "multiple of its step"},
		{"at", "x=many", "expected a number"},
		{"at", "x=101%", "0 % to 100 %"},
		{"at", "d=21", "in its domain"},
		{"at", "size=M", "one of its categories"},
		{"at", "city=a", "does not change"},
		{"at", "x=12,x=13", "named twice"},
		{"columns", "x", "2 known value(s), fewer than k = 3"},
	} {
		q := New()
		if err := q.Params().Apply(map[string]string{c.name: c.value}); err != nil {
			t.Fatal(err)
		}
		if _, err := q.Fit(context.Background(), tab, protecttest.Seed(1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%s: %v", c.name, c.value, err)
		}
	}
	w := table.NumColumn("w", 1, []float64{1, 0})
	w.Role = table.Weight
	if _, err := New().Fit(context.Background(), tabletest.Of(t, x, w), protecttest.Seed(1)); err == nil || !strings.Contains(err.Error(), "above 0") {
		t.Errorf("a weight of 0: %v", err)
	}
	other := fit(t, tab, map[string]string{"k": "2"})
	other.Bottom = true
	if other.Check() == nil {
		t.Error("a plan that codes the other end is accepted")
	}
}
