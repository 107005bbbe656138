package kmanonymise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/anonymity/rareset"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/table"
)

// none stands for no node: above the most general ones, and where an item is suppressed.
const none = -1

// cut is which node of the hierarchy every item is released as. Nodes are numbered level by level, the listed items
// first.
type cut struct {
	k        int
	local    bool
	listed   int     // items in the hierarchy
	up       []int32 // by node: the one above; none where that holds everything
	size     []int64 // by node: listed items in it
	names    []string
	leaf     []int32   // by label of the column: the listed item, or none where it does not occur
	under    [][]int32 // by node: labels that occur
	rows     [][]int32 // by label: the records with it, ascending
	at       []int32   // by label: the node that it is released as, or none
	holders  map[int32][]int32
	changed  bool
	combined []int32
}

// generalised finds what the items of a column become, whose records are people; nil where there is no hierarchy of
// them.
func generalised(ctx context.Context, c *table.Column, q *Technique) (*Groups, error) {
	h := q.hierarchies[c.Name]
	if h == nil {
		return nil, nil
	}
	u, err := newCut(c, h)
	if err != nil {
		return nil, err
	}
	u.k, u.local = q.K, q.Suppress == Local
	for m := 1; m <= q.M; m++ {
		for u.changed = true; u.changed; {
			if err := u.round(ctx, c.Sets, m); err != nil {
				return nil, err
			}
		}
	}
	return u.groups()
}

// newCut returns the items as they are.
func newCut(c *table.Column, h *hierarchy.Hierarchy) (*cut, error) {
	if err := h.Check(); err != nil {
		return nil, err
	}
	if h.Numeric() {
		return nil, errors.New("its hierarchy cuts numbers into intervals, and it holds sets of items")
	}
	u := &cut{listed: len(h.Names[0]), holders: map[int32][]int32{}}
	for l, names := range h.Names {
		first := len(u.names)
		for g := range names {
			u.up, u.size = append(u.up, none), append(u.size, 0)
			if l < h.Height() {
				u.up[first+g] = int32(first+len(names)) + h.Up[l][g]
			}
		}
		u.names = append(u.names, names...)
	}
	for v := range u.listed {
		for n := int32(v); n != none; n = u.up[n] {
			u.size[n]++
		}
	}
	for n, up := range u.up {
		if up != none && u.size[up] == int64(u.listed) {
			u.up[n] = none
		}
	}
	return u, u.occur(c, h)
}

// occur finds which items occur, and where. An item that the hierarchy does not list is an error.
func (u *cut) occur(c *table.Column, h *hierarchy.Hierarchy) error {
	listed := make(map[string]int32, u.listed)
	for v, name := range h.Names[0] {
		listed[name] = int32(v)
	}
	u.leaf, u.at, u.rows = make([]int32, len(c.Labels)), make([]int32, len(c.Labels)), make([][]int32, len(c.Labels))
	u.under = make([][]int32, len(u.names))
	for i := range c.Sets.Rows() {
		for _, v := range c.Sets.Present.Row(i) {
			u.rows[v] = append(u.rows[v], int32(i))
		}
	}
	lacks := 0
	for v, name := range c.Labels {
		u.leaf[v], u.at[v] = none, none
		n, ok := listed[name]
		switch {
		case ok:
			u.leaf[v], u.at[v] = n, n
			for ; n != none; n = u.up[n] {
				u.under[n] = append(u.under[n], int32(v))
			}
		case len(u.rows[v]) > 0:
			lacks++
		}
	}
	if lacks > 0 {
		return fmt.Errorf("its hierarchy does not list %s that occur in it", numfmt.Counted(lacks, "item"))
	}
	return nil
}

// round looks at all rare sets of up to m nodes, as they are at its beginning, and breaks those that are still rare.
func (u *cut) round(ctx context.Context, s *table.Sets, m int) error {
	u.changed = false
	var row []int32
	d, err := rareset.New(s.Rows(), len(u.names), nil, func(i int) []int32 {
		row = row[:0]
		for _, v := range s.Present.Row(i) {
			if u.at[v] != none {
				row = append(row, u.at[v])
			}
		}
		slices.Sort(row)
		row = slices.Compact(row)
		return row
	})
	if err == nil {
		err = d.Check(m)
	}
	if err != nil {
		return err
	}
	return d.Rare(ctx, u.k, m, func(sets [][]int32, records int) {
		for _, nodes := range sets {
			u.settle(nodes, records)
		}
	})
}

// settle breaks a set of nodes, if it is still rare, by what loses least. Records is how many occurrences all rare sets
// with the first of the nodes have.
func (u *cut) settle(nodes []int32, records int) {
	now := u.now(nodes)
	if now == nil {
		return
	}
	n := len(u.shared(now))
	if n == 0 || n >= u.k {
		return
	}
	victim, price := u.cheapest(now)
	if u.local {
		price = int64(min(max(n, records), len(u.holding(now[0])))) * (int64(u.listed) - u.size[now[0]])
	}
	for _, way := range u.ways(now, price) {
		if len(u.shared(way.nodes)) >= u.k {
			for _, n := range way.nodes {
				u.raise(n)
			}
			return
		}
	}
	if !u.local {
		u.suppress(victim)
	}
}

// now returns the nodes that items of some nodes are released as, or nil where one is suppressed altogether.
func (u *cut) now(nodes []int32) (out []int32) {
	for _, n := range nodes {
		at := int32(none)
		for _, v := range u.under[n] {
			if at = u.at[v]; at != none {
				break
			}
		}
		if at == none {
			return nil
		}
		if !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out
}

// holding returns the records with an item of a node that is not suppressed, ascending.
func (u *cut) holding(n int32) []int32 {
	rows, ok := u.holders[n]
	if !ok {
		for _, v := range u.under[n] {
			if u.at[v] != none {
				rows = append(rows, u.rows[v]...)
			}
		}
		slices.Sort(rows)
		rows = slices.Compact(rows)
		u.holders[n] = rows
	}
	return rows
}

// shared returns the records with all of some nodes, k of them at most.
func (u *cut) shared(nodes []int32) []int32 {
	fewest := slices.MinFunc(nodes, func(a, b int32) int { return cmp.Compare(len(u.holding(a)), len(u.holding(b))) })
	u.combined = u.combined[:0]
	for _, i := range u.holding(fewest) {
		all := true
		for _, n := range nodes {
			if all && n != fewest {
				_, all = slices.BinarySearch(u.holding(n), i)
			}
		}
		if all {
			if u.combined = append(u.combined, i); len(u.combined) == u.k {
				break
			}
		}
	}
	return u.combined
}

// cheapest returns the node whose suppression in all records loses least, in listed items times occurrences.
func (u *cut) cheapest(nodes []int32) (victim int32, price int64) {
	for k, n := range nodes {
		loss := int64(0)
		for _, v := range u.under[n] {
			if u.at[v] == n {
				loss += int64(len(u.rows[v])) * (int64(u.listed) - u.size[n])
			}
		}
		if k == 0 || loss < price {
			victim, price = n, loss
		}
	}
	return victim, price
}

// way is a generalisation of some nodes.
type way struct {
	nodes []int32
	loss  int64
}

// ways returns the generalisations of nodes that lose no more than a price, those that lose least first.
func (u *cut) ways(nodes []int32, price int64) (out []way) {
	var choose func(rest, chosen []int32)
	choose = func(rest, chosen []int32) {
		if len(rest) > 0 {
			for n := rest[0]; n != none; n = u.up[n] {
				choose(rest[1:], append(chosen, n))
			}
			return
		}
		w := way{nodes: u.highest(chosen)}
		for _, n := range w.nodes {
			w.loss += u.loss(n)
		}
		if w.loss <= price && !slices.Equal(w.nodes, nodes) {
			out = append(out, w)
		}
	}
	choose(nodes, nil)
	sorting.Stable(out, func(a, b way) int { return cmp.Compare(a.loss, b.loss) })
	return out
}

// highest returns the nodes that are inside no other, each once.
func (u *cut) highest(nodes []int32) (out []int32) {
	for _, n := range nodes {
		inside := slices.Contains(out, n)
		for at := u.up[n]; at != none; at = u.up[at] {
			inside = inside || slices.Contains(nodes, at)
		}
		if !inside {
			out = append(out, n)
		}
	}
	return out
}

// loss returns what releasing all items of a node as it loses more than now, in listed items times occurrences.
func (u *cut) loss(n int32) (loss int64) {
	for _, v := range u.under[n] {
		if u.at[v] != none {
			loss += int64(len(u.rows[v])) * max(0, u.size[n]-u.size[u.at[v]])
		}
	}
	return loss
}

// raise releases all items of a node as it.
func (u *cut) raise(n int32) {
	for _, v := range u.under[n] {
		if at := u.at[v]; at != none && at < n {
			u.at[v], u.changed = n, true
		}
	}
}

// suppress takes the items of a node from all records.
func (u *cut) suppress(n int32) {
	for at := n; at != none; at = u.up[at] {
		delete(u.holders, at)
	}
	for _, v := range u.under[n] {
		u.at[v], u.changed = none, true
	}
}

// groups returns what the items become. Items that do not occur become what those of their group do.
func (u *cut) groups() (*Groups, error) {
	g := &Groups{Of: make([]int32, len(u.at))}
	label, code := map[string]int32{}, map[int32]int32{}
	lost, cells := 0.0, 0.0
	for v, n := range u.at {
		if g.Of[v] = none; n == none {
			continue
		}
		c, ok := code[n]
		if !ok {
			c = int32(len(g.Labels))
			if _, twice := label[u.names[n]]; twice {
				return nil, errors.New("two groups that are released, of different levels of its hierarchy, have one label")
			}
			label[u.names[n]], code[n] = c, c
			g.Labels = append(g.Labels, u.names[n])
		}
		if g.Of[v] = c; u.size[n] > 1 {
			g.Raised++
		}
		lost += float64(len(u.rows[v])) * float64(u.size[n]-1) / float64(max(1, u.listed-1))
		cells += float64(len(u.rows[v]))
	}
	g.Loss = lost / max(1, cells)
	return g, nil
}
