package perturbationtree

import (
	"github.com/dither-data/dither/internal/mining/kdpartition"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Segmentation returns the trees as decision trees on the attributes as they are released. They have the class of the
// table or, where it has no categorical one, none: Class is -1. It is nil where nothing changes, and where there are
// more combinations of leaves than keys.
func (p *Plan) Segmentation() *tree.Forest {
	if len(p.Parts) == 0 {
		return nil
	}
	f := &tree.Forest{}
	attrs, class := p.released()
	for k := range p.Parts {
		f.Trees = append(f.Trees, &tree.Tree{Attrs: attrs, Class: class, Nodes: p.Parts[k].nodes()})
	}
	if _, err := f.Count(); err != nil {
		return nil
	}
	return f
}

// released returns the attributes of a release and the position of the class among them.
func (p *Plan) released() (attrs []table.Attribute, class int) {
	attrs, class = append(attrs, p.Attrs...), -1
	for k := range p.Parts {
		for _, j := range p.Parts[k].Columns {
			attrs[j] = p.attribute(j)
		}
	}
	for j := range attrs {
		if a := &attrs[j]; class < 0 && a.Kind == table.Categorical && a.Role&table.Class != 0 && len(a.Labels) > 0 {
			class = j
		}
	}
	return attrs, class
}

// nodes returns the tree in the form of a decision tree that labels nothing.
func (x *Part) nodes() []tree.Node {
	nodes := x.Tree.Nodes
	out, kids := make([]tree.Node, len(nodes)), make([]int32, 2*len(nodes))
	for i, n := range nodes {
		if n.Attr == kdpartition.Leaf {
			out[i].Attr = -1
			continue
		}
		pair := kids[2*i : 2*i+2 : 2*i+2]
		pair[0], pair[1] = int32(i+1), int32(i)+n.Next
		out[i] = tree.Node{Attr: x.Tests[n.Attr], Cut: n.Cut, Kids: pair}
		if !x.Tree.Low(int32(i)) {
			out[i].Heavy = 1
		}
	}
	return out
}
