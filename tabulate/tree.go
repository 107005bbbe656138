package tabulate

import (
	"errors"
	"math"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/table"
)

// Tree makes a dimension of a categorical column: its values below the total or, with a hierarchy, its values below
// their groups, and so on. A level of one group is the total. Values that do not occur are left out; missing values
// are a code of that label, below the total. Of one label on several levels the lowest keeps it, and others are told
// apart by their level. Cost: that of the column.
func Tree(c *table.Column, h *hierarchy.Hierarchy, missing string) (Dimension, error) {
	d := Dimension{Name: c.Name, Labels: []string{Total}, Up: []int32{-1}, Leaf: make([]int32, len(c.Cat))}
	levels := 1
	if h != nil {
		for levels = len(h.Names); levels > 1 && len(h.Names[levels-1]) == 1; {
			levels--
		}
	}
	groups := map[[2]int32]int32{} // codes of groups, by level and number
	place := map[string]int32{}    // values of the hierarchy
	taken := map[string]bool{Total: true}
	if h != nil {
		for k, v := range h.Names[0] {
			place[v] = int32(k)
		}
	}
	add := func(label string, up int32) (int32, error) {
		if taken[label] {
			return 0, errors.New("two codes have one label, or one is called " + Total + "; rename them, or a level of " +
				"the hierarchy")
		}
		taken[label] = true
		d.Labels, d.Up = append(d.Labels, label), append(d.Up, up)
		return int32(len(d.Up) - 1), nil
	}
	leaf := func(value string) (int32, error) {
		up := int32(0)
		g, listed := place[value]
		if h != nil && !listed {
			return 0, errors.New("a value is not in the hierarchy")
		}
		path := make([]int32, levels)
		for l := 0; l < levels && h != nil; l++ {
			if path[l] = g; l+1 < levels {
				g = h.Up[l][g]
			}
		}
		for l := levels - 1; l > 0; l-- {
			key := [2]int32{int32(l), path[l]}
			code, ok := groups[key]
			if !ok {
				label := h.Names[l][path[l]]
				if label == value { // a group called as its only value
					label += " *"
				}
				var err error
				if code, err = add(label, up); err != nil {
					return 0, err
				}
				groups[key] = code
			}
			up = code
		}
		return add(value, up)
	}
	occurs, none := make([]bool, len(c.Labels)), false
	for _, code := range c.Cat {
		if code >= 0 {
			occurs[code] = true
		} else {
			none = true
		}
	}
	of := make([]int32, len(c.Labels)+1)
	for code, there := range occurs {
		if there {
			var err error
			if of[code], err = leaf(c.Labels[code]); err != nil {
				return d, err
			}
		}
	}
	if none {
		var err error
		if of[len(c.Labels)], err = add(missing, 0); err != nil {
			return d, err
		}
	}
	for i, code := range c.Cat {
		if code < 0 {
			code = int32(len(c.Labels))
		}
		d.Leaf[i] = of[code]
	}
	return d, nil
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
func (d *Dimension) Depth(code int32) int { return len(d.path(code)) - 1 }

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
