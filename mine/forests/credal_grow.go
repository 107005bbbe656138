package forests

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/segment/tree"
)

// scratch is the working memory of a goroutine: counts by value and class, all zero between uses.
type scratch struct {
	*data
	counts  [][]float64 // by code: class counts
	records []float64   // by code: records
	found   []int32     // codes that occur
	end     []int32     // by code: where the next record of a code goes; not zeroed
}

func newScratch(d *data) *scratch {
	size := 0
	for k := range d.attrs {
		size = max(size, d.attrs[k].size)
	}
	s := &scratch{data: d, counts: make([][]float64, size), records: make([]float64, size), end: make([]int32, size)}
	flat := make([]float64, size*d.classes)
	for c := range s.counts {
		s.counts[c] = flat[c*d.classes : (c+1)*d.classes]
	}
	return s
}

// gain returns the imprecise information gain of an attribute for records with the given class counts: the fall of
// the upper entropy (Abellan & Moral 2003). It can be negative. It is rounded to a multiple of 2^-40, so that gains do
// not differ by the order of their sums. Cost: O(records x classes).
func (s *scratch) gain(a *attr, rows []int32, counts []float64) float64 {
	s.found = s.found[:0]
	for _, i := range rows {
		c := a.codes[i]
		if s.records[c] == 0 {
			s.found = append(s.found, c)
		}
		s.records[c]++
		s.counts[c][s.class[i]]++
	}
	after := 0.0
	for _, c := range s.found {
		after += float64(s.records[c] * criterion.UpperEntropy(s.counts[c], s.s))
		s.records[c] = 0
		clear(s.counts[c])
	}
	gain := criterion.UpperEntropy(counts, s.s) - after/float64(len(rows))
	return math.Round(gain*(1<<40)) / (1 << 40)
}

// grower grows a tree.
type grower struct {
	*scratch
	nodes []tree.Node
}

// grow returns the nodes of the tree that tests the given attribute first; -1 makes a leaf.
func (d *data) grow(root int) []tree.Node {
	g := grower{scratch: newScratch(d)}
	live := make([]int, len(d.attrs))
	for k := range live {
		live[k] = k
	}
	if root < 0 {
		live = nil
	}
	g.subtree(d.rows, live, root)
	return g.nodes
}

// leaf appends a leaf and returns its position.
func (g *grower) leaf(counts []float64, label int32) int32 {
	g.nodes = append(g.nodes, tree.Node{Attr: -1, Counts: counts, Label: label})
	return int32(len(g.nodes) - 1)
}

// subtree grows the subtree of some records and returns its position. It tests the attribute first, or the best one
// when first is negative; live are the attributes that were not tested above.
func (g *grower) subtree(rows []int32, live []int, first int) int32 {
	counts := g.count(rows)
	at := g.leaf(counts, majority(counts))
	if g.ctx.Err() != nil {
		return at
	}
	if first < 0 {
		first = g.best(rows, live, counts)
	}
	if first < 0 {
		return at
	}
	live = slices.DeleteFunc(slices.Clone(live), func(k int) bool { return k == first })
	if a := &g.attrs[first]; a.labels != nil {
		g.fan(at, a, g.divide(a, rows), live)
	} else {
		g.nest(at, a, runs(g.divide(a, rows), a.size), live)
	}
	return at
}

// best returns the attribute of the largest gain, the first of equal ones; -1 when none is positive.
func (g *grower) best(rows []int32, live []int, counts []float64) int {
	best, most := -1, 0.0
	for _, k := range live {
		if gain := g.gain(&g.attrs[k], rows, counts); gain > most {
			best, most = k, gain
		}
	}
	return best
}

// group is the records of the codes from first on, up to those of the next group; nil where there are none.
type group struct {
	first int32
	rows  []int32
}

// divide groups records by their codes, ascending.
func (g *grower) divide(a *attr, rows []int32) []group {
	g.found = g.found[:0]
	for _, i := range rows {
		c := a.codes[i]
		if g.records[c] == 0 {
			g.found = append(g.found, c)
		}
		g.records[c]++
	}
	slices.Sort(g.found)
	sorted := make([]int32, len(rows))
	out := make([]group, len(g.found))
	at := int32(0)
	for k, c := range g.found {
		n := int32(g.records[c])
		out[k] = group{c, sorted[at : at+n : at+n]}
		g.end[c], g.records[c] = at, 0
		at += n
	}
	for _, i := range rows {
		c := a.codes[i]
		sorted[g.end[c]] = i
		g.end[c]++
	}
	return out
}

// runs puts an empty group wherever codes have no records.
func runs(groups []group, size int) []group {
	var out []group
	next := int32(0)
	for _, r := range groups {
		if r.first > next {
			out = append(out, group{first: next})
		}
		out = append(out, r)
		next = r.first + 1
	}
	if int(next) < size {
		out = append(out, group{first: next})
	}
	return out
}

// nest makes node at the uppermost of the tests that divide two or more groups of intervals by their cuts.
func (g *grower) nest(at int32, a *attr, groups []group, live []int) {
	label := g.nodes[at].Label
	kid := func(part []group) int32 {
		switch {
		case len(part) > 1:
			to := g.leaf(make([]float64, g.classes), label)
			g.nest(to, a, part, live)
			return to
		case part[0].rows == nil:
			return g.leaf(make([]float64, g.classes), label)
		}
		return g.subtree(part[0].rows, live, -1)
	}
	half := len(groups) / 2
	low := kid(groups[:half])
	high := kid(groups[half:])
	n := &g.nodes[at]
	n.Attr, n.Cut, n.Kids = a.column, a.cuts[groups[half].first-1], []int32{low, high}
	g.close(at)
}

// fan makes node at a test with a branch for every category that records have, and one for all others.
func (g *grower) fan(at int32, a *attr, groups []group, live []int) {
	branch, kids := make([]int32, a.width), make([]int32, len(groups))
	for c := range branch {
		branch[c] = int32(len(groups))
	}
	for k, r := range groups {
		branch[a.labels[r.first]] = int32(k)
		kids[k] = g.subtree(r.rows, live, -1)
	}
	if slices.Contains(branch, int32(len(groups))) {
		kids = append(kids, g.leaf(make([]float64, g.classes), g.nodes[at].Label))
	}
	n := &g.nodes[at]
	n.Attr, n.Branch, n.Kids = a.column, branch, kids
	g.close(at)
}

// close sums the counts of a test's branches and finds the heaviest.
func (g *grower) close(at int32) {
	n := &g.nodes[at]
	clear(n.Counts)
	most := -1.0
	for k, kid := range n.Kids {
		w := g.nodes[kid].Weight()
		if w > most {
			n.Heavy, most = int32(k), w
		}
		for c, x := range g.nodes[kid].Counts {
			n.Counts[c] += x
		}
	}
	n.Label = majority(n.Counts)
}

// majority returns the largest class, the first of equal ones.
func majority(counts []float64) int32 {
	best := 0
	for c := range counts {
		if counts[c] > counts[best] {
			best = c
		}
	}
	return int32(best)
}
