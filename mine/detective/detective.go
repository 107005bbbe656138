package detective

import "github.com/dither-data/dither/segment/tree"

// Clusters says which values of one attribute are alike, and where. It is plain data.
type Clusters struct {
	Attribute string   `json:"attribute"`
	Labels    []string `json:"labels"` // the attribute's domain, by code
	Leaves    []Leaf   `json:"leaves"` // by leaf number, depth first from the left
}

// Leaf is one horizontal segment of the table.
type Leaf struct {
	// Parent is the position in the tree of the node above, -1 when the tree is one leaf. Leaves of one parent are
	// siblings.
	Parent int32 `json:"parent"`
	// Values are the values that occur in the segment, by code.
	Values []Value `json:"values"`
	// Majority is the code of the most frequent value, the lowest of those in a tie; -1 in an empty leaf.
	Majority int32 `json:"majority"`
}

// Value is a value of the attribute with its number of records in the segment.
type Value struct {
	Code  int32   `json:"code"`
	Count float64 `json:"count"`
}

// Weight returns the number of the leaf's records whose value is known.
func (l *Leaf) Weight() float64 {
	w := 0.0
	for _, v := range l.Values {
		w += v.Count
	}
	return w
}

// Of reads the clusters off a tree that takes the attribute as its class, by the counts of its leaves. Cost: O(nodes
// x values).
func Of(t *tree.Tree) *Clusters {
	parent := make([]int32, len(t.Nodes))
	parent[0] = -1
	for i := range t.Nodes {
		for _, k := range t.Nodes[i].Kids {
			parent[k] = int32(i)
		}
	}
	c := &Clusters{Attribute: t.Attrs[t.Class].Name, Labels: t.ClassLabels()}
	for _, i := range t.Leaves() {
		l := Leaf{Parent: parent[i], Majority: -1}
		most := 0.0
		for code, n := range t.Nodes[i].Counts {
			if n <= 0 {
				continue
			}
			l.Values = append(l.Values, Value{int32(code), n})
			if n > most {
				most, l.Majority = n, int32(code)
			}
		}
		c.Leaves = append(c.Leaves, l)
	}
	return c
}

// Unrelated reports whether the tree is one leaf: no other attribute tells anything about this one.
func (c *Clusters) Unrelated() bool { return len(c.Leaves) == 1 && c.Leaves[0].Parent < 0 }

// Families returns the numbers of the leaves that records reach, one slice per parent that has any, ordered by the
// first leaf of each. The other members of a leaf's family are its siblings.
func (c *Clusters) Families() [][]int {
	var out [][]int
	at := map[int32]int{}
	for i := range c.Leaves {
		l := &c.Leaves[i]
		if len(l.Values) == 0 {
			continue
		}
		k, ok := at[l.Parent]
		if !ok {
			k = len(out)
			at[l.Parent] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], i)
	}
	return out
}

// Pair is two different values, by code, A below B.
type Pair struct {
	A int32 `json:"a"`
	B int32 `json:"b"`
}

// Strength is how alike two values are in one leaf: the product of their counts.
type Strength struct {
	Pair
	Similarity float64 `json:"similarity"`
}

// Strong returns the strongly similar pairs of a leaf, in the order of the codes; none in a homogeneous leaf.
// Cost: O(v^2) for v values in the leaf.
func (c *Clusters) Strong(leaf int) []Strength {
	var out []Strength
	vs := c.Leaves[leaf].Values
	for i, a := range vs {
		for _, b := range vs[i+1:] {
			out = append(out, Strength{Pair{a.Code, b.Code}, float64(a.Count * b.Count)})
		}
	}
	return out
}

// Weak returns the weakly similar pairs of two leaves, in the order of the codes; none unless they are siblings.
// Cost: O(v w) for v and w values in the leaves.
func (c *Clusters) Weak(leaf, sibling int) []Pair {
	x, y := &c.Leaves[leaf], &c.Leaves[sibling]
	if leaf == sibling || x.Parent != y.Parent {
		return nil
	}
	seen := map[Pair]bool{}
	for _, a := range x.Values {
		for _, b := range y.Values {
			if a.Code != b.Code {
				seen[Pair{min(a.Code, b.Code), max(a.Code, b.Code)}] = true
			}
		}
	}
	return sorted(seen)
}
