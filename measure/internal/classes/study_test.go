package classes

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
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
	r := (&measure.Release{Original: tab, Released: tab, Paired: true}).Working()
	take := func(i *intruder.Intruder, missing string) *Study {
		o := param.Default(&Options{})
		must.NoError(t, o.Params().Apply(map[string]string{"missing": missing}))
		s := must.Get(o.Released(context.Background(), r.Against(i)))(t)
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

// TestMoved counts records with other values, and values where there was none, but not suppressed ones, nor values that
// stand for several or are their mean.
func TestMoved(t *testing.T) {
	nan := math.NaN()
	original := abc(t, []float64{1, 2, 3, nan}, []int32{0, 0, 0, -1})
	view := &intruder.View{Known: Exactly(0, 1)}
	for name, c := range map[string]struct {
		a    []float64
		b    []int32
		want int
	}{
		"as it is":         {[]float64{1, 2, 3, nan}, []int32{0, 0, 0, -1}, 0},
		"suppressed":       {[]float64{nan, 2, nan, nan}, []int32{-1, -1, 0, -1}, 0},
		"moved":            {[]float64{1, 5, 3, nan}, []int32{0, 1, 1, -1}, 2},
		"made up":          {[]float64{1, 2, 3, 4}, []int32{0, 0, 0, 0}, 1},
		"exchanged":        {[]float64{2, 1, 3, nan}, []int32{0, 0, 0, -1}, 2},
		"cut off":          {[]float64{1, 2, 2, nan}, []int32{0, 0, 0, -1}, 0},
		"other names":      {[]float64{1, 2, 3, nan}, []int32{1, 1, 1, -1}, 3},
		"means of a group": {[]float64{2, 2, 2, nan}, []int32{0, 0, 0, -1}, 0},
	} {
		r := &measure.Release{Original: original, Released: abc(t, c.a, c.b), Paired: true}
		got := 0
		moved, drawn := Moved(r, view)
		for _, m := range moved {
			if m {
				got++
			}
		}
		if got != c.want || drawn != "" {
			t.Errorf("%s: %d records have moved values, expected %d; drawn %q", name, got, c.want, drawn)
		}
		if _, err := Applies(r, view); errors.Is(err, measure.ErrNotApplicable) != (c.want > 0) {
			t.Errorf("%s: %v", name, err)
		}
		r.Paired = false
		if moved, _ := Moved(r, view); moved != nil {
			t.Errorf("%s: unpaired records are moved", name)
		}
	}
	if !means([]float64{1, 3, 1, 3}, []float64{2, 2, 2, 2}, 1) ||
		means([]float64{1, 3, 3, 1, 9}, []float64{2, 2, 4, 4, 9}, 1) {
		t.Error("means are not told from noise")
	}
	few := make([]float64, 40)
	one := slices.Clone(few)
	one[0] = 1
	zero := &measure.Release{
		Original: tabletest.Of(t, table.NumColumn("a", 1, few)),
		Released: tabletest.Of(t, table.NumColumn("a", 1, one)),
		Paired:   true,
	}
	if n, err := Applies(zero, &intruder.View{Known: Exactly(0)}); n != 1 || err != nil {
		t.Errorf("one record in 40: %d moved, %v", n, err)
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
