package c45

import "math"

// burden is what a subtree costs: its training errors, in cases, and its leaves. Leaves of one class under one
// categorical test count once, as See5 prints them; leaves without cases do not count.
type burden struct{ errors, leaves float64 }

// globalPrune cuts off the subtrees of least cost-complexity, the training errors that a cut adds per leaf it
// removes, while the errors added in all stay within one standard error of the tree's (See5's global pruning; Breiman
// et al. 1984, section 3.4). Cost: O(nodes) per round of cuts.
func (g *grower) globalPrune(root *node) {
	least := math.Inf(1)
	e := g.burdenOf(root, &least).errors
	budget := math.Sqrt(e * (1 - e/g.fine.float(sum(root.counts))))
	for !math.IsInf(least, 1) {
		if budget -= weak(root, least, false); budget < 0 {
			return
		}
		weak(root, least, true)
		least = math.Inf(1)
		g.burdenOf(root, &least)
	}
}

// burdenOf notes for every test of a subtree what cutting it off costs, and lowers least to the smallest cost.
func (g *grower) burdenOf(n *node, least *float64) burden {
	asLeaf := g.fine.float(sum(n.counts) - n.counts[heaviest(n.counts, n.label)])
	if n.leaf() {
		return burden{asLeaf, 1}
	}
	var b burden
	seen := map[int32]bool{}
	for _, k := range n.kids {
		below := g.burdenOf(k, least)
		b.errors += below.errors
		switch {
		case !k.leaf() || n.branch == nil:
			b.leaves += below.leaves
		case !seen[k.label] && sum(k.counts) > 0:
			seen[k.label] = true
			b.leaves++
		}
	}
	n.added = asLeaf - b.errors
	n.cost = n.added / max(1, b.leaves-1)
	*least = min(*least, n.cost)
	return b
}

// weak returns the errors that cutting off the topmost tests of at most that cost adds, and cuts them off if asked to.
func weak(n *node, cost float64, cut bool) (added float64) {
	if n.leaf() {
		return 0
	}
	if n.cost <= cost {
		added = n.added
		if cut {
			n.cutOff()
		}
		return added
	}
	for _, k := range n.kids {
		added += weak(k, cost, cut)
	}
	return added
}

// mergeLeaves merges the leaves among a categorical test's branches that predict the same class into one.
func mergeLeaves(n *node) {
	for _, k := range n.kids {
		mergeLeaves(k)
	}
	if n.branch == nil {
		return
	}
	first := map[int32]int32{} // class to position of its leaf among the kids that stay
	to := make([]int32, len(n.kids))
	var kids []*node
	for k, kid := range n.kids {
		at, ok := first[kid.label]
		if kid.leaf() && ok {
			for c, w := range kid.counts {
				kids[at].counts[c] += w
			}
		} else {
			at = int32(len(kids))
			kids = append(kids, kid)
			if kid.leaf() {
				first[kid.label] = at
			}
		}
		to[k] = at
	}
	for code := range n.branch {
		n.branch[code] = to[n.branch[code]]
	}
	n.kids = kids
}
