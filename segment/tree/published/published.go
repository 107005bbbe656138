// Package published is about trees and forests that are handed out in the place of a table: what their leaves, tests
// and counts tell of the people that they were learned of, and how to hand one out that tells less.
//
// A leaf of few people says of these what their class is, and that they are there. A test that names a value which few
// people have, as the cuts of C4.5 are values of the table, says that somebody has it. Counts are tables: a class count
// of few people is a small cell, a leaf of one class tells that of everybody in it for certain, and two nodes of
// different trees of which one lies within the other tell how many are in the difference. The schema lists limits of
// columns, which are somebody's values, and rare categories. Few is fewer than a number of people, none is not few.
//
// An intruder who knows all others of a leaf works out the last one from its counts, whatever these are; only noise
// prevents that (mine/privatetree).
//
// Sources: structural attacks on models in trusted research environments (Smith et al. 2023, SACRO-ML: small leaves,
// class disclosure); rules for cells of tables (Hundepool et al. 2012, chapter 4); homogeneity (Machanavajjhala et al.
// 2007).
package published

import (
	"math"
	"slices"

	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Limits say what is too little.
type Limits struct {
	People int  // fewer people than these are few
	Counts bool // the counts of the nodes are handed out, too
}

// Findings count what a forest tells.
type Findings struct {
	Trees       int `json:"trees"`
	Leaves      int `json:"leaves"`
	Least       int `json:"least"`       // people in the smallest leaf that has some
	Small       int `json:"small"`       // leaves of few people
	Values      int `json:"values"`      // tests that name a value which few people have
	Listed      int `json:"listed"`      // columns whose limits or categories are values of few people
	Cells       int `json:"cells"`       // class counts of few people
	Pure        int `json:"pure"`        // leaves of one class, with their counts
	Differences int `json:"differences"` // pairs of nodes that differ by few people
}

// Open is how many things tell of few people.
func (f *Findings) Open() int {
	return f.Small + f.Values + f.Listed + f.Cells + f.Pure + f.Differences
}

// Attack looks for what a forest tells of the people of the table that it was learned of, of which it needs the columns
// with their categories. Cost: O(records x depth) by tree and, with counts, O(nodes^2) for several trees.
func Attack(f *tree.Forest, t *table.Table, l Limits) Findings {
	a := of(t, l)
	out := Findings{Trees: len(f.Trees)}
	var all []node
	for _, grown := range f.Trees {
		nodes := a.nodes(grown)
		for i := range grown.Nodes {
			n := &grown.Nodes[i]
			if !n.Leaf() {
				out.Values += a.named(grown, n)
				continue
			}
			out.Leaves++
			if p := nodes[i].people; p > 0 && (out.Least == 0 || p < out.Least) {
				out.Least = p
			}
			if a.few(nodes[i].people) {
				out.Small++
			}
			if l.Counts {
				classes := 0
				for _, p := range nodes[i].classes {
					if p > 0 {
						classes++
					}
					if a.few(p) {
						out.Cells++
					}
				}
				if classes == 1 && len(grown.ClassLabels()) > 1 {
					out.Pure++
				}
			}
		}
		all = append(all, nodes...)
	}
	out.Listed = a.listed(f)
	if l.Counts && len(f.Trees) > 1 {
		out.Differences = a.differences(all)
	}
	return out
}

// attack is an attack under way.
type attack struct {
	Limits
	t    *table.Table
	of   []int32                 // whose the records are; nil where each is a person's
	seen map[int]map[string]bool // by column: the categories that few people have
}

func of(t *table.Table, l Limits) *attack {
	a := &attack{Limits: l, t: t, seen: map[int]map[string]bool{}}
	a.of, _ = t.People()
	return a
}

// coded returns the table with the codes of a tree: a category that it does not list is missing.
func (a *attack) coded(attrs []table.Attribute) *table.Table {
	t := a.t
	for j := range attrs {
		if attrs[j].Kind != table.Categorical || slices.Equal(attrs[j].Labels, t.Attr(j).Labels) {
			continue
		}
		to, codes := make([]int32, len(t.Attr(j).Labels)), make([]int32, t.Rows())
		for c, l := range t.Attr(j).Labels {
			to[c] = int32(slices.Index(attrs[j].Labels, l))
		}
		for i, c := range t.Cat(j) {
			if codes[i] = -1; c >= 0 {
				codes[i] = to[c]
			}
		}
		t, _ = t.WithColumn(j, table.Column{Attribute: attrs[j], Cat: codes}) // as long as the others
	}
	return t
}

func (a *attack) few(people int) bool { return people > 0 && people < a.People }

// count returns how many people records are of.
func (a *attack) count(rows []int) int {
	if a.of == nil {
		return len(rows)
	}
	seen := map[int32]bool{}
	for _, i := range rows {
		seen[a.of[i]] = true
	}
	return len(seen)
}

// node is a node with the people below, and what is told of where they are.
type node struct {
	tree    *tree.Tree
	people  int
	classes []int // people by class
	region  region
}

// nodes returns the nodes of a tree with their people.
func (a *attack) nodes(grown *tree.Tree) []node {
	t, leaf, at := a.coded(grown.Attrs), make([]int32, a.t.Rows()), grown.Leaves()
	grown.Route(t, leaf)
	out, rows := make([]node, len(grown.Nodes)), make([][]int, len(grown.Nodes))
	for i, l := range leaf {
		rows[at[l]] = append(rows[at[l]], i)
	}
	for i := len(grown.Nodes) - 1; i >= 0; i-- { // parents stand before their children
		for _, k := range grown.Nodes[i].Kids {
			rows[i] = append(rows[i], rows[k]...)
		}
	}
	class := t.Cat(grown.Class)
	for i := range out {
		out[i] = node{tree: grown, people: a.count(rows[i]), classes: make([]int, len(grown.ClassLabels()))}
		by := make([][]int, len(out[i].classes))
		for _, row := range rows[i] {
			if c := class[row]; c >= 0 && int(c) < len(by) {
				by[c] = append(by[c], row)
			}
		}
		for c := range by {
			out[i].classes[c] = a.count(by[c])
		}
	}
	grown.Walk(func(path []tree.Step, i int32) { out[i].region = regionOf(grown, path) })
	return out
}

// named returns 1 for a test that names a value which few people have.
func (a *attack) named(t *tree.Tree, n *tree.Node) int {
	if n.Branch == nil {
		if a.rareNumber(n.Attr, n.Cut) {
			return 1
		}
		return 0
	}
	if a.t.Attr(n.Attr).Declared {
		return 0
	}
	rare := a.rare(n.Attr)
	for code, k := range n.Branch {
		if k >= 0 && rare[t.Attrs[n.Attr].Labels[code]] {
			return 1
		}
	}
	return 0
}

// rareNumber reports whether few people have a number in a column.
func (a *attack) rareNumber(j int, x float64) bool {
	var rows []int
	for i, v := range a.t.Num(j) {
		if v == x {
			rows = append(rows, i)
		}
	}
	return a.few(a.count(rows))
}

// rare says by category which ones of a column few people have.
func (a *attack) rare(j int) map[string]bool {
	if a.seen[j] != nil {
		return a.seen[j]
	}
	rows, out := make([][]int, len(a.t.Attr(j).Labels)), map[string]bool{}
	for i, c := range a.t.Cat(j) {
		if c >= 0 {
			rows[c] = append(rows[c], i)
		}
	}
	for c := range rows {
		if a.few(a.count(rows[c])) {
			out[a.t.Attr(j).Labels[c]] = true
		}
	}
	a.seen[j] = out
	return out
}

// listed counts the columns whose limits or categories, as the schema lists them, are values of few people. What is
// declared is the custodian's to tell.
func (a *attack) listed(f *tree.Forest) (n int) {
	for j, own := range f.Attrs() {
		switch {
		case own.Declared || a.t.Attr(j).Declared:
		case own.Kind == table.Numeric:
			if a.rareNumber(j, own.Domain.Lo) || a.rareNumber(j, own.Domain.Hi) {
				n++
			}
		case own.Kind == table.Categorical:
			rare := a.rare(j)
			if slices.ContainsFunc(own.Labels, func(l string) bool { return rare[l] }) {
				n++
			}
		case own.Kind == table.SetValued:
		}
	}
	return n
}

// differences counts the pairs of nodes of different trees of which one lies within the other and has few people less.
func (a *attack) differences(all []node) (n int) {
	for x := range all {
		for y := range all {
			d := all[x].people - all[y].people
			if all[x].tree != all[y].tree && a.few(d) && all[y].region.within(all[x].region) {
				n++
			}
		}
	}
	return n
}

// region is what the tests on the way to a node say: by column, an interval of numbers or the codes that pass.
type region struct {
	nums map[int]table.Interval
	cats map[int][]int32
}

func regionOf(t *tree.Tree, path []tree.Step) region {
	r := region{map[int]table.Interval{}, map[int][]int32{}}
	for _, s := range path {
		n := &t.Nodes[s.Node]
		if n.Branch != nil {
			var codes []int32
			for c, k := range n.Branch {
				if k == s.Kid && (r.cats[n.Attr] == nil || slices.Contains(r.cats[n.Attr], int32(c))) {
					codes = append(codes, int32(c))
				}
			}
			r.cats[n.Attr] = codes
			continue
		}
		in, ok := r.nums[n.Attr]
		if !ok {
			in = table.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}
		}
		if s.Kid == 0 {
			in.Hi = min(in.Hi, n.Cut)
		} else {
			in.Lo = max(in.Lo, n.Cut)
		}
		r.nums[n.Attr] = in
	}
	return r
}

// within reports whether a region is a part of another.
func (r region) within(o region) bool {
	for j, in := range o.nums {
		own, ok := r.nums[j]
		if !ok || own.Lo < in.Lo || own.Hi > in.Hi {
			return false
		}
	}
	for j, codes := range o.cats {
		own, ok := r.cats[j]
		if !ok || slices.ContainsFunc(own, func(c int32) bool { return !slices.Contains(codes, c) }) {
			return false
		}
	}
	return true
}
