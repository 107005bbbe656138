package tree

import "github.com/dither-data/dither/table"

// counted is how many records are routed at a time.
const counted = 1 << 16

// Recount replaces the counts of all nodes by those of the records of tab, each routed to one leaf. Labels stay.
// Records whose class is missing do not count. The table must conform to t.Attrs.
func (t *Tree) Recount(tab *table.Table) {
	counts := t.NoCounts()
	t.Count(tab, counts)
	t.SetCounts(counts)
}

// NoCounts returns counts of no records, by leaf and class.
func (t *Tree) NoCounts() [][]int {
	counts := make([][]int, len(t.Leaves()))
	for l := range counts {
		counts[l] = make([]int, len(t.ClassLabels()))
	}
	return counts
}

// Count adds the records of tab to counts by leaf and class; those whose class is missing do not count. The table must
// conform to t.Attrs.
func (t *Tree) Count(tab *table.Table, counts [][]int) {
	leaf := make([]int32, min(counted, tab.Rows()))
	for lo := 0; lo < tab.Rows(); lo += counted {
		some := tab.Slice(lo, min(lo+counted, tab.Rows()))
		t.Route(some, leaf[:some.Rows()])
		for i, c := range some.Cat(t.Class) {
			if c >= 0 {
				counts[leaf[i]][c]++
			}
		}
	}
}

// SetCounts replaces the counts of all nodes by those of the leaves, by class. Labels stay.
func (t *Tree) SetCounts(counts [][]int) {
	classes := len(t.ClassLabels())
	for i := range t.Nodes {
		t.Nodes[i].Counts = make([]float64, classes)
	}
	for l, n := range t.Leaves() {
		for c, k := range counts[l] {
			t.Nodes[n].Counts[c] = float64(k)
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
