package redraw_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/dither-data/dither/protect/internal/redraw"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestRedraw compares with one look-up per record, for consecutive and scattered identities and lengths around the
// batch.
func TestRedraw(t *testing.T) {
	s := rng.New([32]byte{1}).Stream()
	for _, rows := range []int{0, 1, 4095, 4096, 4097, 9000} {
		codes := make([]int32, rows)
		for i := range codes {
			codes[i] = int32(i%3) - 1
		}
		tab := tabletest.Of(t, table.CatColumn("c", []string{"a", "b"}, codes))
		back := make([]int, rows)
		for i := range back {
			back[i] = rows - 1 - i
		}
		for _, tab := range []*table.Table{tab, tab.Slice(rows/2, rows), tab.Gather(back)} {
			seen := make([]string, tab.Rows())
			out := redraw.Codes(tab, 0, s, func(i int, old int32, b rng.Block) int32 {
				seen[i] = fmt.Sprint(old, b)
				return 1 - old
			})
			for i, old := range tab.Cat(0) {
				want, wantSeen := int32(-1), ""
				if old >= 0 {
					want, wantSeen = 1-old, fmt.Sprint(old, s.At(uint64(tab.ID(i))))
				}
				if out[i] != want || seen[i] != wantSeen {
					t.Fatalf("%d rows, row %d: %d drawn from %q, expected %d from %q", rows, i, out[i], seen[i], want, wantSeen)
				}
			}
		}
	}
}

// TestAnother walks through the words evenly: of 1,000 x 40 pairs a share p changes, and every other value is reached
// as often.
func TestAnother(t *testing.T) {
	const n, p = 5, 0.25
	for old := range int32(n) {
		count := make([]int, n)
		for a := range uint64(1000) {
			for b := range uint64(40) {
				word := func(k, of uint64) uint64 { return k * (1<<63/of + 1) * 2 }
				count[redraw.Another(old, n, p, rng.Block{A: word(a, 1000), B: word(b, 40)})]++
			}
		}
		want := []int{2500, 2500, 2500, 2500, 2500}
		want[old] = 30_000
		if !slices.Equal(count, want) {
			t.Errorf("from %d: %v, expected %v", old, count, want)
		}
	}
	if v := redraw.Another(0, 1, 1, rng.Block{}); v != 0 {
		t.Errorf("the only value becomes %d", v)
	}
}
