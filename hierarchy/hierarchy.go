package hierarchy

import (
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/dither-data/dither/table"
)

// Set holds hierarchies by the name of their attribute.
type Set map[string]*Hierarchy

// Top is the label of the root.
const Top = "*"

// Hierarchy is the value generalisation hierarchy of one attribute. It is plain data: either the values are listed,
// with the group of each on every level, or numbers are cut into intervals, and Cuts is set.
//
// Level 0 is the value itself and level Height the most general form, usually one group. The groups of a level are
// numbered from 0; a group is inside one group of the next level.
type Hierarchy struct {
	Attribute string `json:"attribute"`
	// Names are the labels of the groups, by level. Those of level 0 are the listed values; none where numbers are cut.
	Names [][]string `json:"names"`
	// Up is, by level but the last, the group of the next level that every group is in. Up[0] is empty where numbers are
	// cut.
	Up [][]int32 `json:"up"`
	// Cuts are the ascending limits between the intervals of level 1: interval k holds Cuts[k-1] <= v < Cuts[k], the first
	// and the last are open-ended. The groups above are intervals too. Nil where values are listed; empty where level 1
	// has one interval.
	Cuts []float64 `json:"cuts,omitzero"`
	// Domain is what the intervals divide; widths are measured in it. Zero where values are listed.
	Domain table.Interval `json:"domain,omitzero"`
}

// Height returns the number of the last level.
func (h *Hierarchy) Height() int { return len(h.Names) - 1 }

// Numeric reports whether the hierarchy cuts numbers into intervals.
func (h *Hierarchy) Numeric() bool { return h.Cuts != nil }

// Lowest returns the lowest level that has groups: 1 where numbers are cut, of which level 0 has none, else 0.
func (h *Hierarchy) Lowest() int {
	if h.Numeric() {
		return 1
	}
	return 0
}

// Labels returns the labels of the groups of a level; nil for level 0 of numbers that are cut. The caller does not
// change them.
func (h *Hierarchy) Labels(level int) []string { return h.Names[level] }

// Raise returns the group on level to that every group of level from is in; both levels are in [Lowest, Height], and
// from <= to. Cost: O(groups of level from, times levels).
func (h *Hierarchy) Raise(from, to int) []int32 {
	up := make([]int32, len(h.Names[from]))
	for g := range up {
		k := int32(g)
		for l := from; l < to; l++ {
			k = h.Up[l][k]
		}
		up[g] = k
	}
	return up
}

// Check returns an error unless every group has a label of its own on its level, holds something, and is inside one
// group of the next level.
func (h *Hierarchy) Check() error {
	switch {
	case len(h.Names) < 2:
		return fmt.Errorf("the hierarchy of %q has %d levels, expected the values and at least one more", h.Attribute,
			len(h.Names))
	case len(h.Up) != h.Height():
		return fmt.Errorf("the hierarchy of %q has %d steps between levels, expected %d", h.Attribute, len(h.Up), h.Height())
	case h.Numeric() && (len(h.Names[0]) > 0 || len(h.Up[0]) > 0 || len(h.Names[1]) != len(h.Cuts)+1 ||
		!ascending(h.Cuts)):
		return fmt.Errorf("the intervals of the hierarchy of %q do not fit their limits", h.Attribute)
	case h.Numeric() && !bounded(h.Domain):
		return fmt.Errorf("the domain of the hierarchy of %q has no limits in ascending order", h.Attribute)
	}
	for l := range h.Names {
		if err := h.checkLabels(l); err != nil {
			return err
		}
		if l < h.Height() && (l > 0 || !h.Numeric()) {
			if err := h.checkStep(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkLabels refuses a level without groups, and labels that are empty, no text, or given twice.
func (h *Hierarchy) checkLabels(l int) error {
	names := h.Names[l]
	if len(names) == 0 && l >= h.Lowest() {
		return fmt.Errorf("level %d of the hierarchy of %q has no group", l, h.Attribute)
	}
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		switch {
		case n == "" || !utf8.ValidString(n):
			return fmt.Errorf("a group of level %d of the hierarchy of %q has no label, or one that is not UTF-8 text", l,
				h.Attribute)
		case seen[n]:
			return fmt.Errorf("two groups of level %d of the hierarchy of %q have one label", l, h.Attribute)
		}
		seen[n] = true
	}
	return nil
}

// checkStep refuses a level whose groups are not inside those of the next, or do not fill them.
func (h *Hierarchy) checkStep(l int) error {
	up, above := h.Up[l], len(h.Names[l+1])
	if len(up) != len(h.Names[l]) {
		return fmt.Errorf("level %d of the hierarchy of %q has %d groups, and the next one is known of %d", l, h.Attribute,
			len(h.Names[l]), len(up))
	}
	held, filled := make([]bool, above), 0
	last := int32(0)
	for _, g := range up {
		if g < 0 || int(g) >= above {
			return fmt.Errorf("a group of level %d of the hierarchy of %q is in none of the next", l, h.Attribute)
		}
		if h.Numeric() && g < last {
			return fmt.Errorf("a group at level %d of the hierarchy of %q is not an interval, or the groups are "+
				"not in order", l+1, h.Attribute)
		}
		if last = g; !held[g] {
			held[g] = true
			filled++
		}
	}
	if filled < above {
		return fmt.Errorf("a group of level %d of the hierarchy of %q holds nothing", l+1, h.Attribute)
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

// bounded reports whether the limits of an interval are numbers in ascending order, and their distance is one.
func bounded(iv table.Interval) bool {
	return iv.Lo <= iv.Hi && !math.IsInf(iv.Hi-iv.Lo, 0) && !math.IsNaN(iv.Hi-iv.Lo)
}
