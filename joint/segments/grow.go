// Package segments lets several custodians protect their records together: they fit one decision tree to all records,
// by secure sums of counts, and each perturbs its own inside the leaves that all have in common (Islam 2007, section
// 7.1). So the union of their releases keeps the rules of the union of their tables, and nobody sees another's records.
package segments

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/sums"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// grower is one party's part of growing the tree.
type grower struct {
	ctx     context.Context
	p       *joint.Party
	t       *table.Table // own records, in the schema of the plan
	class   int
	bins    int
	minLeaf float64
	depth   int
	tree    *tree.Tree
}

// schema is what the plan says of columns.
func schema(p *joint.Plan) (attrs []table.Attribute, class int) {
	class = -1
	for k, c := range p.Columns {
		a := table.Attribute{Name: c.Name, Kind: table.Categorical, Labels: c.Values}
		if c.Values == nil {
			a = table.Attribute{Name: c.Name, Kind: table.Numeric, Step: math.Pow10(-c.Decimals), Declared: true,
				Domain: table.Interval{Lo: c.Min, Hi: c.Max}}
		}
		if c.Role == joint.Class {
			a.Role, class = table.Class, k
		}
		attrs = append(attrs, a)
	}
	return attrs, class
}

// read puts the own table into the schema of the plan: its columns and no others.
func read(p *joint.Party, t *table.Table) (*table.Table, error) {
	attrs, _ := schema(p.Plan())
	cols := make([]table.Column, len(attrs))
	for k := range attrs {
		c := &p.Plan().Columns[k]
		cols[k].Attribute = attrs[k]
		if c.Values != nil {
			codes, err := p.Codes(t, c)
			if err != nil {
				return nil, err
			}
			cols[k].Cat = codes
			continue
		}
		units, missing, err := p.Numbers(t, c)
		if err != nil {
			return nil, err
		}
		v := make([]float64, len(units))
		for i, u := range units {
			if v[i] = float64(u) / math.Pow10(c.Decimals); missing != nil && missing[i] {
				v[i] = math.NaN()
			}
		}
		cols[k].Num = v
	}
	return t.WithColumns(cols)
}

// cuts are where a column of numbers may be cut: evenly over its range, between two values of its grid.
func (g *grower) cuts(j int) (out []float64) {
	a := g.t.Attr(j)
	for k := 1; k < g.bins; k++ {
		v := a.Domain.Lo + float64((a.Domain.Hi-a.Domain.Lo)*float64(k)/float64(g.bins))
		units := math.Floor(v/a.Step) + 0.5
		if c := float64(units * a.Step); c > a.Domain.Lo && c < a.Domain.Hi && (len(out) == 0 || c > out[len(out)-1]) {
			out = append(out, c)
		}
	}
	return out
}

// branch is which of the values of a column a record has: a category, or the range between two cuts; -1 is missing.
func (g *grower) branch(i, j int, cuts []float64) int {
	switch a := g.t.Attr(j); {
	case g.t.MissingAt(i, j):
		return -1
	case a.Kind == table.Categorical:
		return int(g.t.Cat(j)[i])
	}
	at, _ := slices.BinarySearch(cuts, g.t.Num(j)[i])
	return at
}

// counts adds up, over all parties, how many records of a node have each value of a column and each class; those that
// the guard of the plan does not show count none.
func (g *grower) counts(rows []int, columns []int, cuts [][]float64) (out [][][]float64, err error) {
	classes := len(g.t.Attr(g.class).Labels)
	var flat []int64
	for _, j := range columns {
		width := len(cuts[j]) + 1
		if a := g.t.Attr(j); a.Kind == table.Categorical {
			width = len(a.Labels)
		}
		part := make([]int64, width*classes)
		for _, i := range rows {
			if v, c := g.branch(i, j, cuts[j]), g.t.Cat(g.class)[i]; v >= 0 && c >= 0 {
				part[v*classes+int(c)]++
			}
		}
		flat = append(flat, part...)
		out = append(out, make([][]float64, width))
	}
	opened, err := sums.Guarded(g.p, sums.Shares, flat, flat)
	if err != nil {
		return nil, err
	}
	for k := range out {
		for v := range out[k] {
			out[k][v] = make([]float64, classes)
			for c := range classes {
				if o := opened[0]; o.Shown() {
					out[k][v][c] = float64(o.Value)
				}
				opened = opened[1:]
			}
		}
	}
	return out, nil
}

// grow grows the node of some own records and returns its place in the tree. used are the categorical columns that
// were tested above. Counts are those of all parties.
func (g *grower) grow(rows []int, counts []float64, label int32, used []bool, depth int) (int32, error) {
	at := int32(len(g.tree.Nodes))
	g.tree.Nodes = append(g.tree.Nodes, tree.Node{Attr: -1, Counts: counts, Label: majority(counts, label)})
	label = g.tree.Nodes[at].Label
	if err := g.ctx.Err(); err != nil || depth == g.depth || sum(counts) < 2*g.minLeaf || pure(counts) {
		return at, err
	}
	var columns []int
	cuts := make([][]float64, g.t.Width())
	for j := range g.t.Width() {
		if j == g.class || used[j] {
			continue
		}
		if g.t.Attr(j).Kind == table.Numeric {
			cuts[j] = g.cuts(j)
		}
		columns = append(columns, j)
	}
	told, err := g.counts(rows, columns, cuts)
	if err != nil {
		return at, err
	}
	best := g.best(columns, cuts, told)
	if best.column < 0 {
		return at, nil
	}
	return at, g.split(at, rows, best, used, depth, label)
}

// test is a split of a node.
type test struct {
	column int
	cut    float64 // of a number
	kids   [][]float64
	codes  []int // of categories: those that have a branch, in the order of kids
	gain   float64
	ratio  float64
}

// best is the test with the best gain ratio among those with at least the average gain (Quinlan 1993, section 2.2);
// column -1: none has two branches of the least size.
func (g *grower) best(columns []int, cuts [][]float64, told [][][]float64) test {
	var tests []test
	for k, j := range columns {
		if g.t.Attr(j).Kind == table.Categorical {
			q := test{column: j}
			for v, c := range told[k] {
				if sum(c) > 0 {
					q.kids, q.codes = append(q.kids, c), append(q.codes, v)
				}
			}
			if g.weigh(&q) {
				tests = append(tests, q)
			}
			continue
		}
		one := test{column: -1}
		low, high := make([]float64, len(told[k][0])), total(told[k])
		for v, cut := range cuts[j] {
			for c, n := range told[k][v] {
				low[c] += n
				high[c] -= n
			}
			q := test{column: j, cut: cut, kids: [][]float64{slices.Clone(low), slices.Clone(high)}}
			if g.weigh(&q) && (one.column < 0 || q.gain > one.gain) {
				one = q
			}
		}
		tests = append(tests, one)
	}
	tests = slices.DeleteFunc(tests, func(q test) bool { return q.column < 0 })
	mean, best := 0.0, test{column: -1}
	for k := range tests {
		mean += tests[k].gain / float64(len(tests))
	}
	for _, q := range tests {
		if q.gain >= mean-1e-9 && (best.column < 0 || q.ratio > best.ratio) {
			best = q
		}
	}
	return best
}

// weigh works out what a test gains; false where fewer than two branches have the least number of records, or one that
// has records has fewer than that.
func (g *grower) weigh(q *test) bool {
	if len(q.kids) < 2 {
		return false
	}
	for _, c := range q.kids {
		if sum(c) < g.minLeaf {
			return false
		}
	}
	s := criterion.Of(q.kids)
	q.gain, q.ratio = s.Gain, s.GainRatio
	return q.gain > 1e-9
}

// split makes the branches of a test.
func (g *grower) split(at int32, rows []int, q test, used []bool, depth int, label int32) error {
	n := &g.tree.Nodes[at]
	n.Attr, n.Cut = q.column, q.cut
	place := func(v int) int { return v }
	var cuts []float64
	if a := g.t.Attr(q.column); a.Kind == table.Categorical {
		used = slices.Clone(used)
		used[q.column] = true
		n.Branch = make([]int32, len(a.Labels))
		for v := range n.Branch {
			n.Branch[v] = int32(slices.Index(q.codes, v))
		}
		branch := n.Branch
		place = func(v int) int { return int(branch[v]) }
	} else {
		cuts = []float64{q.cut}
	}
	heavy := 0
	for k, c := range q.kids {
		if sum(c) > sum(q.kids[heavy]) {
			heavy = k
		}
	}
	n.Heavy = int32(heavy)
	parts := make([][]int, len(q.kids))
	for _, i := range rows {
		k := heavy
		if v := g.branch(i, q.column, cuts); v >= 0 && place(v) >= 0 {
			k = place(v)
		}
		parts[k] = append(parts[k], i)
	}
	for k := range q.kids {
		kid, err := g.grow(parts[k], q.kids[k], label, used, depth+1)
		if err != nil {
			return err
		}
		g.tree.Nodes[at].Kids = append(g.tree.Nodes[at].Kids, kid)
	}
	return nil
}

// recount puts into the nodes how many records of each class their leaves have over all parties: those with missing
// values too, which no test counted. What the guard of the plan does not show counts none.
func (g *grower) recount() error {
	leaves, classes := g.tree.Leaves(), len(g.t.Attr(g.class).Labels)
	leaf, own := make([]int32, g.t.Rows()), make([]int64, len(leaves)*classes)
	g.tree.Route(g.t, leaf)
	for i, c := range g.t.Cat(g.class) {
		if c >= 0 {
			own[int(leaf[i])*classes+int(c)]++
		}
	}
	opened, err := sums.Guarded(g.p, sums.Shares, own, own)
	if err != nil {
		return err
	}
	for k, at := range leaves {
		n := &g.tree.Nodes[at]
		n.Counts = make([]float64, classes)
		for c, o := range opened[k*classes : (k+1)*classes] {
			if o.Shown() {
				n.Counts[c] = float64(o.Value)
			}
		}
		n.Label = majority(n.Counts, n.Label)
	}
	for at := len(g.tree.Nodes) - 1; at >= 0; at-- { // a node stands before its kids
		n := &g.tree.Nodes[at]
		var kids [][]float64
		for _, k := range n.Kids {
			kids = append(kids, g.tree.Nodes[k].Counts)
		}
		if kids != nil {
			n.Counts = total(kids)
			n.Label = majority(n.Counts, n.Label)
		}
	}
	return nil
}

func sum(counts []float64) (n float64) {
	for _, c := range counts {
		n += c
	}
	return n
}

func total(kids [][]float64) []float64 {
	out := make([]float64, len(kids[0]))
	for _, k := range kids {
		for c, n := range k {
			out[c] += n
		}
	}
	return out
}

func pure(counts []float64) bool {
	return len(slices.DeleteFunc(slices.Clone(counts), func(c float64) bool { return c == 0 })) < 2
}

func majority(counts []float64, parent int32) int32 {
	best, at := 0.0, parent
	for c, n := range counts {
		if n > best {
			best, at = n, int32(c)
		}
	}
	return at
}

func errColumn(name string) error {
	return joint.ColumnsFault("%q has an owner; each party must have all columns", name)
}
