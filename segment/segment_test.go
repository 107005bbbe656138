package segment_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func people(t testing.TB) *table.Table {
	nan := math.NaN()
	return tabletest.Of(t,
		table.NumColumn("age", 1, []float64{20, 30, 40, nan, 60}),
		table.CatColumn("sex", []string{"f", "m"}, []int32{0, 1, 0, 1, -1}),
		table.CatColumn("town", []string{"Ulm", "Kiel", "Bonn"}, []int32{0, 0, 2, 1, 1}))
}

func TestOutside(t *testing.T) {
	tab := people(t)
	s := segment.Segment{Num: map[int]table.Interval{0: {Lo: 20, OpenLo: true, Hi: 40}}, Cat: map[int][]int32{2: {0, 2}}}
	for j, want := range [][]bool{{true, false, false, false, true}, {false, false, false, false, false},
		{false, false, false, true, true}} {
		for i, out := range want {
			if s.Outside(tab, i, j) != out {
				t.Errorf("row %d, column %d: outside is %v", i, j, !out)
			}
		}
	}
	if !s.Influential(0) || s.Influential(1) || !s.Influential(2) {
		t.Error("the columns that are constrained are 0 and 2")
	}
}

// Keys tell the combinations of values apart, a missing one from all others, and a segment holds exactly the records
// with its key.
func TestByValues(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "rows")
		codes := rapid.SliceOfN(rapid.Int32Range(-1, 2), n, n)
		a, b := codes.Draw(t, "a"), codes.Draw(t, "b")
		tab, err := table.New(table.CatColumn("a", []string{"x", "y", "z"}, a), table.NumColumn("n", 0, make([]float64, n)),
			table.CatColumn("b", []string{"x", "y", "z"}, b))
		must.NoError(t, err)
		v := &segment.ByValues{Schema: tab.Attrs(), Columns: []int{0, 2}}
		must.NoError(t, v.Check())
		keys := make([]uint64, n)
		must.NoError(t, v.Route(tab, keys))
		count, _ := v.Count()
		for i := range n {
			s := v.Segment(keys[i])
			for k := range n {
				if (keys[i] == keys[k]) != (a[i] == a[k] && b[i] == b[k]) {
					t.Fatalf("rows %d and %d have keys %d and %d", i, k, keys[i], keys[k])
				}
				in := !s.Outside(tab, k, 0) && !s.Outside(tab, k, 2)
				fits := func(own, other int32) bool { return own < 0 || other < 0 || own == other }
				if in != (fits(a[i], a[k]) && fits(b[i], b[k])) {
					t.Fatalf("row %d is in the segment of row %d: %v", k, i, in)
				}
			}
			if keys[i] >= count {
				t.Fatalf("key %d of %d", keys[i], count)
			}
		}
	})
}

func TestByValuesRefuses(t *testing.T) {
	schema := people(t).Attrs()
	for _, j := range []int{-1, 0, 3} {
		if (&segment.ByValues{Schema: schema, Columns: []int{j}}).Check() == nil {
			t.Errorf("column %d makes segments", j)
		}
	}
	wide := slices.Repeat([]table.Attribute{{Name: "c", Kind: table.Categorical, Labels: make([]string, 1<<16)}}, 4)
	v := &segment.ByValues{Schema: wide, Columns: []int{0, 1, 2, 3}}
	if err := v.Check(); err == nil || !strings.Contains(err.Error(), "fewer columns") {
		t.Errorf("2^64 combinations: %v", err)
	}
}

// A segment is what the groups of a record have in common: the range of its group in every column, open where the group
// knows no value or the record is in none. Records are found again by their identities, in any order.
func TestGroups(t *testing.T) {
	tab := people(t)
	g := segment.ByGroups(tab, []segment.Group{
		{Column: 0, Of: []int32{0, 0, 1, 2, 1}},
		{Column: 2, Of: []int32{0, 1, 1, 1, -1}},
	})
	if n, err := g.Count(); n != 5 || err != nil {
		t.Errorf("%d segments, %v", n, err)
	}
	back := tab.Gather([]int{4, 3, 2, 1, 0})
	keys, reversed := make([]uint64, 5), make([]uint64, 5)
	must.NoError(t, g.Route(tab, keys))
	must.NoError(t, g.Route(back, reversed))
	slices.Reverse(reversed)
	if !slices.Equal(keys, reversed) {
		t.Errorf("keys %v, in another order %v", keys, reversed)
	}
	for i, want := range []struct {
		age   table.Interval
		known bool
		towns []int32
	}{{table.Interval{Lo: 20, Hi: 30}, true, []int32{0}}, {table.Interval{Lo: 20, Hi: 30}, true, []int32{0, 1, 2}},
		{table.Interval{Lo: 40, Hi: 60}, true, []int32{0, 1, 2}}, {table.Interval{}, false, []int32{0, 1, 2}},
		{table.Interval{Lo: 40, Hi: 60}, true, nil}} {
		s := g.Segment(keys[i])
		age, known := s.Num[0]
		if age != want.age || known != want.known || !slices.Equal(s.Cat[2], want.towns) {
			t.Errorf("row %d: %+v", i, s)
		}
	}
	if err := g.Route(tabletest.Of(t, tab.Columns()...).Gather([]int{0, 1, 2, 3, 4}), keys); err != nil {
		t.Errorf("records of the same identities: %v", err)
	}
	more := slices.Repeat([]int{0}, 6)
	wider := tabletest.Of(t, tab.Gather(more).Columns()...)
	if err := g.Route(wider, make([]uint64, 6)); err == nil {
		t.Error("a record that was not grouped is routed")
	}
}

// Ranges that are given win over those of the members.
func TestGivenRanges(t *testing.T) {
	tab := people(t)
	wide := segment.Segment{Num: map[int]table.Interval{0: {Lo: 0, Hi: 99}}}
	g := segment.ByGroups(tab, []segment.Group{{Column: 0, Of: []int32{0, 0, 0, 0, 0}, Ranges: []segment.Segment{wide}}})
	if s := g.Segment(0); s.Num[0] != wide.Num[0] {
		t.Errorf("%+v", s)
	}
}
