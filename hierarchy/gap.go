package hierarchy

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/dither-data/dither/table"
)

// Gap is what a column has that its hierarchy does not list.
type Gap struct {
	Values, Records int     // different values, and records that hold one
	First           []Place // of the values that come first, at most three: in the order of the rows
}

// Place is where a value that is not listed first stands.
type Place struct {
	Row  int    // from 0
	Near string // a listed value that differs from it in blanks or letter case only; empty for none
}

// But says of the listed value that is near that only blanks or letter case differ; nothing where there is none. The
// value is not shown where its column is confidential.
func (p Place) But(a *table.Attribute) string {
	switch {
	case p.Near == "":
		return ""
	case a.Role&table.Confidential == 0:
		return fmt.Sprintf(" (but %q is listed, which differs in blanks or letter case only)", p.Near)
	}
	return " (but a value is listed that differs in blanks or letter case only)"
}

// notCovered is the error for the first value of a column that is not listed. Its record is called row, from 1.
func (h *Hierarchy) notCovered(c *table.Column, row int) error {
	but := ""
	if g := h.Gap(c); len(g.First) > 0 {
		but = g.First[0].But(&c.Attribute)
	}
	return fmt.Errorf("column %q, row %d: %w%s", c.Name, row, ErrNotCovered, but)
}

// mostPlaces is how many values are placed.
const mostPlaces = 3

// Gap returns what of a column the hierarchy does not list: nothing where it cuts numbers. Cost: O(n + values listed).
func (h *Hierarchy) Gap(c *table.Column) (g Gap) {
	if h.Numeric() {
		return g
	}
	if c.Kind == table.Numeric {
		g.numbers(c, h.Names[0])
		return g
	}
	listed, near := map[string]bool{}, map[string]string{}
	for _, s := range h.Names[0] {
		listed[s] = true
		if _, known := near[folded(s)]; !known {
			near[folded(s)] = s
		}
	}
	lacks := make([]bool, len(c.Labels))
	for k, l := range c.Labels {
		lacks[k] = !listed[l]
	}
	seen := make([]bool, len(c.Labels))
	for i, v := range c.Cat {
		if v < 0 || !lacks[v] {
			continue
		}
		g.Records++
		if !seen[v] {
			seen[v] = true
			g.add(i, near[folded(c.Labels[v])])
		}
	}
	return g
}

// numbers counts the numbers that are not among the listed texts.
func (g *Gap) numbers(c *table.Column, listed []string) {
	known, seen := map[float64]bool{}, map[float64]bool{}
	for _, s := range listed {
		if v, ok := c.ParseValue(s); ok {
			known[v] = true
		}
	}
	for i, v := range c.Num {
		if v != v || known[v] {
			continue
		}
		g.Records++
		if !seen[v] {
			seen[v] = true
			g.add(i, "")
		}
	}
}

// add counts another value, which first stands in a row.
func (g *Gap) add(row int, near string) {
	if g.Values++; len(g.First) < mostPlaces {
		g.First = append(g.First, Place{row, near})
	}
}

// folded returns a text without blanks and in lower case: what is left tells values apart that differ in more.
func folded(s string) string {
	return strings.ToLower(string(slices.DeleteFunc([]rune(s), unicode.IsSpace)))
}
