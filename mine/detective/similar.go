package detective

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/mine"
)

// Similar returns the strongly similar pairs of every attribute, the strongest first: Strength is the product of the
// two values' counts in a leaf, Within the leaf's condition. Pairs of equal strength stay in the order of leaves and
// codes.
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
	}
	return b.String()
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
