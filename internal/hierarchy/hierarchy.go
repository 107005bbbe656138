package hierarchy

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/dither-data/dither/table"
)

// Set holds hierarchies by the name of their attribute.
type Set map[string]*Hierarchy

// Top is the label of the root.
const Top = "*"

// Hierarchy is the value generalisation hierarchy of one attribute. It is plain data: either the values are listed, with the group of each
// on every level, or numbers are cut into intervals, and Cuts is set.
//
// Level 0 is the value itself and level Height the most general form, usually one group. The groups of a level are numbered from 0; a group is
// inside one group of the next level.
type Hierarchy struct {
	Attribute string `json:"attribute"`
	// Names are the labels of the groups, by level. Those of level 0 are the listed values; none where numbers are cut.
	Names [][]string `json:"names"`
	// Up is, by level but the last, the group of the next level that every group is in. Up[0] is empty where numbers are cut.
	Up [][]int32 `json:"up"`
	// Cuts are the ascending limits between the intervals of level 1: interval k holds Cuts[k-1] <= v < Cuts[k], the first and the last are
	// open-ended. Nil where values are listed.
	Cuts []float64 `json:"cuts,omitempty"`
	// Domain is what the intervals divide; widths are measured in it. Zero where values are listed.
	Domain table.Interval `json:"domain,omitzero"`
}

// Height returns the number of the last level.
func (h *Hierarchy) Height() int { return len(h.Names) - 1 }

// Numeric reports whether the hierarchy cuts numbers into intervals.
func (h *Hierarchy) Numeric() bool { return h.Cuts != nil }

// Labels returns the labels of the groups of a level; nil for level 0 of numbers that are cut. The caller does not change them.
func (h *Hierarchy) Labels(level int) []string { return h.Names[level] }

// Check returns an error unless every group is inside one group of the next level and no two groups of a level have one label.
func (h *Hierarchy) Check() error {
	switch {
	case len(h.Names) < 2:
		return fmt.Errorf("the hierarchy of %q has %d levels, expected the values and at least one more", h.Attribute, len(h.Names))
	case len(h.Up) != h.Height():
		return fmt.Errorf("the hierarchy of %q has %d steps between levels, expected %d", h.Attribute, len(h.Up), h.Height())
	case h.Numeric() && (len(h.Names[0]) > 0 || len(h.Up[0]) > 0 || len(h.Names[1]) != len(h.Cuts)+1 || !ascending(h.Cuts)):
		return fmt.Errorf("the intervals of the hierarchy of %q do not fit their limits", h.Attribute)
	}
	for l, names := range h.Names {
		if len(names) == 0 && (l > 0 || !h.Numeric()) {
			return fmt.Errorf("level %d of the hierarchy of %q has no group", l, h.Attribute)
		}
		seen := make(map[string]bool, len(names))
		for _, n := range names {
			if seen[n] {
				return fmt.Errorf("two groups of level %d of the hierarchy of %q have one label", l, h.Attribute)
			}
			seen[n] = true
		}
		if l == h.Height() || l == 0 && h.Numeric() {
			continue
		}
		if len(h.Up[l]) != len(names) {
			return fmt.Errorf("level %d of the hierarchy of %q has %d groups, and the next one is known of %d", l, h.Attribute, len(names), len(h.Up[l]))
		}
		for _, up := range h.Up[l] {
			if up < 0 || int(up) >= len(h.Names[l+1]) {
				return fmt.Errorf("a group of level %d of the hierarchy of %q is in none of the next", l, h.Attribute)
			}
		}
	}
	return nil
}

func ascending(v []float64) bool {
	for i, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) || i > 0 && v[i-1] >= x {
			return false
		}
	}
	return true
}

// ErrNotCovered says that a table has a value that a hierarchy does not list.
var ErrNotCovered = errors.New("the hierarchy does not list the value")

// Groups returns the group of every record of a column on a level of 1 or more, -1 where the value is missing. It fails with ErrNotCovered and the
// row when a value is not listed. Cost: O(n) for categories, O(n log v) for numbers.
func (h *Hierarchy) Groups(c *table.Column, level int) ([]int32, error) {
	base, err := h.base(c)
	if err != nil {
		return nil, err
	}
	from := 0
	if h.Numeric() {
		from = 1
	}
	var up []int32
	for l := from; l < level; l++ {
		if up == nil {
			up = slices.Clone(h.Up[l])
			continue
		}
		for g, k := range up {
			up[g] = h.Up[l][k]
		}
	}
	if up != nil {
		for i, g := range base {
			if g >= 0 {
				base[i] = up[g]
			}
		}
	}
	return base, nil
}

// base returns the group of every record on the lowest level that has groups: the values listed, or the narrowest intervals.
func (h *Hierarchy) base(c *table.Column) ([]int32, error) {
	if c.Kind == table.Numeric {
		if h.Numeric() {
			return h.intervals(c.Num), nil
		}
		return h.listed(c)
	}
	if h.Numeric() {
		return nil, fmt.Errorf("column %q is categorical, and its hierarchy cuts numbers into intervals", c.Name)
	}
	at := make(map[string]int32, len(h.Names[0]))
	for g, n := range h.Names[0] {
		at[n] = int32(g)
	}
	group := make([]int32, len(c.Labels))
	for code, l := range c.Labels {
		g, ok := at[l]
		if !ok {
			g = -2
		}
		group[code] = g
	}
	out := make([]int32, len(c.Cat))
	for i, code := range c.Cat {
		if out[i] = -1; code >= 0 {
			if out[i] = group[code]; out[i] == -2 {
				return nil, fmt.Errorf("column %q, row %d: %w", c.Name, i+1, ErrNotCovered)
			}
		}
	}
	return out, nil
}

func (h *Hierarchy) intervals(v []float64) []int32 {
	out := make([]int32, len(v))
	for i, x := range v {
		if math.IsNaN(x) {
			out[i] = -1
			continue
		}
		out[i] = int32(sort.Search(len(h.Cuts), func(k int) bool { return x < h.Cuts[k] }))
	}
	return out
}
