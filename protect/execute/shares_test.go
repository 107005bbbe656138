package execute

import (
	"math"
	"reflect"
	"testing"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// A group shows the value of its first record that may stand in all of them; where none may, one that does, drawn
// evenly; and where only the original may, that, which is counted. Nothing leaves a segment.
func TestShare(t *testing.T) {
	was := table.NumColumn("x", 1, []float64{5, 5, 5, 5, 5, 5})
	is := table.NumColumn("x", 1, []float64{1, 6, 9, 0, 9, 4})
	between := func(lo, hi float64) segment.Segment {
		return segment.Segment{Num: map[int]table.Interval{0: {Lo: lo, Hi: hi}}}
	}
	b := &boxes{
		by: map[uint64]segment.Segment{0: between(0, 6), 1: between(5, 9), 2: between(5, 7), 3: between(5, 5)},
		of: []uint64{0, 1, 0, 1, 0, 3}, domain: table.Interval{Lo: 0, Hi: 9},
	}
	seen := map[float64]int{}
	for k := range uint64(2000) {
		stream := rng.New([32]byte{byte(k), byte(k >> 8), 1}).Stream()
		draw := func(row int) rng.Block { return stream.At(uint64(row)) }
		// the first group takes the value of its second record, the next draws from 5 and 6, the last keeps 5
		got, n := share(&was, &is, [][]int{{0, 1}, {2, 3}, {4, 5}}, b, draw)
		if got.Num[0] != 6 || got.Num[1] != 6 || got.Num[2] != got.Num[3] || got.Num[4] != 5 || got.Num[5] != 5 {
			t.Fatalf("%v", got.Num)
		}
		if n != (told{redrawn: 2, kept: 2}) {
			t.Fatalf("%+v", n)
		}
		seen[got.Num[2]]++
	}
	if len(seen) != 2 || seen[5] < 850 || seen[5] > 1150 {
		t.Errorf("drawn from 5 and 6: %v", seen)
	}
	if is.Num[0] != 1 {
		t.Error("the column that is shared from was written")
	}
}

// Of categories the draw is among the codes that all segments have.
func TestShareCodes(t *testing.T) {
	labels := []string{"a", "b", "c", "d"}
	was, is := table.CatColumn("x", labels, []int32{1, 1}), table.CatColumn("x", labels, []int32{0, 3})
	b := &boxes{by: map[uint64]segment.Segment{
		0: {Cat: map[int][]int32{0: {0, 1, 2}}}, 1: {Cat: map[int][]int32{0: {1, 2, 3}}},
	}, of: []uint64{0, 1}}
	seen := map[int32]bool{}
	for k := range byte(50) {
		stream := rng.New([32]byte{k, 1}).Stream()
		got, n := share(&was, &is, [][]int{{0, 1}}, b, func(row int) rng.Block { return stream.At(uint64(row)) })
		if got.Cat[0] != got.Cat[1] || n.redrawn != 2 {
			t.Fatalf("%v, %+v", got.Cat, n)
		}
		seen[got.Cat[0]] = true
	}
	if len(seen) != 2 || !seen[1] || !seen[2] {
		t.Errorf("drawn from b and c: %v", seen)
	}
}

// The records of a unit share a draw where they have one value, and none with a missing one.
func TestSharesIn(t *testing.T) {
	gone := math.NaN()
	c := table.NumColumn("x", 1, []float64{4, 4, 4, 4, 7, 4, gone, 8, 8, gone, gone, 0, math.Copysign(0, -1)})
	units := [][]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10}, {11, 12}}
	got := sharesIn(&c, units)
	if want := [][]int{{0, 1, 2}, {3, 5}, {7, 8}, {11, 12}}; !reflect.DeepEqual(got.groups, want) || !got.vary {
		t.Errorf("%v, vary %v; expected %v", got.groups, got.vary, want)
	}
	if got := sharesIn(&c, units[2:]); got.vary {
		t.Error("a missing value is one that varies")
	}
}
