package hierarchy

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// An ARX file loads unchanged: quotes, blank ends of lines, a value per line.
func TestParse(t *testing.T) {
	h := must.Get(Parse("city", strings.NewReader("Ulm;South;*\r\n\"Bad Tölz\";South;*\r\nKiel;North;*\r\n")))(t)
	must.NoError(t, h.Check())
	if h.Height() != 2 || !slices.Equal(h.Labels(1), []string{"South", "North"}) ||
		!slices.Equal(h.Labels(2), []string{"*"}) {
		t.Fatalf("%+v", h)
	}
	c := table.CatColumn("city", []string{"Kiel", "Ulm", "Bad Tölz"}, []int32{0, 1, 2, -1})
	g, err := h.Groups(&c, 1)
	if err != nil || !slices.Equal(g, []int32{1, 0, 0, -1}) {
		t.Errorf("groups %v, %v", g, err)
	}
	if s := h.Spans(1); s[0] != 0.5 || s[1] != 0 || h.Spans(2)[0] != 1 {
		t.Errorf("spans %v", s)
	}
	other := table.CatColumn("city", []string{"Rome"}, []int32{0})
	if _, err := h.Groups(&other, 1); !errors.Is(err, ErrNotCovered) || strings.Contains(err.Error(), "Rome") {
		t.Errorf("an unlisted value gives %v", err)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "empty",
		"a\n":                       "expected a value and its groups",
		"a;x;*\nb;x\n":              "line 2: 2 fields, expected 3",
		"a;x;*\na;x;*\n":            "line 2: the value is listed twice",
		"a;x;1\nb;x;2\n":            "line 2: the group on level 1 is elsewhere",
		"a;\"x;*\nb;x;*\n":          "line",
		"a;x;*\n\nb;y;*\nc;z;q;*\n": "line 4",
	} {
		if _, err := Parse("v", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", text, err, want)
		}
	}
}

// Intervals nest, cover every number, and have round limits that are no values of the table.
func TestIntervals(t *testing.T) {
	for _, v := range [][]float64{{17, 90, 33}, {-4, 3, 0.5}, {0, 1e6}, {0.01, 0.02}, {5, 5}, {math.NaN()},
		{1e15, 1e15 + 4}, {-90, -17}} {
		c := table.NumColumn("v", 0, v)
		h := Intervals(&c)
		if err := h.Check(); err != nil {
			t.Fatalf("%v: %v", v, err)
		}
		if n := len(h.Labels(h.Height())); n != 1 {
			t.Errorf("%v: %d groups at the top", v, n)
		}
		for l := 1; l <= h.Height(); l++ {
			g := must.Get(h.Groups(&c, l))(t)
			sum := 0.0
			for _, s := range h.Spans(l) {
				sum += s
			}
			if h.Domain.Hi > h.Domain.Lo && math.Abs(sum-1) > 1e-9 {
				t.Errorf("%v: the spans of level %d add up to %v", v, l, sum)
			}
			for i, x := range v {
				if (g[i] < 0) != math.IsNaN(x) {
					t.Errorf("%v: row %d is in group %d", v, i, g[i])
				}
			}
		}
	}
	c := table.NumColumn("age", 1, []float64{17, 90})
	if got := Intervals(&c).Labels(1); got[0] != "< 20" || got[1] != "[20, 25)" || got[len(got)-1] != ">= 90" {
		t.Errorf("intervals of 17 to 90: %q", got)
	}
}

func TestRuns(t *testing.T) {
	h := Runs("size", []string{"XS", "S", "M", "L", "XL"})
	must.NoError(t, h.Check())
	if !slices.Equal(h.Labels(1), []string{"XS .. S", "M .. L", "XL"}) ||
		!slices.Equal(h.Labels(2), []string{"XS .. L", "XL"}) ||
		h.Height() != 3 {
		t.Errorf("%q", h.Names)
	}
	if h := Runs("one", []string{"a"}); h.Height() != 1 || h.Check() != nil {
		t.Errorf("%+v", h)
	}
}

// Limits are multiples of a round width, about as many as are asked for, and none is finer than the grid.
func TestLimits(t *testing.T) {
	for _, x := range []struct {
		step, lo, hi       float64
		most               int
		width, first, last float64
		n                  int
	}{
		{1, 17, 90, 100, 1, 18, 90, 73}, {1, 17, 90, 20, 5, 20, 90, 15}, {0, 0.01, 0.02, 10, 0.001, 0.011, 0.02, 10},
		{1, -7, 7, 4, 5, -5, 5, 3}, {2, 0, 10, 100, 2, 2, 10, 5}, {1, 5, 5, 10, 0, 0, 0, 0},
	} {
		c := table.NumColumn("v", x.step, []float64{x.lo, x.hi})
		got, domain := Limits(&c, x.most)
		if len(got) != x.n || domain.Lo != x.lo || domain.Hi != x.hi {
			t.Errorf("%+v: %v in %v", x, got, domain)
			continue
		}
		for k, v := range got {
			if k == len(got)-1 && v != x.last || math.Abs(v-x.first-float64(float64(k)*x.width)) > 1e-12 {
				t.Errorf("%+v: %v", x, got)
			}
		}
	}
}
