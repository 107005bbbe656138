package hierarchy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dither-data/dither/internal/text/spelling"
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
	Near string // the nearest listed value; empty where none is spelled much alike
	Same bool   // it differs in blanks or letter case only
}

// But says of the nearest listed value how it differs; nothing where there is none. The value is not shown where its
// column is confidential.
func (p Place) But(a *table.Attribute) string {
	if p.Near == "" {
		return ""
	}
	value, how := "a value", "is spelled much alike"
	if p.Same {
		how = "differs in blanks or letter case only"
	}
	if a.Role&table.Confidential == 0 {
		value = strconv.Quote(p.Near)
	}
	return fmt.Sprintf(" (but %s is listed, which %s)", value, how)
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
			same := near[folded(c.Labels[v])]
			p := Place{Row: i, Near: same, Same: same != ""}
			if g.add(p) && !p.Same {
				g.First[len(g.First)-1].Near = alike(c.Labels[v], h.Names[0])
			}
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
			g.add(Place{Row: i})
		}
	}
}

// add counts another value, and reports whether its place is among the first.
func (g *Gap) add(p Place) (first bool) {
	g.Values++
	if first = len(g.First) < mostPlaces; first {
		g.First = append(g.First, p)
	}
	return first
}

// alike returns the listed text that a longer one is a slip of, in a letter of five at most; "" where there is none, or
// where one has a digit: codes that differ in one are different.
func alike(s string, listed []string) string {
	near := spelling.Nearest(s, listed)
	if strings.ContainsFunc(s+near, unicode.IsDigit) ||
		5*spelling.Distance(strings.ToLower(s), strings.ToLower(near)) > utf8.RuneCountInString(s) {
		return ""
	}
	return near
}

// folded returns a text without blanks and in lower case: what is left tells values apart that differ in more.
func folded(s string) string {
	return strings.ToLower(string(slices.DeleteFunc([]rune(s), unicode.IsSpace)))
}
