// Package generality measures how general the cells of a generalised release are: at which level of their hierarchy,
// and how much of their attribute's domain they cover.
//
// A cell whose value is gone is as general as can be, and so is one whose value is not the record's own, a perturbed
// one: it covers nothing for certain. A cell that was missing in the original has lost nothing.
package generality

import (
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/table"
)

// Cells is how general the cells of one attribute are.
type Cells struct {
	Height int
	Levels []int     // by record, hierarchy.Suppressed for lost cells
	Spans  []float64 // by record: the share of the domain or of the listed values that the cell covers, in [0, 1]
	Gone   int       // cells that were suppressed
	Other  int       // cells with a value that is neither the record's own nor a group of it
}

// Columns returns the attributes whose generality is asked for, ascending: those with the role table.Quasi and those
// known to be generalised or, where there are none, all but the class and weights. Only numbers and categories are
// generalised.
func Columns(attrs []table.Attribute, known func(j int) bool) []int {
	pick := func(ok func(j int) bool) (out []int) {
		for j := range attrs {
			if ok(j) {
				out = append(out, j)
			}
		}
		return out
	}
	if out := pick(func(j int) bool {
		return attrs[j].Kind.Scalar() && (attrs[j].Role&table.Quasi != 0 || known(j))
	}); len(out) > 0 {
		return out
	}
	return pick(func(j int) bool {
		return attrs[j].Kind.Scalar() && attrs[j].Role&(table.Class|table.Weight|table.Identifier) == 0
	})
}

// Known says which attributes are known to be generalised: a hierarchy is given, or a plan that generalises, among the
// mechanisms, changes them, be it by suppression alone.
func Known(attrs []table.Attribute, h hierarchy.Set, mechanisms []noisemodel.Mechanism) func(j int) bool {
	names := map[string]bool{}
	for name := range h {
		names[name] = true
	}
	for _, m := range mechanisms {
		if p, ok := m.(noisemodel.Recoder); ok {
			for _, name := range p.Changes() {
				names[name] = true
			}
		}
	}
	return func(j int) bool { return names[attrs[j].Name] }
}

// Of compares the exact values of an attribute with the released ones. A released value is on the lowest level of the
// hierarchy on which it is the label of the exact value's group; without a hierarchy, nil, it is the exact value or
// lost. It is an error when the hierarchy does not fit the attribute. Cost: O(n) a level, for numbers O(n log v).
func Of(exact, released *table.Column, h *hierarchy.Hierarchy) (*Cells, error) {
	c := compare(exact, released)
	if h == nil || released.Kind != table.Categorical { // what has no labels is in no group
		c.close()
		return c, nil
	}
	c.Height = h.Height()
	for level := h.Lowest(); level <= h.Height() && slices.Contains(c.Levels, open); level++ {
		groups, err := h.Groups(exact, level)
		if err != nil {
			return nil, err
		}
		code := make([]int32, len(h.Labels(level)))
		for g, name := range h.Labels(level) {
			code[g] = released.Code(name)
		}
		spans := h.Spans(level)
		for i, l := range c.Levels {
			if g := groups[i]; l == open && g >= 0 && released.Cat[i] == code[g] {
				c.Levels[i], c.Spans[i] = level, spans[g]
			}
		}
	}
	c.close()
	return c, nil
}

// Fixed returns the cells of an attribute that a plan generalises: all to one level of a hierarchy of that height, each
// covering what its label does. Spans, by label, may be nil. A value where none was is not the record's own.
func Fixed(exact, released *table.Column, level, height int, spans []float64) *Cells {
	c := compare(exact, released)
	c.Height = height
	for i, l := range c.Levels {
		if l != open && l != 0 || exact.MissingAt(i) {
			continue
		}
		c.Levels[i] = level
		if spans != nil && released.Kind == table.Categorical {
			c.Spans[i] = spans[released.Cat[i]]
		}
	}
	c.close()
	return c
}

// open stands for a cell of which nothing is known yet.
const open = math.MinInt

// compare finds the cells that are unchanged, or suppressed.
func compare(exact, released *table.Column) *Cells {
	n := released.Len()
	c := &Cells{Height: 1, Levels: make([]int, n), Spans: make([]float64, n)}
	same := equal(exact, released)
	for i := range n {
		switch was, is := exact.MissingAt(i), released.MissingAt(i); {
		case was && is:
		case is:
			c.Gone++
			c.Levels[i], c.Spans[i] = hierarchy.Suppressed, 1
		case was || !same(i):
			c.Levels[i] = open
		}
	}
	return c
}

// close counts the cells that nothing was found of as lost.
func (c *Cells) close() {
	for i, l := range c.Levels {
		if l == open {
			c.Other++
			c.Levels[i], c.Spans[i] = hierarchy.Suppressed, 1
		}
	}
}

// equal returns whether the released value of a record, which is not missing, is the exact one. Numbers may have become
// categories, which are then compared by what they say; nothing else is a value of another kind.
func equal(exact, released *table.Column) func(i int) bool {
	switch {
	case exact.Kind == table.Categorical && released.Kind == table.Categorical:
		return sameLabel(exact, released)
	case exact.Kind == table.Numeric && released.Kind == table.Categorical:
		value := make([]float64, len(released.Labels))
		for k, text := range released.Labels {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				v = math.NaN()
			}
			value[k] = v
		}
		return func(i int) bool { return exact.Num[i] == value[released.Cat[i]] }
	case exact.Kind == released.Kind && slices.Equal(exact.Labels, released.Labels):
		return func(i int) bool { return !exact.MissingAt(i) && exact.Same(i, released, i) }
	}
	return func(int) bool { return false }
}

// sameLabel returns whether the released category of a record is the exact one, by its label.
func sameLabel(exact, released *table.Column) func(i int) bool {
	at := make(map[string]int32, len(released.Labels))
	for k, text := range released.Labels {
		at[text] = int32(k)
	}
	code := make([]int32, len(exact.Labels))
	for k, text := range exact.Labels {
		c, ok := at[text]
		if !ok {
			c = -1
		}
		code[k] = c
	}
	return func(i int) bool { return exact.Cat[i] >= 0 && code[exact.Cat[i]] == released.Cat[i] }
}

// Void says which records of a table lack all of some columns: suppressed ones.
func Void(t *table.Table, columns []int) []bool {
	out := make([]bool, t.Rows())
	for i := range out {
		out[i] = len(columns) > 0 && !slices.ContainsFunc(columns, func(j int) bool { return !t.MissingAt(i, j) })
	}
	return out
}
