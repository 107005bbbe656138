// Package mondrian partitions records into regions of similar ones, by halving them at the median of a column, the
// widest first, as long as both halves are large enough and meet a rule (LeFevre, DeWitt & Ramakrishnan 2006, strict
// partitioning). A region is what it leaves of every column: an interval of numbers, a run of categories in their
// order, or in that of a hierarchy.
//
// Regions cover the whole domain, not only the extent of their records, so that any record has one. Records that lack
// the same values are partitioned by themselves. No randomness, and no number of cores changes the partition. Cost: O(p
// n log n) for n records and p columns.
//
// Reference: K. LeFevre, D. DeWitt and R. Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006.
package mondrian

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/table"
)

// Goal is what every region's records have.
type Goal struct {
	K int // records at least, from 1
	// Rule returns a function that reports whether records, by row, may be a region; one for every goroutine. Nil asks for
	// nothing more.
	Rule func() func(rows []int32) bool
}

// Grow partitions the records of some numeric or categorical columns of one length. Given are hierarchies by column,
// nil for none: they put categories without an order of their own next to each other. It fails when a hierarchy is not
// one of its column or does not list a value that occurs, and when the context ends.
func Grow(ctx context.Context, columns []table.Column, given []*hierarchy.Hierarchy, goal Goal) (*Partition, error) {
	g := &grower{ctx: ctx, goal: goal, columns: columns, axes: make([]Axis, len(columns)),
		ranks: make([][]int32, len(columns)), at: make([][]float64, len(columns))}
	for k := range columns {
		if err := g.setAxis(k, given[k]); err != nil {
			return nil, err
		}
	}
	p := &Partition{Axes: g.axes}
	for _, s := range g.starts() {
		tree := g.grow(s.rows, 3)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.Roots = append(p.Roots, Root{Missing: s.missing, Node: p.flatten(tree)})
	}
	return p, nil
}

// grower partitions records. A rank is the position of a value: among the distinct ones for numbers, in the order of
// the axis for categories.
type grower struct {
	ctx     context.Context
	goal    Goal
	columns []table.Column
	axes    []Axis
	ranks   [][]int32   // by axis and record; -1 for missing
	at      [][]float64 // by axis and rank: where widths are measured
}

// setAxis ranks the values of a column.
func (g *grower) setAxis(k int, h *hierarchy.Hierarchy) error {
	c, x := &g.columns[k], &g.axes[k]
	switch c.Kind {
	case table.Numeric:
		x.Domain = c.Domain
		if !c.Declared || math.IsInf(c.Domain.Lo, 0) || math.IsInf(c.Domain.Hi, 0) {
			x.Domain.Lo, x.Domain.Hi = table.Range(c.Num)
		}
		g.ranks[k], g.at[k] = rank.Dense(c.Num)
	case table.Categorical:
		return g.setOrder(k, h)
	case table.SetValued:
		return fmt.Errorf("column %q is %s and cannot be cut in two", c.Name, c.Kind)
	}
	return nil
}

// setOrder ranks the categories of a column, in their own order or in that of a hierarchy.
func (g *grower) setOrder(k int, h *hierarchy.Hierarchy) error {
	c, x := &g.columns[k], &g.axes[k]
	x.Order = make([]int32, len(c.Labels))
	for code := range x.Order {
		x.Order[code] = int32(code)
	}
	if h != nil && !c.Ordered {
		if err := x.arrange(c, h); err != nil {
			return err
		}
	}
	ranks := x.ranks()
	g.ranks[k] = make([]int32, len(c.Cat))
	for i, code := range c.Cat {
		if g.ranks[k][i] = -1; code >= 0 {
			g.ranks[k][i] = ranks[code]
		}
	}
	g.at[k] = make([]float64, len(x.Order))
	for r := range g.at[k] {
		g.at[k][r] = float64(r)
	}
	return nil
}

// arrange puts categories in the order of a hierarchy: groups next to each other, on every level.
func (x *Axis) arrange(c *table.Column, h *hierarchy.Hierarchy) error {
	if h.Numeric() {
		return fmt.Errorf("column %q is categorical, and its hierarchy cuts numbers into intervals", c.Name)
	}
	if err := h.Check(); err != nil {
		return err
	}
	if _, err := h.Groups(c, 0); err != nil {
		return err
	}
	x.Hierarchy = h
	levels := x.levels(&c.Attribute)
	slices.SortStableFunc(x.Order, func(a, b int32) int {
		for l := h.Height(); l >= 0; l-- {
			if d := cmp.Compare(uint32(levels[l][a]), uint32(levels[l][b])); d != 0 { // what is not listed comes last
				return d
			}
		}
		return 0
	})
	return nil
}

// start is the records that lack the same columns.
type start struct {
	missing []int
	rows    []int32
}

// starts returns them in the order of their first record.
func (g *grower) starts() []start {
	var out []start
	at := map[string]int{}
	for i := range g.columns[0].Len() {
		key := pattern(len(g.ranks), func(k int) bool { return g.ranks[k][i] < 0 })
		n, ok := at[key]
		if !ok {
			n = len(out)
			at[key] = n
			s := start{}
			for k, ranks := range g.ranks {
				if ranks[i] < 0 {
					s.missing = append(s.missing, k)
				}
			}
			out = append(out, s)
		}
		out[n].rows = append(out[n].rows, int32(i))
	}
	return out
}

// branch is a region while it is divided.
type branch struct {
	axis int
	cut  float64
	kids [2]*branch
}

// flatten appends a tree, a region before its parts, and returns the position of its root.
func (p *Partition) flatten(b *branch) int {
	n := len(p.Nodes)
	p.Nodes = append(p.Nodes, Region{Axis: b.axis, Cut: b.cut})
	if b.axis >= 0 {
		for k, kid := range b.kids {
			at := p.flatten(kid)
			p.Nodes[n].Kids[k] = at
		}
	}
	return n
}
