package recoding

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func globalTechnique(t testing.TB, set map[string]string) *GlobalTechnique {
	t.Helper()
	q := NewGlobal()
	must.NoError(t, q.Params().Apply(set))
	return q
}

func globalFit(t testing.TB, tab *table.Table, set map[string]string) *GlobalPlan {
	t.Helper()
	p := must.Get(globalTechnique(t, set).Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	return p.(*GlobalPlan)
}

// globalText returns what the release shows in a column, "?" where it is missing.
func globalText(t testing.TB, tab *table.Table, set map[string]string, j int) []string {
	t.Helper()
	rel := must.Get(globalFit(t, tab, set).Apply(tab, protecttest.Seed(1)))(t)
	out := make([]string, rel.Rows())
	for i, c := range rel.Cat(j) {
		if out[i] = "?"; c >= 0 {
			out[i] = rel.Attr(j).Labels[c]
		}
	}
	return out
}

func TestBreaks(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("age", 1, []float64{19, 20, 39.5, 40, 60, 99, math.NaN(), -3}))
	got := globalText(t, tab, map[string]string{"breaks": "age=20|40|60"}, 0)
	if want := []string{"< 20", "[20, 40)", "[20, 40)", "[40, 60)", ">= 60", ">= 60", "?", "< 20"}; !slices.Equal(got,
		want) {
		t.Errorf("%q, expected %q", got, want)
	}
}

func TestGroups(t *testing.T) {
	edu := table.CatColumn("edu", []string{"Preschool", "1st-4th", "HS", "BSc", "a=b"}, []int32{0, 1, 2, 3, 4, -1})
	edu.Ordered = true
	tab := tabletest.Of(t, edu)
	for groups, want := range map[string]struct {
		shown   []string
		ordered bool
	}{
		"edu=Preschool|1st-4th:primary":                {[]string{"primary", "primary", "HS", "BSc", "a=b", "?"}, true},
		"edu=Preschool|BSc:ends,edu=a=b|1st-4th : two": {[]string{"ends", "two", "HS", "ends", "two", "?"}, false},
		"edu=HS|BSc,edu=*:low":                         {[]string{"low", "low", "HS|BSc", "HS|BSc", "low", "?"}, false},
		"edu=HS|BSc:HS":                                {[]string{"Preschool", "1st-4th", "HS", "HS", "a=b", "?"}, true},
		"edu=*:all":                                    {[]string{"all", "all", "all", "all", "all", "?"}, true},
		"edu=Preschool|1st-4th:low,edu=HS|BSc|a=b:not low": {[]string{"low", "low", "not low", "not low", "not low", "?"},
			true},
	} {
		set := map[string]string{"groups": groups}
		if got := globalText(t, tab, set, 0); !slices.Equal(got, want.shown) {
			t.Errorf("%s: %q", groups, got)
		}
		out, err := globalFit(t, tab, set).Apply(tab, protecttest.Seed(1))
		if err != nil || out.Attr(0).Ordered != want.ordered {
			t.Errorf("%s: ordered is %v, %v", groups, out.Attr(0).Ordered, err)
		}
	}
}

// cutAt is the definition: the limit of class i is the place between two different values that is nearest to i/n of the
// sorted records, the lower one of two.
func cutAt(v []float64, n int) []int {
	var out []int
	for i := 1; i < n; i++ {
		ideal, best := float64(i)*float64(len(v))/float64(n), 0
		for r := range len(v) + 1 {
			if (r == 0 || r == len(v) || v[r-1] != v[r]) && math.Abs(float64(r)-ideal) < math.Abs(float64(best)-ideal) {
				best = r
			}
		}
		if best > 0 && best < len(v) && !slices.Contains(out, best) {
			out = append(out, best)
		}
	}
	return out
}

// TestEqualSizeEqualsTwin compares classes of equal size with the definition, of numbers and of ordered categories.
func TestEqualSizeEqualsTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(r, "classes")
		values := rapid.SliceOfN(rapid.IntRange(0, 9), 1, 40).Draw(r, "values")
		v := make([]float64, len(values))
		codes := make([]int32, len(values))
		for i, x := range values {
			v[i], codes[i] = float64(x)/4, int32(x)
		}
		sorted := slices.Clone(v)
		slices.Sort(sorted)
		limits := equalSize(v, n, between)
		at := cutAt(sorted, n)
		if len(limits) != len(at) {
			r.Fatalf("limits %v, expected %d", limits, len(at))
		}
		for k, x := range limits {
			if got := below(sorted, x); got != at[k] {
				r.Fatalf("%d of %v are below limit %v, expected %d", got, sorted, x, at[k])
			}
		}
		c := table.CatColumn("x", []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, codes)
		c.Ordered = true
		h := runs(&c, n, Frequency)
		must.NoError(r, h.Check())
		for code := range 10 {
			want := int32(0)
			for _, r := range at {
				if float64(code)/4 >= sorted[r] {
					want++
				}
			}
			if got := h.Up[0][code]; got != want && slices.Contains(values, code) {
				r.Fatalf("category %d is in class %d, expected %d", code, got, want)
			}
		}
	})
}

func below(v []float64, x float64) (n int) {
	for _, y := range v {
		if y < x {
			n++
		}
	}
	return n
}

// Limits lie above one number and not above the next, and are no longer than they need be.
func TestBetween(t *testing.T) {
	for _, c := range []struct{ lo, hi, want float64 }{
		{33, 34, 34}, {29, 31, 30}, {17, 76, 70}, {0.123456, 0.123789, 0.1237}, {-5, 5, 0}, {-0.31, -0.28, -0.3},
		{1e6 + 1, 1e6 + 12, 1e6 + 10},
		{0, 5e-324, 5e-324}, {1, math.Nextafter(1, 2), math.Nextafter(1, 2)}, {-1e308, 1e308, 1e308}, {99, 1234, 1000},
	} {
		if got := between(c.lo, c.hi); got != c.want {
			t.Errorf("between %v and %v is %v, expected %v", c.lo, c.hi, got, c.want)
		}
	}
	long.Check(t, func(r *rapid.T) {
		lo, hi := rapid.Float64().Draw(r, "lo"), rapid.Float64().Draw(r, "hi")
		if got := between(min(lo, hi), max(lo, hi)); lo != hi && !(got > min(lo, hi) && got <= max(lo, hi)) {
			r.Fatalf("between %v and %v is %v", lo, hi, got)
		}
	})
}

// Limits of dates lie above one date and not above the next, at the beginning of the longest part of the calendar that
// begins there: one that begins with the lower date is none.
func TestBetweenDates(t *testing.T) {
	const days = calendar.ISO
	at := func(s string) float64 {
		v, _, ok := days.Number(s)
		if !ok {
			t.Fatal(s)
		}
		return v
	}
	for _, c := range []struct{ lo, hi, want string }{
		{"1999-05-06", "2000-05-03", "2000-01-01"},
		{"1989-12-31", "1994-05-03", "1990-01-01"},
		{"2000-01-01", "2000-05-03", "2000-04-01"},
		{"2000-04-01", "2000-05-03", "2000-05-01"},
		{"2000-05-01", "2000-05-03", "2000-05-03"},
		{"1999-12-31", "2000-01-01", "2000-01-01"},
	} {
		if got := betweenDates(at(c.lo), at(c.hi), days); got != at(c.want) {
			t.Errorf("between %s and %s is %v, expected %s", c.lo, c.hi, got, c.want)
		}
	}
}

func TestEqualWidth(t *testing.T) {
	c := table.NumColumn("x", 1, []float64{17, 76, 40})
	limits, observed := equalWidth(&c, 5)
	if want := []float64{29, 41, 53, 65}; !slices.Equal(limits, want) || !observed {
		// 28.8, 40.6, 52.4, 64.2, rounded up to whole numbers
		t.Errorf("%v, observed %v, expected %v", limits, observed, want)
	}
	c.Domain, c.Declared = table.Interval{Lo: 0, Hi: 100}, true
	if limits, observed = equalWidth(&c, 4); !slices.Equal(limits, []float64{25, 50, 75}) || observed {
		t.Errorf("declared: %v, observed %v", limits, observed)
	}
	p := globalFit(t, tabletest.Of(t, table.NumColumn("x", 1, []float64{17, 76, 40})), map[string]string{"cut": Width})
	if len(p.Ends) != 1 || !strings.Contains(strings.Join(message.Written(p.Notes()), "\n"), "smallest and the largest") {
		t.Errorf("%+v, %q", p.Ends, p.Notes())
	}
}

func TestGlobalChoosesColumns(t *testing.T) {
	age, city := table.NumColumn(
		"age",
		1,
		[]float64{20, 30, 60},
	), table.CatColumn("city", []string{"a", "b"}, []int32{0, 1, 1})
	size := table.CatColumn("size", []string{"S", "M", "L"}, []int32{0, 1, 2})
	size.Ordered = true
	pay := table.NumColumn("pay", 1, []float64{1, 2, 3})
	pay.Role = table.Confidential
	tab := tabletest.Of(t, age, city, size, pay)
	for set, want := range map[string][]string{
		"":                   {"age", "size"},
		"columns=pay":        {"pay"},
		"breaks=age=40":      {"age"},
		"groups=city=a|b:ab": {"city"},
		"except=age":         {"size"},
	} {
		name, value, _ := strings.Cut(set, "=")
		m := map[string]string{name: value}
		if set == "" {
			m = nil
		}
		p := globalFit(t, tab, m)
		if got := p.Changes(); !slices.Equal(got, want) {
			t.Errorf("%s: changes %q, expected %q", set, got, want)
		}
		if alone := set == "" || set == "except=age"; alone != (len(p.Left) == 1) {
			t.Errorf("%s: leaves %q", set, p.Left)
		}
	}
}

func TestGlobalRefuses(t *testing.T) {
	class := table.CatColumn("class", []string{"a"}, []int32{0, 0})
	class.Role = table.Class
	tab := tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 2}),
		table.CatColumn("c", []string{"a", "b", "d"}, []int32{0, 1}), class)
	for _, c := range []struct{ name, value, want string }{
		{"breaks", "x=3|2", "ascending"},
		{"breaks", "x=", "is not a number"},
		{"breaks", "x=1|Inf", "finite"},
		{"breaks", "c=1", "give its classes"},
		{"breaks", "x=1,x=2", "named twice"},
		{"breaks", "y=1", `no column "y"`},
		{"breaks", "class=1", "it is the class"},
		{"groups", "x=1:a", "give its limits"},
		{"groups", "c=a|z:A", `no category "z"`},
		{"groups", "c=a|a:A", "in two classes"},
		{"groups", "c=a|b:d", "not in it"},
		{"groups", "c=a|b:", "has no label"},
		{"groups", "c=*", "has no label"},
		{"groups", "c=*:x,c=*:y", "twice"},
		{"columns", "c", "without an order"},
		{"columns", "class", "it is the class"},
	} {
		_, err := globalTechnique(t, map[string]string{c.name: c.value}).Fit(context.Background(), tab, protecttest.Seed(1))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s=%s: %v, expected %q", c.name, c.value, err, c.want)
		}
	}
	q := globalTechnique(t, map[string]string{"breaks": "x=1", "columns": "x"})
	if _, err := q.Fit(context.Background(), tab, protecttest.Seed(1)); err == nil ||
		!strings.Contains(err.Error(), "given already") {
		t.Errorf("a column cut in two ways: %v", err)
	}
}

// Classes of equal size of a million numbers hold their share to a record where no value repeats.
func TestManyDistinct(t *testing.T) {
	const n, classes = 100_003, 7
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i*7919%n) / 3
	}
	tab := tabletest.Of(t, table.NumColumn("x", 0, v))
	count := map[string]int{}
	for _, label := range globalText(t, tab, map[string]string{"classes": fmt.Sprint(classes)}, 0) {
		count[label]++
	}
	for label, k := range count {
		if math.Abs(float64(k)-float64(n)/classes) > 1 || len(label) > 20 {
			t.Errorf("%d records in class %q", k, label)
		}
	}
}

// An ordered column without a category is left as it is; one of a single category is recoded like any other.
func TestFewCategories(t *testing.T) {
	none, one := table.CatColumn("none", nil, []int32{-1, -1}), table.CatColumn("one", []string{"S"}, []int32{0, -1})
	none.Ordered, one.Ordered = true, true
	if got := globalFit(t, tabletest.Of(t, none, one), nil).Changes(); !slices.Equal(got, []string{"one"}) {
		t.Errorf("changes %q, expected the column of one category", got)
	}
}
