package tabulate

import (
	"errors"
	"math"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/table"
)

// Tree makes a dimension of a categorical column: its values below the total or, with a hierarchy, its values below
// their groups, and so on. A level of one group is the total. Values that do not occur are left out; missing values
// are a code of that label, below the total. A group that is called as a value in it has a star behind its label. Cost:
// that of the column.
func Tree(c *table.Column, h *hierarchy.Hierarchy, missing string) (Dimension, error) {
	g := &growing{h: h, levels: 1, groups: map[[2]int32]int32{}, place: map[string]int32{},
		taken: map[string]bool{Total: true}}
	g.d = Dimension{Name: c.Name, Labels: []string{Total}, Up: []int32{-1}, Leaf: make([]int32, len(c.Cat))}
	if h != nil {
		for g.levels = len(h.Names); g.levels > 1 && len(h.Names[g.levels-1]) == 1; {
			g.levels--
		}
		for k, v := range h.Names[0] {
			g.place[v] = int32(k)
		}
	}
	last := int32(len(c.Labels)) // stands for missing values
	occurs, of := make([]bool, last+1), make([]int32, last+1)
	for i, code := range c.Cat {
		if code < 0 {
			code = last
		}
		occurs[code], g.d.Leaf[i] = true, code
	}
	for code, there := range occurs {
		var err error
		switch {
		case there && int32(code) == last:
			of[code], err = g.add(missing, 0)
		case there:
			of[code], err = g.leaf(c.Labels[code])
		}
		if err != nil {
			return g.d, err
		}
	}
	for i, code := range g.d.Leaf {
		g.d.Leaf[i] = of[code]
	}
	return g.d, nil
}

// growing is a tree to which codes are added.
type growing struct {
	d      Dimension
	h      *hierarchy.Hierarchy
	levels int                // that have several groups
	groups map[[2]int32]int32 // codes of groups, by level and number
	place  map[string]int32   // values of the hierarchy
	taken  map[string]bool    // labels
}

func (g *growing) add(label string, up int32) (int32, error) {
	if g.taken[label] {
		return 0, errors.New("two codes have one label, or one is called " + Total + "; rename them, or a level of the " +
			"hierarchy")
	}
	g.taken[label] = true
	g.d.Labels, g.d.Up = append(g.d.Labels, label), append(g.d.Up, up)
	return int32(len(g.d.Up) - 1), nil
}

// leaf adds a value, and what holds it.
func (g *growing) leaf(value string) (int32, error) {
	if g.h == nil {
		return g.add(value, 0)
	}
	at, listed := g.place[value]
	if !listed {
		return 0, errors.New("a value is not in the hierarchy")
	}
	path := make([]int32, g.levels)
	for l := range path {
		if path[l] = at; l+1 < g.levels {
			at = g.h.Up[l][at]
		}
	}
	up := int32(0)
	for l := g.levels - 1; l > 0; l-- {
		key := [2]int32{int32(l), path[l]}
		code, ok := g.groups[key]
		if !ok {
			label := g.h.Names[l][path[l]]
			if label == value {
				label += " *"
			}
			var err error
			if code, err = g.add(label, up); err != nil {
				return 0, err
			}
			g.groups[key] = code
		}
		up = code
	}
	return g.add(value, up)
}

// Order returns the codes as a reader expects them: each before what is in it, and that before the next beside it.
func (d *Dimension) Order() (out []int32) {
	below := make([][]int32, len(d.Up))
	for code, up := range d.Up {
		if up >= 0 {
			below[up] = append(below[up], int32(code))
		}
	}
	var visit func(code int32)
	visit = func(code int32) {
		out = append(out, code)
		for _, k := range below[code] {
			visit(k)
		}
	}
	visit(0)
	return out
}

// Depth returns how many codes hold a code, the total among them.
func (d *Dimension) Depth(code int32) int { return len(d.Path(code)) - 1 }

// Numbered numbers units that are told apart by numbers; a missing one is a unit of its own.
func Numbered(of []float64) []int32 {
	out, at, next := make([]int32, len(of)), map[float64]int32{}, int32(0)
	for i, v := range of {
		k, ok := at[v]
		if !ok || math.IsNaN(v) {
			k = next
			next++
			at[v] = k
		}
		out[i] = k
	}
	return out
}

// Keys sums the keys of the records of every cell, modulo 2^64.
func (s *Set) Keys(records []uint64) []uint64 {
	inner := make([]uint64, s.Inner())
	for i := range inner {
		for _, record := range s.InnerRecords[s.InnerStart[i]:s.InnerStart[i+1]] {
			inner[i] += records[record]
		}
	}
	out := make([]uint64, len(s.Cells))
	for c := range out {
		for _, i := range s.Within(c) {
			out[c] += inner[i]
		}
	}
	return out
}
