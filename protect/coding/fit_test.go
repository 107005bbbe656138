package coding_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/coding"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// A column of zeros but for three records in a hundred would be constant: it is left alone by share, and coded at a
// limit.
func TestNearlyConstant(t *testing.T) {
	v := make([]float64, 100)
	v[0], v[1], v[2] = 10, 20, 30
	tab := tabletest.Of(t, table.NumColumn("gain", 1, v), table.NumColumn("x", 1, ramp(100)))
	p := plan(t, false, tab, nil)
	out := apply(t, p, tab)
	if !slices.Equal(out.Num(0), v) || out.Attr(0).Domain != tab.Attr(0).Domain ||
		!slices.Equal(p.Changes(), []string{"x"}) ||
		!slices.Equal(p.Left, []int{0}) {
		t.Errorf("%v change, %v are left alone", p.Changes(), p.Left)
	}
	if p := plan(t, false, tab, map[string]string{"at": "gain=0"}); len(p.Left) != 0 || p.Columns[0].Records != 3 {
		t.Errorf("a given limit: %+v", p.Columns)
	}
	if p := plan(t, false, tab, map[string]string{"columns": "gain", "as": coding.AsMean}); len(p.Left) != 0 ||
		p.Columns[0].Value != 20 {
		t.Errorf("a mean: %+v", p.Columns)
	}
}

// A declared domain stays; a limit that few share is kept and noted; too few values have no mean.
func TestGivenLimits(t *testing.T) {
	c := table.NumColumn("x", 1, []float64{1, 2, 3, 4, 5, 70, 90})
	c.Domain, c.Declared = table.Interval{Lo: 0, Hi: 100}, true
	tab := tabletest.Of(t, c)
	p := plan(t, false, tab, map[string]string{"at": "x=50", "as": coding.AsMean})
	if out := apply(t, p, tab); !slices.Equal(out.Num(0), []float64{1, 2, 3, 4, 5, 50, 50}) ||
		out.Attr(0).Domain != c.Domain {
		t.Errorf("%v in %v", out.Num(0), out.Attr(0).Domain)
	}
	if notes := strings.Join(message.Written(p.Notes()), "\n"); !strings.Contains(notes, "stands for a mean") ||
		!strings.Contains(notes, "fewer than 3") {
		t.Errorf("notes %q", notes)
	}
	p = plan(t, false, tab, map[string]string{"at": "x=3", "as": coding.AsMean})
	if c := p.Columns[0]; c.Value != 42 || c.Records != 4 || len(p.Notes()) != 1 {
		t.Errorf("%+v, %q; expected the mean of 4, 5, 70 and 90", c, p.Notes())
	}
	observed := tabletest.Of(t, table.NumColumn("x", 1, c.Num))
	for bottom, at := range map[bool]string{false: "x=1000", true: "x=-1000"} {
		if out := apply(t, plan(t, bottom, observed, map[string]string{"at": at}), observed); !slices.Equal(out.Num(0),
			c.Num) {
			t.Errorf("a limit beyond all values changes some: %v", out.Num(0))
		}
	}
}

// A limit by a share of a continuous column is on its implied grid, beside the value that it was to be: it is drawn in
// all the same until three have the extreme.
func TestSharesOffTheGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	v, whose := make([]float64, 300), make([]int32, 300)
	for i := range v {
		v[i], whose[i] = r.Float64(), int32(i/2)
	}
	for k := 5; k < 40; k++ { // a share of 3 records leaves four at the least
		for _, bottom := range []bool{false, true} {
			tab := tabletest.Of(t, table.NumColumn("x", 0, v))
			p := plan(t, bottom, tab, map[string]string{"k": strconv.Itoa(k), "share": "1"})
			if c := plan(t, bottom, tab.Owned(whose),
				map[string]string{"k": strconv.Itoa(k), "share": "1"}).Columns[0]; c.People < k || c.People > k+1 {
				t.Errorf("bottom %v: %d people have the extreme, expected %d", bottom, c.People, k)
			}
			n, out := 0, apply(t, p, tab).Num(0)
			for _, y := range out {
				if y == p.Columns[0].Value {
					n++
				}
			}
			if n < k || n > k+1 {
				t.Errorf("bottom %v: %d have the extreme, expected %d", bottom, n, k)
			}
		}
	}
}

// Beyond a limit by hand lie three records of two people: their mean is not released where it is to be of three, and
// the notes count people, not records.
func TestGivenLimitOfPeople(t *testing.T) {
	x := tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 2, 3, 4, 70, 80, 90}))
	p := plan(t, false, x.Owned([]int32{0, 1, 2, 3, 4, 5, 4}), map[string]string{"at": "x=50", "as": coding.AsMean})
	if c := p.Columns[0]; c.Mean || c.Value != 50 || c.Records != 3 || c.People != 2 {
		t.Errorf("%+v", c)
	}
	if notes := strings.Join(message.Written(p.Notes()), "\n"); !strings.Contains(notes, "stands for a mean where "+
		"values of fewer than 3 people were") || !strings.Contains(notes, "fewer than 3 people share") {
		t.Errorf("notes %q", notes)
	}
	if p := plan(t, false, x, map[string]string{"at": "x=50", "as": coding.AsMean}); p.Columns[0].Value != 80 ||
		p.Columns[0].People != 0 ||
		strings.Contains(strings.Join(message.Written(p.Notes()), ""), "people") {
		t.Errorf("of records: %+v, notes %q", p.Columns[0], p.Notes())
	}
	_, err := extremes(t, false, nil).Fit(context.Background(), x.Owned([]int32{0, 0, 0, 0, 1, 1, 1}), rng.Source{})
	if err == nil || !strings.Contains(err.Error(), `column "x" has 7 known values of 2 people, fewer than k = 3`) {
		t.Errorf("two people: %v", err)
	}
}

// A limit of a continuous column is released as it was given, not on the implied grid, but for an end that the domain
// leaves out.
func TestLimitsOffTheGrid(t *testing.T) {
	const third = 1. / 3
	tab := tabletest.Of(t, table.NumColumn("x", 0, []float64{0, 0.1, third, 0.7, 0.9, 1}))
	if out := apply(t, plan(t, false, tab, map[string]string{"at": "x=0.3333333333333333"}),
		tab); out.Num(0)[4] != third || out.Attr(0).Domain.Hi != third {
		t.Errorf("the limit %v is released as %v", third, out.Num(0)[4])
	}
	open := *tab.Attr(0)
	open.Domain, open.Declared = table.Interval{Lo: 0, Hi: 1, OpenLo: true}, true
	for _, v := range apply(t, plan(t, true, tab.WithAttr(0, open), map[string]string{"share": "1"}),
		tab.WithAttr(0, open)).Num(0)[1:] {
		if !open.Domain.Contains(v) {
			t.Errorf("%v is released, the domain is %v", v, open.Domain)
		}
	}
}

// Values outside the domain count as its nearest end: they are no reason to draw the limit in.
func TestValuesOutside(t *testing.T) {
	x := table.NumColumn("x", 1, []float64{1, 2, 3, 4, 5, 6, 90, 95, 99})
	x.Domain, x.Declared = table.Interval{Lo: 1, Hi: 9}, true
	p := plan(t, false, tabletest.Of(t, x), map[string]string{"share": "0"})
	if c := p.Columns[0]; c.Limit != 9 || c.Records != 0 || c.Shown != 3 {
		t.Errorf("%+v, expected the limit 9, which three have", c)
	}
}

// What is asked for decides which columns are coded: all numbers and ranks, those named, or those with limits; never
// the class and weights.
func TestColumns(t *testing.T) {
	tab := protecttest.Mixed(200) // 7 and 8 are sex and weight, 9 is the size and 10 the class
	for set, want := range map[string][]int{
		"":                                     {0, 1, 2, 3, 5, 6, 9},
		"except=age;except=age":                {1, 2, 3, 5, 6, 9},
		"columns=hours,age,hours":              {0, 6},
		"at=age=40":                            {0},
		"at=size=L,income=10%;columns=score":   {1, 5, 9},
		"at=age=0%":                            {0},
		"except=income,hours,size,score,ratio": {0, 2},
	} {
		values := map[string]string{}
		for item := range strings.SplitSeq(set, ";") {
			if name, value, ok := strings.Cut(item, "="); ok {
				values[name] = value
			}
		}
		p := plan(t, false, tab, values)
		var got []int
		for _, c := range p.Columns {
			got = append(got, c.Column)
		}
		got = append(got, p.Left...)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q: columns %v are coded, expected %v", set, got, want)
		}
	}
}

// A share given for a column stands before that for all, and is one of the weights: of the five highest the first has
// nearly all of them.
func TestShares(t *testing.T) {
	w := slices.Repeat([]float64{1}, 100)
	x, weight := table.NumColumn("x", 1, ramp(100)), table.NumColumn("w", 1, w)
	tab := tabletest.Of(t, x, weight)
	for set, limit := range map[string]float64{"x=10%": 89, "x=2%": 97, "x=0%": 97, "x= 12.5 %": 87} {
		if p := plan(t, false, tab.Select(0), map[string]string{"at": set, "share": "50"}); p.Columns[0].Limit != limit {
			t.Errorf("%s: the limit is %v, expected %v", set, p.Columns[0].Limit, limit)
		}
	}
	weight.Num[99], weight.Role = 1000, table.Weight
	heavy := tabletest.Of(t, x, weight)
	if p := plan(t, false, heavy, map[string]string{"share": "50"}); p.Columns[0].Limit != 97 {
		t.Errorf("a record of nine tenths of the weight: the limit is %v, expected 97, which three reach", p.Columns[0].Limit)
	}
	p := plan(t, false, heavy, map[string]string{"at": "x=95", "as": coding.AsMean})
	if want := math.RoundToEven((96 + 97 + 98 + 99*1000) / 1003.); p.Columns[0].Value != want {
		t.Errorf("the weighted mean is %v, expected %v", p.Columns[0].Value, want)
	}
}

func TestRefuses(t *testing.T) {
	x := table.NumColumn("x", 1, []float64{10, 20})
	declared := table.NumColumn("d", 1, []float64{10, 20})
	declared.Declared = true
	city := table.CatColumn("city", []string{"a"}, []int32{0, 0})
	size := table.CatColumn("size", []string{"S", "L"}, []int32{0, 1})
	size.Ordered = true
	tab := tabletest.Of(t, x, declared, size, city)
	for _, c := range []struct {
		bottom            bool
		name, value, want string
	}{
		{false, "at", "x=9", "do not lie beyond"},
		{true, "at", "x=21", "do not lie beyond"},
		{false, "at", "x=10.5", "multiple of its step"},
		{false, "at", "x=many", "expected a number"},
		{false, "at", "x=NaN", "expected a number"},
		{true, "at", "x=-Inf", "expected a number"},
		{false, "at", "x=101%", "0 % to 100 %"},
		{false, "at", "x=-1%", "0 % to 100 %"},
		{false, "at", "x=NaN%", "0 % to 100 %"},
		{false, "at", "d=21", "in its domain"},
		{false, "at", "size=M", "one of its categories"},
		{false, "at", "city=a", "does not change"},
		{false, "at", "x=12,x=13", "named twice"},
		{false, "at", "y=12", "no column"},
		{false, "columns", "city", "does not change"},
		{false, "except", "y", "no column"},
		{false, "columns", "x", "2 known values, fewer than k = 3"},
	} {
		q := extremes(t, c.bottom, map[string]string{c.name: c.value})
		if _, err := q.Fit(context.Background(), tab, rng.Source{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("bottom %v, %s=%s: %v", c.bottom, c.name, c.value, err)
		}
	}
	w := table.NumColumn("w", 1, []float64{1, 0})
	w.Role = table.Weight
	if _, err := extremes(t, false, nil).Fit(context.Background(), tabletest.Of(t, x, w), rng.Source{}); err == nil ||
		!strings.Contains(err.Error(), "above 0") {
		t.Errorf("a weight of 0: %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := extremes(t, false, map[string]string{"k": "2"}).Fit(stopped, tab, rng.Source{}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("a cancelled fit: %v", err)
	}
}

// A column of which nothing is known is neither coded by share nor an error.
func TestNothingKnown(t *testing.T) {
	n := math.NaN()
	tab := tabletest.Of(t, table.NumColumn("x", 1, slices.Repeat([]float64{n}, 9)), table.NumColumn("y", 1, ramp(9)))
	if p := plan(t, false, tab, nil); !slices.Equal(p.Changes(), []string{"y"}) {
		t.Errorf("%q change", p.Changes())
	}
}
