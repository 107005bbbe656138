package tree

import (
	"github.com/dither-data/dither/table"
)

// recounted is how many records are routed at a time.
const recounted = 1 << 16

// Recount replaces the counts of all nodes by those of the records of tab, each routed to one leaf. Labels stay.
// Records whose class is missing do not count. The table must conform to t.Attrs.
func (t *Tree) Recount(tab *table.Table) {
	classes := len(t.ClassLabels())
	for i := range t.Nodes {
		t.Nodes[i].Counts = make([]float64, classes)
	}
	leaves := t.Leaves()
	leafOf := make([]int32, min(recounted, tab.Rows()))
	for lo := 0; lo < tab.Rows(); lo += recounted {
		some := tab.Slice(lo, min(lo+recounted, tab.Rows()))
		of := leafOf[:some.Rows()]
		t.Route(some, of)
		class := some.Cat(t.Class)
		for r, l := range of {
			if class[r] >= 0 {
				t.Nodes[leaves[l]].Counts[class[r]]++
			}
		}
	}
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		for _, k := range t.Nodes[i].Kids {
			for c, v := range t.Nodes[k].Counts {
				t.Nodes[i].Counts[c] += v
			}
		}
	}
}
