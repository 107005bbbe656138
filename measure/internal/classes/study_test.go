package classes

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func abc(t *testing.T, a []float64, b []int32) *table.Table {
	t.Helper()
	return tabletest.Of(t, table.NumColumn("a", 1, a), table.CatColumn("b", []string{"x", "y"}, b))
}

func knows(columns ...string) *intruder.Intruder {
	return &intruder.Intruder{Name: "x", Knows: columns, Secret: []string{}}
}

// TestShared has two measures of one release, two intruders, and two conventions.
func TestShared(t *testing.T) {
	tab := abc(t, []float64{1, 1, math.NaN()}, []int32{0, 1, 0})
	r := &measure.Release{Original: tab, Released: tab, Paired: true}
	take := func(i *intruder.Intruder, missing string) *Study {
		o := param.Default(&Options{})
		if err := o.Params().Apply(map[string]string{"missing": missing}); err != nil {
			t.Fatal(err)
		}
		s, err := o.Released(context.Background(), r.Against(i))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first, again := take(knows("a"), "value"), take(knows("a"), "value")
	if first.Classes != again.Classes {
		t.Error("the classes of one intruder are formed twice")
	}
	for _, c := range []struct {
		knows      *intruder.Intruder
		missing    string
		candidates []int32
	}{
		{knows("a"), "value", []int32{2, 1}}, {knows("a"), "any", []int32{3, 3}},
		{knows("a", "b"), "value", []int32{1, 1, 1}}, {knows("a", "b"), "any", []int32{2, 1, 2}},
		{&intruder.Intruder{Name: "x", Knows: []string{"a"}, Within: map[string]float64{"a": 1}}, "value", []int32{2, 1}},
	} {
		if s := take(c.knows, c.missing); !slices.Equal(s.Candidates, c.candidates) {
			t.Errorf("missing=%s, knows %v: candidates %v, expected %v", c.missing, c.knows.Knows, s.Candidates, c.candidates)
		}
	}
}

// TestNotes counts perturbed records: other values, and values where there was none, but not suppressed ones.
func TestNotes(t *testing.T) {
	nan := math.NaN()
	original := abc(t, []float64{1, 2, 3, nan}, []int32{0, 0, 0, -1})
	view := &intruder.View{Known: Exactly(0, 1)}
	for name, c := range map[string]struct {
		a    []float64
		b    []int32
		want int
	}{
		"as it is":           {[]float64{1, 2, 3, nan}, []int32{0, 0, 0, -1}, 0},
		"suppressed":         {[]float64{nan, 2, nan, nan}, []int32{-1, -1, 0, -1}, 0},
		"perturbed":          {[]float64{1, 5, 3, nan}, []int32{0, 1, 1, -1}, 2},
		"made up":            {[]float64{1, 2, 3, 4}, []int32{0, 0, 0, 0}, 1},
		"only what is known": {[]float64{9, 9, 9, 9}, []int32{0, 0, 0, 1}, 4},
	} {
		r := &measure.Release{Original: original, Released: abc(t, c.a, c.b), Paired: true}
		if got := perturbed(r, view); got != c.want {
			t.Errorf("%s: %d records are perturbed, expected %d", name, got, c.want)
		}
		if n := len(notes(r, view, perturbed(r, view))); (n > 0) != (c.want > 0) {
			t.Errorf("%s: %d notes", name, n)
		}
		r.Paired = false
		if got := perturbed(r, view); got != 0 {
			t.Errorf("%s: %d unpaired records are perturbed", name, got)
		}
	}
}

func TestReleasedFails(t *testing.T) {
	tab := abc(t, []float64{1, 2}, []int32{0, 1})
	o := param.Default(&Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := &measure.Release{Original: tab, Released: tab}
	if _, err := o.Released(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context the error is %v", err)
	}
	s, err := o.Released(context.Background(), r)
	if err != nil {
		t.Fatalf("the end of a context is remembered: %v", err)
	}
	if got := s.ByRecord(func(int32) float64 { return 1 }); len(got) != 2 || !math.IsNaN(got[0]) {
		t.Errorf("unpaired records have the figures %v", got)
	}
	for name, r := range map[string]*measure.Release{
		"no records":   {Original: tab, Released: tab.Slice(0, 0)},
		"no such name": {Original: tab, Released: tab, Intruder: knows("c")},
		"no table":     {Original: tab},
	} {
		if _, err := o.Released(context.Background(), r); err == nil {
			t.Errorf("%s: there are classes", name)
		}
	}
}
