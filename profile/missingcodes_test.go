package profile

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

func TestCodes(t *testing.T) {
	ages := func(more ...float64) (out []float64) {
		for v := 18.0; v <= 90; v++ {
			out = append(out, v, v)
		}
		return append(out, more...)
	}
	var percentages []float64
	for v := 1.0; v <= 99; v++ {
		percentages = append(percentages, v, v, v)
	}
	for _, c := range []struct {
		what   string
		values []float64
		want   string
	}{
		{"no code", ages(), ""},
		{"nines", ages(999, 999, 999), "999:3"},
		{"two nines above ninety", ages(99, 99, 99, 99), "99:4"},
		{"too few", ages(999, 999), ""},
		{"no code's digits", ages(500, 500, 500), ""},
		{"minus nine", ages(-9, -9, -9), "-9:3"},
		{"both ends", ages(-99, -99, -99, 9999, 9999, 9999), "-99:3 9999:3"},
		{"refused and unknown", ages(998, 998, 998, 999, 999, 999), "998:3 999:3"},
		{"a scale that ends in 99", []float64{95, 96, 97, 98, 99, 99, 99, 99}, ""},
		{"percentages", percentages, ""},
		{"codes behind the last year", append(slices.Repeat([]float64{97, 98, 99}, 9), percentages...), "99:12"},
		{"minus nines with a decimal", ages(-99.9, -99.9, -99.9), "-99.9:3"},
		{"temperatures below zero", []float64{-12, -11, -10, -9, -9, -9, -5, 0, 3}, ""},
		{"a code beside missing values", ages(math.NaN(), 999, 999, 999), "999:3"},
		{"incomes with a long tail", []float64{1000, 2000, 2500, 4000, 9999, 9999, 9999}, "9999:3"},
		{"incomes whose tail is as long", []float64{1000, 4000, 9999, 9999, 9999}, ""},
		{"only codes", []float64{99, 99, 99, 999, 999, 999}, ""},
	} {
		tb := must.Get(table.New(table.NumColumn("x", 1, c.values)))(t)
		p := must.Get(Of(context.Background(), tb))(t)
		var got []string
		for _, k := range p.Columns[0].Codes {
			got = append(got, fmt.Sprintf("%v:%d", k.Value, k.Count))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.what, s, c.want)
		}
	}
}

// A zero among days without marks is no value, and one among amounts is.
func TestNoDay(t *testing.T) {
	days, amounts := []float64{0, 0, 0}, []float64{0, 0, 0, 999999999, 999999999, 999999999}
	for k := range 60 {
		days, amounts = append(days, float64(19500101+k%28+10000*k)), append(amounts, float64(1000000+3571*k))
	}
	for _, c := range []struct {
		values []float64
		want   string
	}{{days, "[{0 3}]"}, {days[3:], "[]"}, {amounts, "[{9.99999999e+08 3}]"}, {amounts[:3], "[]"}} {
		if got := fmt.Sprint(NoValues(table.NumColumn("x", 1, c.values))); got != c.want {
			t.Errorf("%v: %s, want %s", c.values, got, c.want)
		}
	}
}

func TestUsualCodes(t *testing.T) {
	for v, want := range map[float64]bool{9: false, 99: true, 999: true, -9: true, -1: true, -8: true, 77: true, 88: true,
		98: true, 997: true, 87: false, 100: false,
		9.9: false, -9.9: true, 99.9: true, 99.99: true, 99.95: false, 99.999: false, -99.5: false,
		990: false, 199: false, 899: false, 778: false, -99: true, 0: false, 99999: true} {
		if usualCode(v) != want {
			t.Errorf("%v: %v", v, !want)
		}
	}
}

func TestVariants(t *testing.T) {
	for _, c := range []struct {
		values, want []string
	}{
		{[]string{"Innere", "innere", "Innere", "Chirurgie", " chirurgie", "Chirurgie"},
			[]string{"Innere", "Innere", "Innere", "Chirurgie", "Chirurgie", "Chirurgie"}},
		{[]string{"m", "M", "männlich", "w", "weiblich", "weiblich"},
			[]string{"männlich", "männlich", "männlich", "weiblich", "weiblich", "weiblich"}},
		{[]string{"A", "B", "AB", "0"}, nil},
		{[]string{"a", "b", "absent"}, nil},
		{[]string{"f", "female", "fluid"}, nil},
		{[]string{"St.  Anna", "St. Anna", "St. Anna"}, []string{"St. Anna", "St. Anna", "St. Anna"}},
		{[]string{"x", "y"}, nil},
		{[]string{"Köln", "Ko\u0308ln", "Köln", "K\u200böln", "\ufeffKöln"}, slices.Repeat([]string{"Köln"}, 5)},
		{[]string{"St. Anna", "St.\u00a0Anna", "St. Anna"}, slices.Repeat([]string{"St. Anna"}, 3)},
		{[]string{"ＡＢＣ", "ABC", "ABC"}, slices.Repeat([]string{"ABC"}, 3)},
		{[]string{"Koln", "Köln", "Kölln"}, nil},
	} {
		if c.want == nil {
			c.want = c.values
		}
		got, n := MergeVariants(categories("x", c.values))
		differ := 0
		for i := range c.values {
			if got.Labels[got.Cat[i]] != c.want[i] {
				t.Errorf("%q: record %d is %q, want %q", c.values, i, got.Labels[got.Cat[i]], c.want[i])
			}
			if got.Labels[got.Cat[i]] != c.values[i] {
				differ++
			}
		}
		if differ != n {
			t.Errorf("%q: says that %d values changed, and %d did", c.values, n, differ)
		}
	}
}

// TestMergeVariantsIsAPartition: values become the same exactly when they differ in case and blanks alone, and merging
// again changes nothing.
func TestMergeVariantsIsAPartition(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.StringMatching(" ?[abAB]{2} ?[abAB]{2} ?"), 1, 30).Draw(t, "values")
		c := categories("x", values)
		got, n := MergeVariants(c)
		plain := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
		for i := range values {
			for k := range values {
				if same := plain(values[i]) == plain(values[k]); same != (got.Cat[i] == got.Cat[k]) {
					t.Fatalf("%q and %q", values[i], values[k])
				}
			}
			if !slices.Contains(values, got.Labels[got.Cat[i]]) {
				t.Fatalf("%q is nobody's", got.Labels[got.Cat[i]])
			}
		}
		if _, again := MergeVariants(got); again != 0 || n > len(values) {
			t.Fatalf("%d values change, and %d the second time", n, again)
		}
	})
}

// TestRepeats compares with a count by whole rows.
func TestRepeats(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "rows")
		a, b := make([]float64, n), make([]int32, n)
		seen, want := map[string]bool{}, 0
		for i := range n {
			a[i], b[i] = rapid.SampledFrom([]float64{0, 1, math.NaN()}).Draw(t, "a"), rapid.Int32Range(-1, 2).Draw(t, "b")
			key := fmt.Sprint(a[i], b[i])
			if seen[key] {
				want++
			}
			seen[key] = true
		}
		tb := must.Get(table.New(table.NumColumn("a", 1, a), table.CatColumn("b", []string{"x", "y", "z"}, b)))(t)
		if got, err := Repeats(context.Background(), tb); err != nil || got != want {
			t.Fatalf("%d, %v; want %d", got, err, want)
		}
	})
}
