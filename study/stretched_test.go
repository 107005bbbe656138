package study

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/leafnoise"
	"github.com/dither-data/dither/protect/mdav"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// TestStretched: noise on a domain that outliers stretch is refused, with a domain that shows nobody's value; a
// technique whose noise does not grow with the domain goes on, and so does a column that is declared, or kept, or
// excepted, or a weight.
func TestStretched(t *testing.T) {
	in := func(n int, outliers ...float64) *table.Table {
		v := make([]float64, n, n+len(outliers))
		for i := range v {
			v[i] = 1017 + float64(i*37%211) // 1017 to 1227
		}
		v = append(v, outliers...)
		codes := make([]int32, len(v))
		for i := range codes {
			codes[i] = int32(i % 2)
		}
		tab := must.Get(table.New(
			table.NumColumn("in come", 1, v),
			table.Column{
				Attribute: table.Attribute{Name: "y", Kind: table.Categorical, Labels: []string{"a", "b"}, Role: table.Class},
				Cat:       codes,
			},
		))(t)
		return tab
	}
	attempt := func(q Request) string {
		if q.Method.Name == "" {
			q.Method = leafnoise.Innocent
			q.Set = map[string]string{"minLeaf": "60"}
		}
		q.Seed = rng.SeedOf([32]byte{1})
		if _, err := Protect(context.Background(), q); err != nil {
			return err.Error()
		}
		return ""
	}
	said := attempt(Request{KeepOrder: true, Table: in(800, 123457)})
	for _, want := range []string{`linnapt: column "in come"`, "more than 50 times", `columns: {"in come": {domain: [1000, 1300], outside: clip}}`} {
		if !strings.Contains(said, want) {
			t.Errorf("%q does not say %q", said, want)
		}
	}
	for _, secret := range []string{"1017", "1227", "1018", "1226", "123457"} {
		if strings.Contains(said, secret) {
			t.Errorf("%q shows a value", said)
		}
	}
	if said := attempt(Request{KeepOrder: true, Table: in(40, math.NaN(), -99999)}); !strings.Contains(said,
		"[1000, 1300]") {
		t.Errorf("one outlier of 41: %q", said)
	}
	declared := in(800, 123457)
	a := *declared.Attr(0)
	a.Declared = true
	weight := *declared.Attr(0)
	weight.Role = table.Weight
	for what, q := range map[string]Request{
		"no outlier":                     {Table: in(800)},
		"49 times as wide":               {Table: in(800, 1017+49*205)},
		"no other values":                {Table: in(800, math.NaN())},
		"a domain that was declared":     {Table: declared.WithAttr(0, a)},
		"a technique without such noise": {Table: declared, Method: mdav.MDAV},
	} {
		if said := attempt(q); said != "" {
			t.Errorf("%s: %s", what, said)
		}
	}
	for what, q := range map[string]Request{
		"kept":     {Table: declared, Keep: []string{"in come"}},
		"a weight": {Table: declared.WithAttr(0, weight)},
	} {
		if said := attempt(q); strings.Contains(said, "stretch") {
			t.Errorf("%s: %s", what, said)
		}
	}
	if err := stretched(t.Context(), aggregate.Over(declared, rng.Source{}), []string{"in come"}); err != nil {
		t.Error(err)
	}
	if err := stretched(t.Context(), aggregate.Over(in(10, 1e9), rng.Source{}), nil); err != nil {
		t.Errorf("of 11 values one is called an outlier: %v", err)
	}
}

// TestRounded: the proposed ends hold the core, to one digit of its width.
func TestRounded(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{{1017, 1227, "1000 1300"}, {0.123, 0.456, "0.1 0.5"}, {-37, 12, "-40 20"}, {0, 5, "0 5"},
		{123456, 123499, "123450 123500"}, {1e-9, 3e-9, "0.000000001 0.000000003"}} {
		d := rounded(c.lo, c.hi)
		if got := written(d.Lo) + " " + written(d.Hi); got != c.want || d.Lo > c.lo || d.Hi < c.hi {
			t.Errorf("%v to %v: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}
