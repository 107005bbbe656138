package tree

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// Joining one leaf leaves the partition of all other records as it was, and sends its own where its heaviest brother's
// go.
func TestJoinOne(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tr := drawTree(t)
		if len(tr.Nodes) == 1 {
			return
		}
		tab := drawTable(t, tr.Attrs)
		tr.Recount(tab)
		leaf := smallest(tr.Nodes, 1e9)
		out := *tr
		out.Nodes = joined(tr.Nodes, leaf)
		text := must.Get(json.Marshal(&out))(t)
		if err := json.Unmarshal(text, new(Tree)); err != nil {
			t.Fatalf("the joined tree is none: %v", err)
		}
		if a, b := len(tr.Leaves()), len(out.Leaves()); b != a-1 && !(b == a && len(out.Nodes) < len(tr.Nodes)) {
			t.Fatalf("%d leaves before, %d after", a, b)
		}
		before, after := make([]int32, tab.Rows()), make([]int32, tab.Rows())
		tr.Route(tab, before)
		out.Route(tab, after)
		to, from := map[int32]int32{}, map[int32]int32{}
		for i, l := range before {
			if tr.Leaves()[l] == leaf {
				continue
			}
			if k, ok := to[l]; ok && k != after[i] {
				t.Fatalf("leaf %d is divided", l)
			}
			if k, ok := from[after[i]]; ok && k != l {
				t.Fatalf("leaves %d and %d are joined, neither of which is too small", k, l)
			}
			to[l], from[after[i]] = after[i], l
		}
	})
}

// No leaf but a root is smaller than asked, and no record is lost.
func TestJoin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tr := drawTree(t)
		tab := drawTable(t, tr.Attrs)
		tr.Recount(tab)
		least := float64(rapid.IntRange(0, 12).Draw(t, "least"))
		nodes := len(tr.Nodes)
		out := tr.Join(least)
		sum := 0.0
		for _, i := range out.Leaves() {
			if w := out.Nodes[i].Weight(); w < least && len(out.Nodes) > 1 {
				t.Fatalf("a leaf of %v records, expected %v", w, least)
			}
			sum += out.Nodes[i].Weight()
		}
		if sum != tr.Nodes[0].Weight() || len(tr.Nodes) != nodes {
			t.Fatalf("%v records in the leaves of %v; %d nodes became %d", sum, tr.Nodes[0].Weight(), nodes, len(tr.Nodes))
		}
	})
}
