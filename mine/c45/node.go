package c45

import "github.com/dither-data/dither/segment/tree"

// shareEmpty is the number of categories above which all empty branches of a test share one leaf.
const shareEmpty = 1000

// node is a node while the tree is grown and pruned.
type node struct {
	slot   int32 // attribute tested, -1 at a leaf
	low    int32 // numeric test: codes up to low go to kids[0]
	cut    float64
	kids   []*node
	branch []int32 // categorical test: code to position in kids
	counts []int64 // class weights in units of 2^-24
	label  int32
	est    float64 // pessimistic estimate of the subtree's errors
	exact  bool    // no training case has a missing value at a test of the subtree
	added  float64 // errors added by cutting off the subtree, and those per leaf removed: see globalPrune
	cost   float64
}

func (n *node) leaf() bool { return n.slot < 0 }

// cutOff turns the node into a leaf.
func (n *node) cutOff() { n.slot, n.kids, n.branch, n.exact = -1, nil, nil, true }

func sum(v []int64) int64 {
	s := int64(0)
	for _, x := range v {
		s += x
	}
	return s
}

// heaviest returns the position of the largest count, start unless another is larger, the first of equal ones.
func heaviest(counts []int64, start int32) int32 {
	for c := range counts {
		if counts[c] > counts[start] {
			start = int32(c)
		}
	}
	return start
}

// flatten writes the nodes depth first.
func flatten(root *node, cols []column) []tree.Node {
	fine := terms{shift: unitBits}
	var out []tree.Node
	var put func(n *node) int32
	put = func(n *node) int32 {
		at := int32(len(out))
		out = append(out, tree.Node{Attr: -1, Counts: fine.floats(n.counts), Label: n.label})
		if n.leaf() {
			return at
		}
		kids := make([]int32, len(n.kids))
		heavy, most := int32(0), int64(-1)
		for k, kid := range n.kids {
			kids[k] = put(kid)
			if w := sum(kid.counts); w > most {
				heavy, most = int32(k), w
			}
		}
		o := &out[at]
		o.Attr, o.Cut, o.Branch, o.Kids, o.Heavy = cols[n.slot].index, n.cut, n.branch, kids, heavy
		return at
	}
	put(root)
	return out
}
