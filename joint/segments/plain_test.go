package segments

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// record is one of all records: its values by column, as numbers or codes, NaN where they are missing, and whose it is.
type record struct {
	values []float64
	party  int
}

// plain grows the tree of all records in one place: the twin of the protocol.
type plain struct {
	attrs                []table.Attribute
	class, classes       int
	bins, minLeaf, depth int
	least                joint.Least
	nodes                []tree.Node
}

// plainTree is the tree of a case, grown on the union of the parties' tables.
func plainTree(c *jointtest.Case, q *jointFramework) *tree.Tree {
	attrs, class := schema(&c.Plan)
	g := &plain{attrs: attrs, class: class, classes: len(attrs[class].Labels), bins: q.bins, minLeaf: q.minLeaf,
		depth: q.depth, least: c.Plan.Least}
	var union []record
	for party, t := range c.Tables {
		for i := range t.Rows() {
			r := record{make([]float64, len(attrs)), party}
			for j, a := range attrs {
				at := t.Find(a.Name)
				switch {
				case t.MissingAt(i, at):
					r.values[j] = math.NaN()
				case a.Kind == table.Numeric:
					r.values[j] = t.Num(at)[i]
				default:
					r.values[j] = float64(t.Cat(at)[i])
				}
			}
			union = append(union, r)
		}
	}
	g.grow(union, g.shown(union, func(r record) int { return 0 }, 1)[0], 0, nil, 0)
	return &tree.Tree{Attrs: attrs, Class: class, Nodes: g.nodes}
}

// shown counts the records of each class in each cell, -1 being none; of what the guard withholds, 0.
func (g *plain) shown(rows []record, cell func(record) int, cells int) [][]float64 {
	out := make([][]float64, cells)
	for k := range out {
		for class := range g.classes {
			n, of := 0, map[int]int{}
			for _, r := range rows {
				if r.values[g.class] == float64(class) && cell(r) == k {
					n++
					of[r.party]++
				}
			}
			shown := n
			for _, own := range of {
				if g.least.Contributors > 1 && n-own < g.least.Cell {
					shown = 0
				}
			}
			if n < g.least.Cell || len(of) < g.least.Contributors {
				shown = 0
			}
			out[k] = append(out[k], float64(shown))
		}
	}
	return out
}

// question is a test of a column, with the counts of its branches; branch is that of a record, -1 for none.
type question struct {
	column int
	cut    float64
	branch func(record) int
	kids   [][]float64
	of     criterion.Split
}

// grow grows a node of records, of which the test above counted some, and returns its place.
func (g *plain) grow(rows []record, counted []float64, above int32, used []int, depth int) int32 {
	at := int32(len(g.nodes))
	label := most(counted, above)
	g.nodes = append(g.nodes, tree.Node{Attr: -1})
	all, some := 0.0, 0
	for _, n := range counted {
		if all += n; n > 0 {
			some++
		}
	}
	var q *question
	if depth < g.depth && all >= float64(2*g.minLeaf) && some > 1 {
		q = g.ask(rows, used)
	}
	if q == nil {
		n := &g.nodes[at]
		n.Counts = g.shown(rows, func(record) int { return 0 }, 1)[0]
		n.Label = most(n.Counts, label)
		return at
	}
	n := tree.Node{Attr: q.column, Cut: q.cut}
	weights := make([]float64, len(q.kids))
	for k, c := range q.kids {
		for _, v := range c {
			weights[k] += v
		}
	}
	n.Heavy = int32(slices.Index(weights, slices.Max(weights)))
	if a := g.attrs[q.column]; a.Kind == table.Categorical {
		used = append(slices.Clone(used), q.column)
		for v := range a.Labels {
			r := record{values: make([]float64, len(g.attrs))}
			r.values[q.column] = float64(v)
			n.Branch = append(n.Branch, int32(q.branch(r)))
		}
	}
	parts := make([][]record, len(q.kids))
	for _, r := range rows {
		k := q.branch(r)
		if k < 0 {
			k = int(n.Heavy)
		}
		parts[k] = append(parts[k], r)
	}
	n.Counts = make([]float64, g.classes)
	for k := range parts {
		kid := g.grow(parts[k], q.kids[k], label, used, depth+1)
		n.Kids = append(n.Kids, kid)
		for class, v := range g.nodes[kid].Counts {
			n.Counts[class] += v
		}
	}
	n.Label = most(n.Counts, label)
	g.nodes[at] = n
	return at
}

// most is the class with the most records, the first of those; with none, that above.
func most(counts []float64, above int32) int32 {
	if n := slices.Max(counts); n > 0 {
		return int32(slices.Index(counts, n))
	}
	return above
}

// ask is the first question of the best gain ratio, of those that gain what they do on average; nil: there is none.
func (g *plain) ask(rows []record, used []int) (best *question) {
	var all []*question
	mean := 0.0
	for j, a := range g.attrs {
		if j == g.class || slices.Contains(used, j) {
			continue
		}
		q := g.numeric(rows, j)
		if a.Kind == table.Categorical {
			q = g.categories(rows, j)
		}
		if q != nil {
			all = append(all, q)
		}
	}
	for _, q := range all {
		mean += q.of.Gain / float64(len(all))
	}
	for _, q := range all {
		if q.of.Gain >= mean-1e-9 && (best == nil || q.of.GainRatio > best.of.GainRatio) {
			best = q
		}
	}
	return best
}

// good reports whether all branches are large enough, and the question tells something.
func (g *plain) good(q *question) bool {
	for _, c := range q.kids {
		n := 0.0
		for _, v := range c {
			n += v
		}
		if n < float64(g.minLeaf) {
			return false
		}
	}
	q.of = criterion.Of(q.kids)
	return len(q.kids) > 1 && q.of.Gain > 1e-9
}

// categories asks which category a record has, of those of which any is shown.
func (g *plain) categories(rows []record, j int) *question {
	code := func(r record) int {
		if v := r.values[j]; v == v {
			return int(v)
		}
		return -1
	}
	q := &question{column: j}
	branch := map[int]int{}
	for v, c := range g.shown(rows, code, len(g.attrs[j].Labels)) {
		if slices.Max(c) > 0 {
			branch[v] = len(q.kids)
			q.kids = append(q.kids, c)
		}
	}
	q.branch = func(r record) int {
		if k, ok := branch[code(r)]; ok {
			return k
		}
		return -1
	}
	if !g.good(q) {
		return nil
	}
	return q
}

// numeric asks on which side of a cut a number is, of the cut that gains most, the first of those.
func (g *plain) numeric(rows []record, j int) (best *question) {
	a := g.attrs[j]
	if a.Kind != table.Numeric {
		return nil
	}
	var cuts []float64
	for k := 1; k < g.bins; k++ {
		even := a.Domain.Lo + float64((a.Domain.Hi-a.Domain.Lo)*float64(k)/float64(g.bins))
		cuts = append(cuts, float64((math.Floor(even/a.Step)+0.5)*a.Step))
	}
	cuts = slices.DeleteFunc(slices.Compact(cuts), func(c float64) bool { return c <= a.Domain.Lo || c >= a.Domain.Hi })
	ranges := g.shown(rows, func(r record) int {
		if v := r.values[j]; v != v {
			return -1
		}
		n := 0
		for n < len(cuts) && r.values[j] > cuts[n] {
			n++
		}
		return n
	}, len(cuts)+1)
	for k, cut := range cuts {
		q := &question{column: j, cut: cut, kids: [][]float64{make([]float64, g.classes), make([]float64, g.classes)}}
		for n, c := range ranges {
			side := 0
			if n > k {
				side = 1
			}
			for class, v := range c {
				q.kids[side][class] += v
			}
		}
		q.branch = func(r record) int {
			switch v := r.values[j]; {
			case v != v:
				return -1
			case v <= cut:
				return 0
			}
			return 1
		}
		if g.good(q) && (best == nil || q.of.Gain > best.of.Gain) {
			best = q
		}
	}
	return best
}
