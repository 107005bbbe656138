package c45

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// growTwin is Grow as the twin does it.
func growTwin(l *Learner, t *table.Table, class int, without ...int) *tree.Tree {
	d, cs := newTwin(l, t, class, without)
	return &tree.Tree{Attrs: t.Attrs(), Class: class, Nodes: flattenTwin(d.force(cs, make([]bool, t.Width()), nil))}
}

// newTwin returns the twin and its cases.
func newTwin(l *Learner, t *table.Table, class int, without []int) (*dumb, []kase) {
	d := &dumb{
		ctx:     context.Background(),
		l:       l,
		t:       t,
		class:   t.Cat(class),
		classes: len(t.Attr(class).Labels),
		sorted:  map[int][]float64{},
		many:    true,
	}
	seen := map[int32]bool{}
	for _, c := range d.class {
		if c >= 0 && !seen[c] {
			seen[c] = true
			d.occurring++
		}
	}
	var cs []kase
	for r, c := range d.class {
		if c >= 0 {
			cs = append(cs, kase{r, 1})
		}
	}
	d.rows = float64(len(cs))
	d.minLeaf = float64(l.MinLeaf)
	if l.MinLeaf == 0 {
		d.minLeaf = float64(Auto(len(cs)))
	}
	for j := range t.Width() {
		a := t.Attr(j)
		if j == class || a.Role&(table.Identifier|table.Weight) != 0 || slices.Contains(without, j) {
			continue
		}
		d.attrs = append(d.attrs, j)
		if a.Kind == table.Numeric || float64(len(a.Labels)) < 0.3*d.rows {
			d.many = false
		}
		if a.Kind == table.Numeric {
			for _, c := range cs {
				if v := t.Num(j)[c.row]; !math.IsNaN(v) {
					d.sorted[j] = append(d.sorted[j], v+0)
				}
			}
			slices.Sort(d.sorted[j])
		}
	}
	return d, cs
}

// force grows a subtree that begins with a test.
func (d *dumb) force(cs []kase, tested []bool, test *Test) *twinNode {
	if test == nil {
		nd, _ := d.grow(cs, tested)
		if !d.l.NoPrune {
			d.estimate(nd, cs, true)
		}
		return nd
	}
	nd := &twinNode{attr: -1, counts: d.counts(cs)}
	nd.label = argmax(nd.counts, 0)
	if test.Attr < 0 {
		return nd
	}
	branches := 2
	nd.attr, nd.cut = test.Attr, test.Cut
	if a := d.t.Attr(test.Attr); a.Kind == table.Categorical {
		branches, tested = len(a.Labels), slices.Clone(tested)
		tested[test.Attr] = true
	}
	d.fan(nd, cs, test.Attr, test.Cut, branches, func(k int, cs []kase) *twinNode {
		if test.Below == nil {
			return d.force(cs, tested, nil)
		}
		return d.force(cs, tested, test.Below[k])
	})
	return nd
}

func flattenTwin(root *twinNode) []tree.Node {
	var out []tree.Node
	var put func(n *twinNode) int32
	put = func(n *twinNode) int32 {
		at := int32(len(out))
		out = append(out, tree.Node{Attr: n.attr, Counts: n.counts, Label: n.label})
		heavy, most := int32(0), -1.0
		var kids []int32
		for k, kid := range n.kids {
			kids = append(kids, put(kid))
			if w := total(kid.counts); w > most {
				heavy, most = int32(k), w
			}
		}
		if n.attr >= 0 {
			o := &out[at]
			o.Cut, o.Branch, o.Kids, o.Heavy = n.cut, n.branch, kids, heavy
		}
		return at
	}
	put(root)
	return out
}
