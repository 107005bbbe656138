package rulehiding

import (
	"errors"
	"testing"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
)

// TestChanges counts cells that differ, not what was done to them: what comes back as it was is no change.
func TestChanges(t *testing.T) {
	for _, x := range []struct {
		name string
		do   func(d *Data)
		want int
	}{
		{"added", func(d *Data) { d.add(0, 2) }, 1},
		{"added, then deleted", func(d *Data) { d.add(0, 2); d.delete(0, 2) }, 0},
		{"deleted, then added", func(d *Data) { d.delete(0, 0); d.add(0, 0) }, 0},
		{"deleted, then unknown", func(d *Data) { d.delete(0, 0); d.blur(0, 0) }, 1},
		{"added, then unknown", func(d *Data) { d.add(0, 2); d.blur(0, 2) }, 1},
		{"deleted twice", func(d *Data) { d.delete(0, 0); d.delete(0, 0) }, 1},
		{"unknown twice", func(d *Data) { d.blur(0, 2); d.blur(0, 2) }, 1},
	} {
		d := NewData(&itemset.Transactions{Items: []int32{0, 1, 1}, Start: []int{0, 2, 3}, Labels: 3})
		if x.do(d); d.Changes != x.want {
			t.Errorf("%s: %d changes, want %d", x.name, d.Changes, x.want)
		}
	}
}

// TestFree: a value takes the place of another of its column once; one that is there already is in nobody's way.
func TestFree(t *testing.T) {
	d := NewData(&itemset.Transactions{Items: []int32{0, 0}, Start: []int{0, 1, 2}, Labels: 3})
	d.Single([]int32{5, 5, -1})
	d.add(0, 1)
	for _, x := range []struct {
		row  int32
		item int32
		want bool
	}{{0, 0, false}, {0, 1, true}, {0, 2, true}, {1, 1, true}} {
		if got := d.free(x.row, []int32{x.item}); got != x.want {
			t.Errorf("item %d may go into transaction %d: %v", x.item, x.row, got)
		}
	}
}

// TestTooMany: where the sets that a deletion may lose have no room there is an error that says what to do, and not a
// table that never comes.
func TestTooMany(t *testing.T) {
	rows := &itemset.Transactions{Start: []int{0}, Labels: 6}
	for range 4 {
		rows.Items = append(rows.Items, 0, 1, 2, 3, 4, 5)
		rows.Start = append(rows.Start, len(rows.Items))
	}
	list := []basket.Pattern{{If: []int32{0}, Then: []int32{1}}}
	// Of the 63 sets 16 have both items, 32 of the others one of them, and 15 none.
	for _, x := range []struct {
		held, visited int
		fails         bool
	}{{32, 63, false}, {31, 63, true}, {32, 62, true}} {
		before := most
		most = room{x.held, x.visited}
		if _, err := Rules(t.Context(), NewData(rows), list, Limits{Support: Share{1, 2}, Confidence: Share{1, 2}, Least: 2},
			LowerEnd, false); x.fails != errors.As(err, new(*TooMany)) {
			t.Errorf("room %d, %d: %v", x.held, x.visited, err)
		}
		most = before
	}
}
