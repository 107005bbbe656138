package c45

import (
	"context"
	"sync"

	"github.com/dither-data/dither/internal/system/mmap"
)

// grower holds what is the same for all nodes of a tree.
type grower struct {
	*Learner
	ctx     context.Context
	places  places
	cols    []column // by slot
	classes int
	// occurring is how many of them the training records have.
	occurring float64
	rows      float64 // training records
	minLeaf   float64
	c50       bool
	manyAll   bool // every attribute is categorical with at least 0.3 rows values
	fine      *terms
	space     *mmap.Space // of what may be as long as the table
	mu        sync.Mutex
	scratch   []*scratch // that nobody has at the moment
}

// Sizes, in cases times attributes, from which work is shared out.
const (
	shareScan    = 1 << 16 // scans of one node
	shareSubtree = 1 << 14 // subtrees of one node
)

// grow grows and prunes the subtree of the given cases and returns it with the training errors it had before pruning.
// It permutes rows. Attributes that are not live are of no more use.
func (g *grower) grow(f *frame, rows []int32, live []int32) (*node, int64) {
	if len(rows) < len(f.class)/8 {
		f, rows = f.extract(g.space, cases{rows: rows}, live, g.fine), identity(g.space, len(rows))
		defer f.free(g.space, rows)
	}
	n := &spot{frame: f, rows: rows, counts: make([]int64, g.classes)}
	s := g.borrow()
	g.look(n, s)
	nd := &node{slot: -1, counts: make([]int64, g.classes), exact: true}
	for c, w := range n.counts {
		nd.counts[c] = f.terms.fine(w)
	}
	nd.label = heaviest(nd.counts, 0)
	errors := f.terms.fine(n.total - n.counts[nd.label])
	nd.est = g.pessimist(nd.counts, nd.label)
	if errors == 0 || f.terms.float(n.total) < 2*g.minLeaf || g.ctx.Err() != nil {
		g.giveBack(s)
		return nd, errors
	}
	verdicts := g.scanAll(n, s, live)
	g.giveBack(s)
	best := g.choose(verdicts, live, f.terms.float(n.total))
	if best < 0 {
		return nd, errors
	}
	slot := live[best]
	nd.slot = slot
	if col := &g.cols[slot]; col.numeric() {
		nd.low, nd.cut = col.cut(verdicts[best].low, verdicts[best].next)
	}
	below := g.divideAndGrow(nd, f, rows, useful(live, verdicts, slot, g.cols[slot].numeric()))
	if !g.NoPrune && g.noBetter(below, errors) {
		nd.cutOff()
		nd.est = g.pessimist(nd.counts, nd.label)
		return nd, errors
	}
	return nd, below
}

// look gathers the classes and weights of a node's cases and counts them.
func (g *grower) look(n *spot, s *scratch) {
	n.cls = room(s, &s.cls, len(n.rows))
	for k, r := range n.rows {
		n.cls[k] = n.class[r]
	}
	if n.weight == nil {
		for _, c := range n.cls {
			n.counts[c]++
		}
		n.total = int64(len(n.rows))
		return
	}
	n.w = room(s, &s.own, len(n.rows))
	for k, r := range n.rows {
		n.w[k] = n.weight[r]
		n.counts[n.cls[k]] += n.w[k]
		n.total += n.w[k]
	}
}

func (g *grower) borrow() *scratch {
	g.mu.Lock()
	defer g.mu.Unlock()
	last := len(g.scratch) - 1
	if last < 0 {
		return &scratch{space: g.space}
	}
	s := g.scratch[last]
	g.scratch = g.scratch[:last]
	return s
}

func (g *grower) giveBack(s *scratch) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.scratch = append(g.scratch, s)
}

// scanAll scans all live attributes, the large nodes' on several cores.
func (g *grower) scanAll(n *spot, s *scratch, live []int32) []verdict {
	v := make([]verdict, len(live))
	if len(n.rows)*len(live) < shareScan {
		for k, slot := range live {
			v[k] = g.scan(s, n, slot)
		}
		return v
	}
	g.places.each(len(live), func(k int) {
		if g.ctx.Err() == nil {
			s := g.borrow()
			v[k] = g.scan(s, n, live[k])
			g.giveBack(s)
		}
	})
	return v
}

// useful returns the attributes that tests below may use: not the constant ones, nor a categorical one that the node
// tests.
func useful(live []int32, v []verdict, slot int32, again bool) []int32 {
	var out []int32
	for k, a := range live {
		if !v[k].constant && (a != slot || again) {
			out = append(out, a)
		}
	}
	return out
}

// divideAndGrow grows the branches of a node and prunes the node. It returns the branches' training errors.
func (g *grower) divideAndGrow(nd *node, f *frame, rows []int32, live []int32) (errors int64) {
	g.sprout(nd, f, rows)
	below := make([]int64, len(nd.kids))
	d := g.branch(nd, f, rows, live, func(k int, f *frame, rows []int32) {
		nd.kids[k], below[k] = g.grow(f, rows, live)
	})
	for _, e := range below {
		errors += e
	}
	if !g.NoPrune {
		g.settle(nd, f, cases{rows: rows}, d)
	}
	d.free(g.space)
	return errors
}

// branch divides the cases of a node among its branches and calls grow for those that get any, with cases that grow
// may permute. It permutes rows.
func (g *grower) branch(nd *node, f *frame, rows, live []int32, grow func(k int, f *frame, rows []int32)) *division {
	d := g.divide(nd, f, cases{rows: rows})
	copy(rows, d.rows)
	each := func(k int) {
		kid := d.kid(g.space, f, k)
		switch lo := d.start[k]; {
		case len(kid.rows) == 0:
		case kid.own != nil:
			own, rows := f.extract(g.space, kid, live, g.fine), identity(g.space, len(kid.rows))
			mmap.Free(g.space, kid.rows)
			grow(k, own, rows)
			own.free(g.space, rows)
		default:
			grow(k, f, rows[lo:lo+len(kid.rows)])
		}
	}
	if len(rows)*len(live) < shareSubtree {
		for k := range nd.kids {
			each(k)
		}
	} else {
		g.places.each(len(nd.kids), each)
	}
	return d
}

// sprout gives the node its branches, each an empty leaf so far, with the node's label.
func (g *grower) sprout(nd *node, f *frame, rows []int32) {
	kid := func() *node {
		nd.kids = append(nd.kids, &node{slot: -1, counts: make([]int64, g.classes), label: nd.label, exact: true})
		return nd.kids[len(nd.kids)-1]
	}
	col := &g.cols[nd.slot]
	if col.numeric() {
		kid()
		kid()
		return
	}
	occurs := make([]bool, col.labels+1)
	for _, r := range rows {
		occurs[f.codes[nd.slot].at(r)] = true
	}
	nd.branch = make([]int32, col.labels)
	spare := int32(-1)
	for code := range nd.branch {
		if !occurs[code] && spare >= 0 {
			nd.branch[code] = spare
			continue
		}
		nd.branch[code] = int32(len(nd.kids))
		kid()
		if !occurs[code] && col.labels > shareEmpty {
			spare = nd.branch[code]
		}
	}
}
