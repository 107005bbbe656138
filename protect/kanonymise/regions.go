package kanonymise

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/hierarchy"
	"github.com/dither-data/dither/table"
)

// Regions is a partition of all records that there may be: those that lack the same values into the regions below one root.
type Regions struct {
	Axes  []Axis   `json:"axes"` // by quasi-identifier
	Roots []Root   `json:"roots"`
	Nodes []Region `json:"nodes"` // a region before those it is divided into
}

// Axis is the order in which a quasi-identifier is cut.
type Axis struct {
	Domain    table.Interval       `json:"domain,omitzero"` // of numbers: where widths are measured
	Order     []int32              `json:"order,omitempty"` // of categories: their codes
	Hierarchy *hierarchy.Hierarchy `json:"hierarchy,omitempty"`
}

// Root is where records begin that lack the same quasi-identifiers. Records that lack others than any root's records do begin nowhere: they
// are released as general as can be.
type Root struct {
	Missing []int `json:"missing,omitempty"` // positions among the quasi-identifiers, ascending
	Node    int   `json:"node"`
}

// Region is divided in two by an attribute, or is a leaf.
type Region struct {
	Axis int     `json:"axis"` // the quasi-identifier that is tested; -1 for a leaf
	Cut  float64 `json:"cut"`  // numbers, or positions in the order of categories, below it are in the first part
	Kids [2]int  `json:"kids"`
}

// span is the part of an axis that a region covers: lo <= v < hi.
type span struct{ lo, hi float64 }

func (a *Axis) whole() span {
	if a.Order != nil {
		return span{0, float64(len(a.Order))}
	}
	return span{math.Inf(-1), math.Inf(1)}
}

// face is what the release shows of a quasi-identifier.
type face struct {
	spans []float64 // by label
	attr  table.Attribute
	code  []int32 // by leaf, in the order of the nodes
	whole int32   // code of the label that covers all
}

// face works out the labels of all leaves on an axis.
func (r *Regions) face(p *Plan, k int) face {
	a, axis, spans := &p.Attrs[p.Quasi[k]], &r.Axes[k], r.extents(k)
	all := []span{axis.whole()}
	for n, node := range r.Nodes {
		if node.Axis < 0 {
			all = append(all, spans[n])
		}
	}
	slices.SortFunc(all, func(x, y span) int { return cmp.Or(cmp.Compare(x.lo, y.lo), cmp.Compare(x.hi, y.hi)) })
	f := face{attr: table.Attribute{Name: a.Name, Kind: table.Categorical, Role: a.Role}, code: make([]int32, len(r.Nodes))}
	codes, at := map[string]int32{}, map[span]int32{}
	for _, s := range slices.Compact(all) {
		text := axis.label(a, s)
		code, ok := codes[text]
		if !ok {
			code = int32(len(f.attr.Labels))
			codes[text], f.attr.Labels, f.spans = code, append(f.attr.Labels, text), append(f.spans, 0)
		}
		f.spans[code], at[s] = max(f.spans[code], axis.share(s)), code
	}
	for n, node := range r.Nodes {
		if node.Axis < 0 {
			f.code[n] = at[spans[n]]
		}
	}
	f.whole = at[axis.whole()]
	return f
}

// extents returns what every node covers of an axis.
func (r *Regions) extents(k int) []span {
	out := make([]span, len(r.Nodes))
	for _, root := range r.Roots {
		out[root.Node] = r.Axes[k].whole()
	}
	for n, node := range r.Nodes {
		if node.Axis < 0 {
			continue
		}
		low, high := out[n], out[n]
		if node.Axis == k {
			low.hi, high.lo = node.Cut, node.Cut
		}
		out[node.Kids[0]], out[node.Kids[1]] = low, high
	}
	return out
}

// share returns how much of the axis a span covers, in [0, 1]; a single category covers 0.
func (x *Axis) share(s span) float64 {
	if x.Order != nil {
		if len(x.Order) < 2 {
			return 0
		}
		return (s.hi - s.lo - 1) / float64(len(x.Order)-1)
	}
	lo, hi := max(s.lo, x.Domain.Lo), min(s.hi, x.Domain.Hi)
	if !(x.Domain.Hi > x.Domain.Lo) {
		return 0
	}
	return min(1, max(0, hi-lo)/(x.Domain.Hi-x.Domain.Lo))
}

// label says a span: an interval, one category, a run of them, a group of the hierarchy, or a set.
func (x *Axis) label(a *table.Attribute, s span) string {
	if s == x.whole() {
		return hierarchy.Top
	}
	if x.Order == nil {
		return interval(a, s)
	}
	lo, hi := int(s.lo), int(s.hi)
	names := make([]string, 0, hi-lo)
	switch {
	case x.Hierarchy != nil:
		names = x.cover(a, lo, hi)
	case a.Ordered && hi > lo+1:
		return a.Labels[x.Order[lo]] + " .. " + a.Labels[x.Order[hi-1]]
	default:
		for _, code := range x.Order[lo:hi] {
			names = append(names, a.Labels[code])
		}
	}
	if len(names) == 1 {
		return names[0]
	}
	return "{" + strings.Join(names, ", ") + "}"
}

func interval(a *table.Attribute, s span) string {
	text := func(v float64) string { return string(table.AppendNumber(nil, v, a.Step)) }
	switch {
	case math.IsInf(s.lo, -1):
		return "< " + text(s.hi)
	case math.IsInf(s.hi, 1):
		return ">= " + text(s.lo)
	case a.Step > 0 && math.Abs(s.hi-s.lo-a.Step) < a.Step/2:
		return text(s.lo) // on the grid there is no other number in it
	}
	return "[" + text(s.lo) + ", " + text(s.hi) + ")"
}

// cover returns the fewest groups of the hierarchy that hold the categories from lo to hi-1 of the order and no others.
func (x *Axis) cover(a *table.Attribute, lo, hi int) []string {
	h := x.Hierarchy
	levels := make([][]int32, h.Height()+1)
	for l := range levels {
		levels[l] = x.groups(a, l)
	}
	var names []string
	for lo < hi {
		to, name := lo+1, a.Labels[x.Order[lo]]
		for l, of := range levels {
			g := of[lo]
			from, end := lo, lo
			for from > 0 && of[from-1] == g {
				from--
			}
			for end < len(of) && of[end] == g {
				end++
			}
			if g >= 0 && from == lo && end <= hi && end > to { // of groups that hold the same, the most special one
				to, name = end, h.Names[l][g]
			}
		}
		names, lo = append(names, name), to
	}
	return names
}

// groups returns the group of every category, in the order of the axis; -1 where it is not listed.
func (x *Axis) groups(a *table.Attribute, level int) []int32 {
	at := make(map[string]int32, len(x.Hierarchy.Names[0]))
	for k, up := range x.Hierarchy.Raise(0, level) {
		at[x.Hierarchy.Names[0][k]] = up
	}
	out := make([]int32, len(x.Order))
	for k, code := range x.Order {
		g, ok := at[a.Labels[code]]
		if !ok {
			g = -1
		}
		out[k] = g
	}
	return out
}

// ranks returns the position of every category in the order.
func (x *Axis) ranks() []int32 {
	out := make([]int32, len(x.Order))
	for k, code := range x.Order {
		out[code] = int32(k)
	}
	return out
}

// recode shows every record as its region.
func (r *Regions) recode(p *Plan, t *table.Table) (*table.Table, error) {
	leaf, err := r.leaves(p, t)
	if err != nil {
		return nil, err
	}
	cols := t.Columns()
	for k, j := range p.Quasi {
		f, codes := r.face(p, k), make([]int32, t.Rows())
		for i, n := range leaf {
			switch {
			case t.MissingAt(i, j):
				codes[i] = -1
			case n < 0:
				codes[i] = f.whole
			default:
				codes[i] = f.code[n]
			}
		}
		cols[j] = table.Column{Attribute: f.attr, Cat: codes}
	}
	return t.WithColumns(cols)
}

// leaves returns the leaf of every record, -1 where none is known.
func (r *Regions) leaves(p *Plan, t *table.Table) ([]int32, error) {
	at := make([]func(i int) float64, len(p.Quasi)) // NaN where missing
	for k, j := range p.Quasi {
		if p.Attrs[j].Kind == table.Numeric {
			v := t.Num(j)
			at[k] = func(i int) float64 { return v[i] }
			continue
		}
		ranks, v := r.Axes[k].ranks(), t.Cat(j)
		at[k] = func(i int) float64 {
			if v[i] < 0 {
				return math.NaN()
			}
			return float64(ranks[v[i]])
		}
	}
	roots := make(map[string]int, len(r.Roots))
	for _, root := range r.Roots {
		roots[pattern(len(p.Quasi), func(k int) bool { return slices.Contains(root.Missing, k) })] = root.Node
	}
	leaf := make([]int32, t.Rows())
	mark := make([]byte, len(p.Quasi))
	for i := range leaf {
		for k := range mark {
			v := at[k](i)
			if mark[k] = '.'; v != v {
				mark[k] = '?'
			}
		}
		n, ok := roots[string(mark)]
		if leaf[i] = -1; !ok {
			continue
		}
		for r.Nodes[n].Axis >= 0 {
			kid := 0
			if at[r.Nodes[n].Axis](i) >= r.Nodes[n].Cut {
				kid = 1
			}
			n = r.Nodes[n].Kids[kid]
		}
		leaf[i] = int32(n)
	}
	return leaf, nil
}

// pattern writes which values are missing.
func pattern(n int, missing func(k int) bool) string {
	out := make([]byte, n)
	for k := range out {
		if out[k] = '.'; missing(k) {
			out[k] = '?'
		}
	}
	return string(out)
}

// check refuses a decoded partition that is not consistent.
func (r *Regions) check(p *Plan) error {
	if len(r.Axes) != len(p.Quasi) {
		return fmt.Errorf("there are %d axes, expected %d", len(r.Axes), len(p.Quasi))
	}
	for k := range r.Axes {
		if err := r.Axes[k].check(&p.Attrs[p.Quasi[k]]); err != nil {
			return err
		}
	}
	parents := make([]int, len(r.Nodes))
	for _, root := range r.Roots {
		if !ascending(root.Missing, len(p.Quasi)) || root.Node < 0 || root.Node >= len(r.Nodes) {
			return errors.New("a root of the partition is out of place")
		}
		parents[root.Node]++
	}
	for n, node := range r.Nodes {
		if node.Axis < 0 {
			continue
		}
		if node.Axis >= len(r.Axes) || math.IsNaN(node.Cut) {
			return errors.New("a region is divided by no quasi-identifier, or nowhere")
		}
		for _, kid := range node.Kids {
			if kid <= n || kid >= len(r.Nodes) {
				return errors.New("a region is inside none that comes before it")
			}
			parents[kid]++
		}
	}
	if slices.ContainsFunc(parents, func(n int) bool { return n != 1 }) {
		return errors.New("a region is inside several others, or inside none")
	}
	for k := range r.Axes {
		x := &r.Axes[k]
		for n, s := range r.extents(k) {
			if !(s.lo < s.hi) || x.Order != nil && (s.lo != math.Trunc(s.lo) || s.hi != math.Trunc(s.hi)) {
				return fmt.Errorf("region %d is cut outside its limits", n+1)
			}
		}
	}
	return nil
}

func (x *Axis) check(a *table.Attribute) error {
	if a.Kind == table.Numeric {
		if x.Order != nil || x.Hierarchy != nil {
			return fmt.Errorf("column %q is numeric and has an order of categories", a.Name)
		}
		return nil
	}
	seen := make([]bool, len(a.Labels))
	for _, code := range x.Order {
		if code < 0 || int(code) >= len(seen) || seen[code] {
			return fmt.Errorf("the order of column %q is none of its categories", a.Name)
		}
		seen[code] = true
	}
	if len(x.Order) != len(seen) {
		return fmt.Errorf("the order of column %q has %s categories, expected %d", a.Name, strconv.Itoa(len(x.Order)), len(seen))
	}
	if x.Hierarchy == nil {
		return nil
	}
	if x.Hierarchy.Numeric() {
		return fmt.Errorf("column %q is categorical, and its hierarchy cuts numbers into intervals", a.Name)
	}
	return x.Hierarchy.Check()
}
