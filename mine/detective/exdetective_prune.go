package detective

import (
	"math"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/segment/tree"
)

// prune returns a tree with the fraction weight of t's tests, rounded up. Counts of t's nodes are those of their leaves
// added up. Cost: O(tests x (classes + tests that only have leaves below)).
func prune(t *tree.Tree, weight float64) *tree.Tree {
	n := len(t.Nodes)
	p := pruner{Tree: t, parent: make([]int32, n), open: make([]int, n), loss: make([]int64, n), cut: make([]bool, n)}
	tests := 0
	for i := range t.Nodes {
		if !t.Nodes[i].Leaf() {
			tests++
			p.weigh(int32(i))
		}
	}
	for range tests - int(math.Ceil(float64(weight*float64(tests))-1e-9)) {
		p.step()
	}
	out := &tree.Tree{Attrs: t.Attrs, Class: t.Class}
	p.copy(out, 0)
	return out
}

// pruner prunes step by step. Everything is by position in Nodes.
type pruner struct {
	*tree.Tree
	parent []int32
	open   []int // how many kids have tests still
	// of a test: the information about the class that it gives, times its records, in the unit of criterion.Term
	loss  []int64
	cut   []bool  // a test that has become a leaf
	ready []int32 // tests that have only leaves below, and are not cut
}

// weigh prepares the test at i.
func (p *pruner) weigh(i int32) {
	n := &p.Nodes[i]
	p.loss[i] = criterion.Spread(n.Counts)
	for _, k := range n.Kids {
		p.parent[k] = i
		p.loss[i] -= criterion.Spread(p.Nodes[k].Counts)
		if !p.Nodes[k].Leaf() {
			p.open[i]++
		}
	}
	if p.open[i] == 0 {
		p.ready = append(p.ready, i)
	}
}

// step joins the leaves of the test that gives least.
func (p *pruner) step() {
	best := 0
	for k, i := range p.ready {
		if b := p.ready[best]; p.loss[i] < p.loss[b] || p.loss[i] == p.loss[b] && i > b {
			best = k
		}
	}
	i := p.ready[best]
	p.cut[i] = true
	p.ready[best] = p.ready[len(p.ready)-1]
	p.ready = p.ready[:len(p.ready)-1]
	if i == 0 {
		return
	}
	up := p.parent[i]
	if p.open[up]--; p.open[up] == 0 {
		p.ready = append(p.ready, up)
	}
}

// copy adds the subtree at i to another tree, depth first, and returns its position there.
func (p *pruner) copy(to *tree.Tree, i int32) int32 {
	at := int32(len(to.Nodes))
	n := p.Nodes[i]
	if p.cut[i] {
		n = tree.Node{Attr: -1, Counts: n.Counts, Label: n.Label}
	}
	to.Nodes = append(to.Nodes, n)
	if n.Leaf() {
		return at
	}
	kids := make([]int32, len(n.Kids))
	for k, kid := range n.Kids {
		kids[k] = p.copy(to, kid)
	}
	to.Nodes[at].Kids = kids
	return at
}
