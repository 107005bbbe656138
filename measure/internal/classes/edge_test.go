package classes

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func classesOf(t *testing.T, known []intruder.Known, anything bool, tables ...*table.Table) *Classes {
	t.Helper()
	c := must.Get(Of(context.Background(), known, anything, tables...))(t)
	return c
}

func numbers(t *testing.T, v ...float64) *table.Table {
	t.Helper()
	return tabletest.Of(t, table.NumColumn("a", 0, v))
}

// TestNumbers has zeros of both signs, NaN of two payloads, infinities, and numbers that differ in the last bit only.
func TestNumbers(t *testing.T) {
	odd := math.Float64frombits(math.Float64bits(math.NaN()) ^ 5)
	next := math.Nextafter(1, 2)
	v := []float64{
		0,
		math.Copysign(0, -1),
		math.NaN(),
		odd,
		math.Inf(1),
		math.Inf(-1),
		1,
		next,
		1e300,
		math.SmallestNonzeroFloat64,
		math.Inf(1),
	}
	want := []int32{0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 2}
	for _, anything := range []bool{false, true} {
		if got := classesOf(t, Exactly(0), anything, numbers(t, v...)).Of[0]; !slices.Equal(got, want) {
			t.Errorf("classes %v, expected %v", got, want)
		}
	}
}

// TestNarrow has whole numbers that are just close enough to be their own codes, just too far apart, and almost whole.
func TestNarrow(t *testing.T) {
	for _, far := range []float64{narrow - 1, narrow, narrow - 0.5} {
		c := classesOf(t, Exactly(0), false, numbers(t, -3, far-3, -3, math.NaN(), far-4, far-3))
		if want := []int32{0, 1, 0, 2, 3, 1}; !slices.Equal(c.Of[0], want) {
			t.Errorf("numbers %v apart: classes %v, expected %v", far, c.Of[0], want)
		}
	}
}

// TestBandsAreThoseOfTheIntruder compares with the intervals that the intruder's knowledge leaves open.
func TestBandsAreThoseOfTheIntruder(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.SampledFrom([]float64{-2, -1, -0.5, 0, 1, 2, 3, 3.5, 9}), 2, 2).Draw(t, "values")
		known := intruder.Known{Bands: []float64{-1, 0, 3}}
		tab := tabletest.Of(t, table.NumColumn("a", 0, v))
		c := must.Get(Of(context.Background(), []intruder.Known{known}, false, tab))(t)
		if one := c.Len() == 1; one != (known.Range(v[0]) == known.Range(v[1])) {
			t.Fatalf("%v in one class: %v", v, one)
		}
	})
}

// TestWithin has bands of width 2w that begin at the multiples of 2w, below 0 too.
func TestWithin(t *testing.T) {
	c := classesOf(t, []intruder.Known{{Within: 2.5}}, false, numbers(t, -5, -0.1, 0, 4.9, 5, 9.9, 10, 1e18))
	if want := []int32{0, 0, 1, 1, 2, 2, 3, 4}; !slices.Equal(c.Of[0], want) {
		t.Errorf("classes %v, expected %v", c.Of[0], want)
	}
}

// TestNothing has no table, no record, and nothing known.
func TestNothing(t *testing.T) {
	if c := classesOf(t, nil, false); c.Len() != 0 {
		t.Errorf("%d classes of no table", c.Len())
	}
	for _, anything := range []bool{false, true} {
		none := classesOf(t, Exactly(0), anything, numbers(t))
		visited := 0
		must.NoError(t, none.Each(context.Background(),
			func() func(int32, []int32) { return func(int32, []int32) { visited++ } }))
		if none.Len() != 0 || visited != 0 {
			t.Errorf("%d classes of no record, %d visited", none.Len(), visited)
		}
		one := classesOf(t, nil, anything, numbers(t, 1, 2, math.NaN()), numbers(t), numbers(t, 1))
		if one.Len() != 1 || one.Sizes[0][0] != 3 || one.Sizes[1][0] != 0 || one.Sizes[2][0] != 1 {
			t.Errorf("nothing known: sizes %v", one.Sizes)
		}
	}
}

// TestSuppressedColumn lacks all values: it tells no records apart, whatever missing means.
func TestSuppressedColumn(t *testing.T) {
	nan := math.NaN()
	tab := tabletest.Of(t, table.NumColumn("a", 1, []float64{nan, nan, nan}), table.NumColumn("b", 1, []float64{1, 2, 1}))
	for _, anything := range []bool{false, true} {
		candidates, err := classesOf(t, Exactly(0, 1), anything, tab).Candidates(context.Background())
		if err != nil || !slices.Equal(candidates[0], []int32{2, 1}) {
			t.Errorf("candidates %v, error %v; expected 2 and 1", candidates, err)
		}
	}
}

// TestTallyOfTheSecondTable counts in a table that is not the first.
func TestTallyOfTheSecondTable(t *testing.T) {
	second := numbers(t, 8, 9, 9, math.NaN())
	c := classesOf(t, Exactly(0), false, numbers(t, 9, 7), second)
	tally, err := c.Tally(context.Background(), 1, second, 0)
	must.NoError(t, err)
	got := make([]string, c.Len())
	err = tally.Each(context.Background(), func() func(int32, []Run) {
		return func(class int32, runs []Run) { got[class] = fmt.Sprint(runs) }
	})
	if want := []string{"[{1 2}]", "[]", "[{0 1}]", "[]"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("runs %v, error %v; expected %v", got, err, want)
	}
}

// TestStops ends the context during a visit: the visits end soon, with its error.
func TestStops(t *testing.T) {
	for _, lack := range []int{0, 5} {
		c := classesOf(t, Exactly(0, 1, 2, 3), true, people(t, 50_000, lack))
		ctx, cancel := context.WithCancel(context.Background())
		err := c.Each(ctx, func() func(int32, []int32) { return func(int32, []int32) { cancel() } })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("one value in %d missing: error %v", lack, err)
		}
		cancel()
	}
}

// TestGather compares the lists with those of appending.
func TestGather(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		const positions = 5
		want := make([][]int32, positions)
		var found [][]match
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			var part []match
			for _, p := range rapid.SliceOfN(rapid.Int32Range(0, positions-1), 0, 8).Draw(t, "positions") {
				m := match{p, int32(len(part) + 10*len(found))}
				part = append(part, m)
				want[p] = append(want[p], m.class)
			}
			found = append(found, part)
		}
		l := gather(found, positions)
		for p := range int32(positions) {
			if !slices.Equal(l.of(p), want[p]) {
				t.Fatalf("position %d: %v, expected %v", p, l.of(p), want[p])
			}
		}
	})
}
