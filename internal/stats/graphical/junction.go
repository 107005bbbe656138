package graphical

import (
	"math/bits"
	"slices"
)

// set is a set of attributes, a bit each.
type set []uint64

func (s set) put(v int)  { s[v>>6] |= 1 << (v & 63) }
func (s set) drop(v int) { s[v>>6] &^= 1 << (v & 63) }

// lacks returns how many attributes of s are not in t.
func (s set) lacks(t set) (n int) {
	for k, w := range s {
		n += bits.OnesCount64(w &^ t[k])
	}
	return n
}

// list returns the attributes, ascending.
func (s set) list() (out []int) {
	for k, w := range s {
		for ; w != 0; w &= w - 1 {
			out = append(out, k<<6+bits.TrailingZeros64(w))
		}
	}
	return out
}

// Cliques returns the maximal cliques of the graph in which the attributes of every scope are neighbours, after it was
// triangulated by minimum fill: the attribute whose neighbours lack the fewest edges is eliminated first; of several,
// the one with the smallest table, then the first. Cost: O(p^2 k) for p attributes with k neighbours.
func (d Domain) Cliques(scopes [][]int) [][]int {
	near := d.graph(scopes)
	left := make(set, (len(d)+63)/64)
	for v := range d {
		left.put(v)
	}
	var cliques [][]int
	for range d {
		v := d.next(near, left)
		around := near[v].list()
		clique := Union(around, []int{v})
		if !slices.ContainsFunc(cliques, func(c []int) bool { return Within(clique, c) }) {
			cliques = append(cliques, clique)
		}
		for _, u := range around {
			for k, w := range near[v] {
				near[u][k] |= w
			}
			near[u].drop(u)
			near[u].drop(v)
		}
		left.drop(v)
	}
	return cliques
}

// graph returns the neighbours of every attribute.
func (d Domain) graph(scopes [][]int) []set {
	words := (len(d) + 63) / 64
	all := make(set, words*len(d))
	near := make([]set, len(d))
	for v := range near {
		near[v] = all[v*words : (v+1)*words]
	}
	for _, scope := range scopes {
		for _, u := range scope {
			for _, v := range scope {
				if u != v {
					near[u].put(v)
				}
			}
		}
	}
	return near
}

// next returns the attribute to eliminate.
func (d Domain) next(near []set, left set) int {
	best, fill, size := -1, 0, 0.0
	for _, v := range left.list() {
		f := 0
		around := near[v].list()
		for _, u := range around {
			f += near[v].lacks(near[u]) - 1 // u is no neighbour of its own
		}
		if n := float64(float64(d[v]) * d.Cells(around)); best < 0 || f < fill || f == fill && n < size {
			best, fill, size = v, f, n
		}
	}
	return best
}

// Size returns how many cells the tables of the cliques have together.
func (d Domain) Size(cliques [][]int) float64 {
	n := 0.0
	for _, c := range cliques {
		n += d.Cells(c)
	}
	return n
}

// clique is a node of a junction tree.
type clique struct {
	scope  []int
	cells  int
	parent int     // -1 for the root
	shared []int   // the attributes it shares with its parent
	kids   []int   //
	up     []int32 // by own cell: the cell of the table of what is shared
	down   []int32 // by the parent's cell: the same
}

// tree is a junction tree: the cliques that hold an attribute are connected. Parents come before their children;
// cliques without common attributes share the empty scope, which has one cell.
type tree struct {
	domain  Domain
	cliques []clique
}

// newTree joins cliques to a tree in which neighbours share as many attributes as possible (Prim 1957).
func newTree(d Domain, cliques [][]int) *tree {
	t := &tree{domain: d}
	parent, most := make([]int, len(cliques)), make([]int, len(cliques))
	place := make([]int, len(cliques)) // in the tree, or -1
	for k := range cliques {
		parent[k], most[k], place[k] = -1, -1, -1
	}
	for range cliques {
		best := -1
		for k := range cliques {
			if place[k] < 0 && (best < 0 || most[k] > most[best]) {
				best = k
			}
		}
		t.add(cliques[best], parent[best])
		place[best] = len(t.cliques) - 1
		for k := range cliques {
			if n := len(common(cliques[k], cliques[best])); place[k] < 0 && n > most[k] {
				parent[k], most[k] = place[best], n
			}
		}
	}
	return t
}

func (t *tree) add(scope []int, parent int) {
	c := clique{scope: scope, cells: t.domain.cells(scope), parent: parent}
	if parent >= 0 {
		p := &t.cliques[parent]
		p.kids = append(p.kids, len(t.cliques))
		c.shared = common(scope, p.scope)
		c.down = t.domain.onto(p.scope, c.shared)
	}
	c.up = t.domain.onto(scope, c.shared)
	t.cliques = append(t.cliques, c)
}

// holding returns the smallest clique that holds a scope, -1 for none.
func (t *tree) holding(scope []int) int {
	best := -1
	for k := range t.cliques {
		if c := &t.cliques[k]; Within(scope, c.scope) && (best < 0 || c.cells < t.cliques[best].cells) {
			best = k
		}
	}
	return best
}
