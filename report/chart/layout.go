package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/segment/tree"
)

// MostLeaves is about how many leaves a tree drawing shows one by one.
const MostLeaves = 80

// place is a node of the drawing: an inner node, a leaf, or a line that stands for what was left out below its parent.
type place struct {
	node int32 // position in the tree; -1 for a line that stands for further leaves
	kids []*place
	cond string // the branch that leads here
	leaf int    // number of the leaf, from 0

	further      int     // leaves left out
	weight       float64 // their training weight
	x, y         float64 // left end of the name; middle of the line
	name, branch string  // attribute tested here, and condition that leads here, as shown
	trunk        float64 // x where the branches of an inner node start
}

// outline is a tree cut down to what is drawn, with the numbers of its leaves.
type outline struct {
	t      *tree.Tree
	number []int // leaf number by node, -1 at inner nodes
	weight []float64
	leaves []int // leaves below a node, itself included
	keep   []bool
}

// outlineOf decides what is drawn: of a tree with at most limit leaves everything, but that sibling leaves without
// records share a line; else the largest leaves, so many that with the lines for the rest there are about limit. Cost:
// O(n log n) for n nodes.
func outlineOf(t *tree.Tree, limit int) *place {
	o := &outline{
		t:      t,
		number: make([]int, len(t.Nodes)),
		weight: make([]float64, len(t.Nodes)),
		leaves: make([]int, len(t.Nodes)),
		keep:   make([]bool, len(t.Nodes)),
	}
	nodes := t.Leaves()
	for i := range t.Nodes {
		o.number[i], o.weight[i] = -1, t.Nodes[i].Weight()
	}
	for k, i := range nodes {
		o.number[i], o.leaves[i] = k, 1
	}
	for i := len(t.Nodes) - 1; i >= 0; i-- { // children stand behind their parents
		for _, k := range t.Nodes[i].Kids {
			o.leaves[i] += o.leaves[k]
		}
	}
	slices.SortStableFunc(nodes, func(p, q int32) int { return cmp.Compare(o.weight[q], o.weight[p]) })
	nodes = o.worth(nodes)
	for n := min(len(nodes), limit); ; n = n * 4 / 5 {
		if lines := o.choose(nodes[:max(n, 1)]); n == len(nodes) || lines <= limit*5/4 || n <= 1 {
			break
		}
	}
	return o.build(0, message.Say("chart.everyRecord").String())
}

// worth drops leaves that hold no record and have a like beside them, as a test of many categories leaves behind: they
// share one line. At least one leaf stays.
func (o *outline) worth(leaves []int32) []int32 {
	drop := make([]bool, len(o.t.Nodes))
	for i := range o.t.Nodes {
		var empty []int32
		for _, k := range o.t.Nodes[i].Kids {
			if o.weight[k] == 0 && o.leaves[k] == 1 {
				empty = append(empty, k)
			}
		}
		for _, k := range empty {
			drop[k] = len(empty) > 1
		}
	}
	kept := slices.DeleteFunc(slices.Clone(leaves), func(i int32) bool { return drop[i] })
	if len(kept) == 0 {
		return leaves
	}
	return kept
}

// choose marks the leaves and their ancestors and returns how many lines the drawing then has.
func (o *outline) choose(leaves []int32) (lines int) {
	clear(o.keep)
	for _, i := range leaves {
		o.keep[i] = true
	}
	lines = len(leaves)
	for i := len(o.keep) - 1; i >= 0; i-- {
		all := true
		for _, k := range o.t.Nodes[i].Kids {
			o.keep[i] = o.keep[i] || o.keep[k]
			all = all && o.keep[k]
		}
		if o.keep[i] && !all {
			lines++
		}
	}
	return lines
}

// build returns the drawing of the tree below node i.
func (o *outline) build(i int32, cond string) *place {
	n := &o.t.Nodes[i]
	p := &place{node: i, cond: cond, leaf: o.number[i]}
	rest := &place{node: -1, leaf: -1, cond: message.Say("chart.rest").String()}
	for k, kid := range n.Kids {
		if o.keep[kid] {
			p.kids = append(p.kids, o.build(kid, condition(o.t, n, k)))
			continue
		}
		rest.further += o.leaves[kid]
		rest.weight += o.weight[kid]
	}
	if rest.further > 0 {
		p.kids = append(p.kids, rest)
	}
	return p
}

// Metrics of a tree drawing, in pixels.
const (
	treePitch = 20.0  // between two leaves
	elbow     = 9.0   // from the trunk to a label
	condMax   = 260.0 // widest condition of a leaf
	pageWidth = 1110.0
	halfWidth = 530.0 // of two trees beside each other
)

// settle lays the tree out in the widest labels with which it takes, with rest pixels for the columns behind it, no
// more than half a page, while names stay readable, or else a page. A tree too deep for that is wider. Cost: O(n).
func (p *place) settle(t *tree.Tree, top, rest float64) (height, end float64) {
	limit := halfWidth
	names := p.names(t)
	try := func(from, to float64) bool {
		for max := from; max >= to; max -= 10 {
			p.measure(t, names, max)
			p.x, p.trunk = 2, 2
			if len(p.kids) > 0 {
				p.trunk += faceNode.width(p.name) + 7
			} else {
				p.trunk += faceLabel.width(p.branch)
			}
			if height, end = p.tidy(top); end+rest <= limit {
				return true
			}
		}
		return false
	}
	if !try(180, 120) {
		limit = pageWidth
		try(180, 70)
	}
	room := math.Max(end, limit-rest) + 0.01 // the widest must pass in spite of rounding
	p.lines(func(k *place) {                 // a leaf has its line to itself
		k.branch = shortCondition(k.cond, math.Min(room-k.x, condMax))
		k.trunk = k.x + faceLabel.width(k.branch)
		end = math.Max(end, k.trunk)
	})
	return height, end
}

// measure shortens the names of the node and of all below it to max, conditions to a little less.
func (p *place) measure(t *tree.Tree, names []string, max float64) {
	room := max * 0.7
	if len(p.kids) > 0 {
		p.name, _ = faceNode.distinct(t.Attrs[t.Nodes[p.node].Attr].Name, max, names)
		room = math.Max(room, faceNode.width(p.name))
	}
	p.branch = shortCondition(p.cond, room)
	for _, k := range p.kids {
		k.measure(t, names, max)
	}
}

// names returns the attributes that the drawing tests, each once.
func (p *place) names(t *tree.Tree) (out []string) {
	if len(p.kids) > 0 {
		out = append(out, t.Attrs[t.Nodes[p.node].Attr].Name)
	}
	for _, k := range p.kids {
		out = append(out, k.names(t)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// tidy places what is below the node, whose trunk is placed. The tree grows from left to right and every leaf has a
// line of its own, so that a subtree owns the lines of its leaves and nothing in it can meet another; a parent stands
// in the middle between its first and its last child, and is only as far right as the labels before it need. These are
// the aesthetics of Reingold & Tilford 1981; as leaves never share a line their contours are straight and one pass is
// enough. It returns the height and the right end of the labels. Cost: O(n).
func (p *place) tidy(top float64) (height, end float64) {
	if len(p.kids) == 0 {
		p.y = top + treePitch/2
		return treePitch, p.trunk
	}
	widest := 0.0
	for _, k := range p.kids {
		if len(k.kids) > 0 {
			widest = math.Max(widest, math.Max(faceNode.width(k.name), faceLabel.width(k.branch)))
		}
	}
	for _, k := range p.kids {
		k.x = p.trunk + elbow
		k.trunk = k.x + faceLabel.width(k.branch)
		if len(k.kids) > 0 {
			k.trunk = k.x + widest + 8
		}
		h, e := k.tidy(top + height)
		height += h
		end = math.Max(end, e)
	}
	p.y = math.Max((p.kids[0].y+p.kids[len(p.kids)-1].y)/2, top+treePitch)
	return math.Max(height, 2*treePitch), end // the two labels of an inner node need two lines
}

// shortCondition shortens a condition: a list of categories at its end, one category in the middle. A number without
// its middle would tell nothing.
func shortCondition(s string, max float64) string {
	switch {
	case !strings.HasPrefix(s, equals):
	case strings.Contains(s, ", "):
		s, _ = faceLabel.fit(s, max)
	default:
		s, _ = faceLabel.squeeze(s, max)
	}
	return s
}

// lines calls visit for every line of the drawing, from the top.
func (p *place) lines(visit func(*place)) {
	if len(p.kids) == 0 {
		visit(p)
	}
	for _, k := range p.kids {
		k.lines(visit)
	}
}
