package tree

import "slices"

// Join returns the tree in which every leaf has at least so many records of those that the counts are of: a smaller
// leaf joins the heaviest other branch of its parent, whose records then are those of both. Rules become wider and no
// record is in two of them. A root with fewer records stays a leaf. Missing values follow the heaviest branch, as
// before; the counts of the nodes below a branch that was joined are no longer those of their records until Recount.
// Cost: O(nodes) for each leaf that joins.
func (t *Tree) Join(least float64) *Tree {
	out := *t
	out.Nodes = slices.Clone(t.Nodes)
	for i := smallest(out.Nodes, least); i > 0; i = smallest(out.Nodes, least) {
		out.Nodes = joined(out.Nodes, i)
	}
	return &out
}

// smallest returns the position of the leaf below the root with the fewest records, if these are fewer than least; 0
// for none.
func smallest(nodes []Node, least float64) int32 {
	at := int32(0)
	for i := 1; i < len(nodes); i++ {
		if n := &nodes[i]; n.Leaf() && n.Weight() < least && (at == 0 || n.Weight() < nodes[at].Weight()) {
			at = int32(i)
		}
	}
	return at
}

// joined returns the nodes without a leaf, whose records follow the heaviest of its brothers.
func joined(nodes []Node, leaf int32) []Node {
	parent := slices.IndexFunc(nodes, func(n Node) bool { return slices.Contains(n.Kids, leaf) })
	b := builder{old: nodes, parent: int32(parent), gone: int32(slices.Index(nodes[parent].Kids, leaf))}
	b.heir = heaviest(nodes, nodes[parent].Kids, b.gone)
	b.add(0)
	return b.out
}

// heaviest returns the place among kids of the one with the most records, but for one.
func heaviest(nodes []Node, kids []int32, but int32) int32 {
	at := int32(-1)
	for k, kid := range kids {
		if int32(k) != but && (at < 0 || nodes[kid].Weight() > nodes[kids[at]].Weight()) {
			at = int32(k)
		}
	}
	return at
}

// builder writes nodes anew, depth first, with one kid of one parent gone.
type builder struct {
	old, out   []Node
	parent     int32
	gone, heir int32     // places among the kids of parent
	extra      []float64 // the counts of the kid that is gone
}

// add writes a subtree and returns its place.
func (b *builder) add(i int32) int32 {
	n := b.old[i]
	if i != b.parent {
		return b.write(n, n.Kids)
	}
	b.extra = b.old[n.Kids[b.gone]].Counts
	switch len(n.Kids) {
	case 1: // a test that all pass
		return b.write(Node{Attr: -1, Counts: n.Counts, Label: b.old[n.Kids[0]].Label}, nil)
	case 2:
		return b.addTo(n.Kids[b.heir])
	}
	kids := slices.Delete(slices.Clone(n.Kids), int(b.gone), int(b.gone)+1)
	place := func(k int32) int32 {
		if k == b.gone {
			k = b.heir
		}
		if k > b.gone {
			k--
		}
		return k
	}
	n.Branch = slices.Clone(n.Branch)
	for c, k := range n.Branch {
		if k >= 0 {
			n.Branch[c] = place(k)
		}
	}
	n.Heavy = place(n.Heavy)
	heir := n.Kids[b.heir]
	at := int32(len(b.out))
	b.out = append(b.out, n)
	placed := make([]int32, len(kids))
	for k, kid := range kids {
		if kid == heir {
			placed[k] = b.addTo(kid)
		} else {
			placed[k] = b.add(kid)
		}
	}
	b.out[at].Kids = placed
	return at
}

// addTo writes the subtree that takes the records of the leaf that is gone: they are counted at its root and, as is not
// known where they go below, along its heaviest branches.
func (b *builder) addTo(i int32) int32 {
	n := b.old[i]
	n.Counts = slices.Clone(n.Counts)
	for c := range n.Counts {
		n.Counts[c] += b.extra[c]
	}
	at := int32(len(b.out))
	b.out = append(b.out, n)
	placed := make([]int32, len(n.Kids))
	for k, kid := range n.Kids {
		if int32(k) == n.Heavy {
			placed[k] = b.addTo(kid)
		} else {
			placed[k] = b.add(kid)
		}
	}
	if len(placed) > 0 {
		b.out[at].Kids = placed
	}
	return at
}

// write writes a node and the subtrees of its kids.
func (b *builder) write(n Node, kids []int32) int32 {
	at := int32(len(b.out))
	b.out = append(b.out, n)
	if len(kids) == 0 {
		return at
	}
	placed := make([]int32, len(kids))
	for k, kid := range kids {
		placed[k] = b.add(kid)
	}
	b.out[at].Kids = placed
	return at
}
