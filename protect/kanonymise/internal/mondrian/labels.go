package mondrian

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/table"
)

// span is the part of an axis that a region covers: lo <= v < hi.
type span struct{ lo, hi float64 }

func (a *Axis) whole() span {
	if a.Order != nil {
		return span{0, float64(len(a.Order))}
	}
	return span{math.Inf(-1), math.Inf(1)}
}

// Face is what a release shows of a column.
type Face struct {
	Attr  table.Attribute // its labels are those of all leaves
	Spans []float64       // by label: how much of the axis it covers, in [0, 1]
	code  []int32         // by node: that of a leaf's label
	whole int32           // code of the label that covers all
}

// Face works out the labels of all leaves on the axis of column k, whose attribute is a.
func (p *Partition) Face(k int, a *table.Attribute) Face {
	axis, spans := &p.Axes[k], p.extents(k)
	all := []span{axis.whole()}
	for n, node := range p.Nodes {
		if node.Axis < 0 {
			all = append(all, spans[n])
		}
	}
	sorting.Func(all, func(x, y span) int { return cmp.Or(cmp.Compare(x.lo, y.lo), cmp.Compare(x.hi, y.hi)) })
	f := Face{
		Attr: table.Attribute{Name: a.Name, Kind: table.Categorical, Role: a.Role},
		code: make([]int32, len(p.Nodes)),
	}
	codes, at := map[string]int32{}, map[span]int32{}
	for _, s := range slices.Compact(all) {
		text := axis.label(a, s)
		code, ok := codes[text]
		if !ok {
			code = int32(len(f.Attr.Labels))
			codes[text], f.Attr.Labels, f.Spans = code, append(f.Attr.Labels, text), append(f.Spans, 0)
		}
		f.Spans[code], at[s] = max(f.Spans[code], axis.share(s)), code
	}
	for n, node := range p.Nodes {
		if node.Axis < 0 {
			f.code[n] = at[spans[n]]
		}
	}
	f.whole = at[axis.whole()]
	return f
}

// extents returns what every node covers of an axis.
func (p *Partition) extents(k int) []span {
	out := make([]span, len(p.Nodes))
	for _, root := range p.Roots {
		out[root.Node] = p.Axes[k].whole()
	}
	for n, node := range p.Nodes {
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
	text := func(v float64) string { return string(a.AppendValue(nil, v)) }
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
	levels := x.levels(a)
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
				to, name = end, x.Hierarchy.Names[l][g]
			}
		}
		names, lo = append(names, name), to
	}
	return names
}

// levels returns the groups on every level of the hierarchy.
func (x *Axis) levels(a *table.Attribute) [][]int32 {
	out := make([][]int32, x.Hierarchy.Height()+1)
	for l := range out {
		out[l] = x.groups(a, l)
	}
	return out
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
