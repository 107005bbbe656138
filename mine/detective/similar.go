package detective

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/mine"
)

// Similar returns the similar pairs of every attribute: first the strongly similar ones, the strongest first, of which
// Strength is the product of the two values' counts in a leaf and Within the leaf's condition; then the weakly similar
// ones, of two sibling leaves, without a strength, of which Within is what the conditions of both have in common.
// Pairs of equal strength stay in the order of leaves and codes.
func (m *DETECTIVEModel) Similar() []mine.Alike {
	var out []mine.Alike
	for k, c := range m.Attributes {
		from := len(out)
		for leaf := range c.Leaves {
			for _, s := range c.Strong(leaf) {
				out = append(
					out,
					mine.Alike{
						Attribute: c.Attribute,
						A:         c.Labels[s.A],
						B:         c.Labels[s.B],
						Strength:  s.Similarity,
						Within:    m.Conditions[k][leaf],
					},
				)
			}
		}
		sorting.Stable(out[from:], func(x, y mine.Alike) int { return cmp.Compare(y.Strength, x.Strength) })
		for _, w := range m.siblings(k) {
			for _, p := range w.pairs {
				out = append(out, mine.Alike{Attribute: c.Attribute, A: c.Labels[p.A], B: c.Labels[p.B], Within: w.within,
					Weak: true})
			}
		}
	}
	return out
}

// weak are the weakly similar pairs of the sibling leaves below one node.
type weak struct {
	within string // the condition of the node
	pairs  []Pair // each once, in the order of the codes
}

// siblings returns the weakly similar pairs of an attribute, by the nodes above the leaves.
func (m *DETECTIVEModel) siblings(k int) (out []weak) {
	c := m.Attributes[k]
	for _, leaves := range c.Families() {
		seen := map[Pair]bool{}
		for i, leaf := range leaves {
			for _, sibling := range leaves[:i] {
				for _, p := range c.Weak(leaf, sibling) {
					seen[p] = true
				}
			}
		}
		if len(seen) > 0 {
			out = append(out, weak{m.Above[k][leaves[0]], sorted(seen)})
		}
	}
	return out
}

// listed is how many leaves of an attribute Text prints.
const listed = 12

// Text lists the values that share a leaf, attribute by attribute, the largest leaves first.
func (m *DETECTIVEModel) Text() string {
	var b strings.Builder
	for k, c := range m.Attributes {
		if k > 0 {
			b.WriteByte('\n')
		}
		if c.Unrelated() {
			fmt.Fprintf(&b, "%s: no other attribute tells its values apart\n", c.Attribute)
			continue
		}
		var leaves []int
		for leaf := range c.Leaves {
			if len(c.Leaves[leaf].Values) > 0 {
				leaves = append(leaves, leaf)
			}
		}
		fmt.Fprintf(&b, "%s: alike in %d segments\n", c.Attribute, len(leaves))
		slices.SortStableFunc(leaves, func(x, y int) int { return cmp.Compare(c.Leaves[y].Weight(), c.Leaves[x].Weight()) })
		for _, leaf := range leaves[:min(listed, len(leaves))] {
			fmt.Fprintf(&b, "  %s\n    %s\n", clip(m.Conditions[k][leaf]), clip(c.values(leaf)))
		}
		if more := len(leaves) - listed; more > 0 {
			fmt.Fprintf(&b, "  and %d smaller ones\n", more)
		}
		m.weakly(&b, k)
	}
	return b.String()
}

// weakly lists the weakly similar pairs of an attribute, by the nodes above the leaves.
func (m *DETECTIVEModel) weakly(b *strings.Builder, k int) {
	all, c := m.siblings(k), m.Attributes[k]
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(b, "%s: weakly alike, in sibling segments of\n", c.Attribute)
	for _, w := range all[:min(listed, len(all))] {
		var parts []string
		for _, p := range w.pairs {
			parts = append(parts, c.Labels[p.A]+" ~ "+c.Labels[p.B])
		}
		fmt.Fprintf(b, "  %s\n    %s\n", clip(cmp.Or(w.within, "everywhere")), clip(strings.Join(parts, ", ")))
	}
	if more := len(all) - listed; more > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
}

// values lists the values of a leaf with their counts, the commonest first.
func (c *Clusters) values(leaf int) string {
	vs := slices.Clone(c.Leaves[leaf].Values)
	slices.SortStableFunc(vs, func(x, y Value) int { return cmp.Compare(y.Count, x.Count) })
	var parts []string
	for _, v := range vs {
		parts = append(parts, fmt.Sprintf("%s (%g)", c.Labels[v.Code], v.Count))
	}
	return strings.Join(parts, ", ")
}

// clip keeps a line within 150 characters.
func clip(s string) string {
	if r := []rune(s); len(r) > 150 {
		return string(r[:147]) + "..."
	}
	return s
}
