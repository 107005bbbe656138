package tree

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// A walker takes every record to the leaf that Route takes it to, wherever the attributes stand.
func TestWalker(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tr := drawTree(t)
		tab := drawTable(t, tr.Attrs)
		leaf := make([]int32, tab.Rows())
		tr.Route(tab, leaf)
		places := make([]int, tab.Width())
		for j := range places {
			places[j] = j
		}
		order := rapid.Permutation(places).Draw(t, "order")
		columns := make([]int, len(order))
		for j := range columns {
			columns[j] = slices.Index(order, j)
		}
		w, moved := tr.Walker(columns), tab.Select(order...)
		for i, want := range leaf {
			if got := w.Leaf(moved, i); got != want {
				t.Fatalf("record %d is in leaf %d, expected %d", i, got, want)
			}
		}
	})
}
