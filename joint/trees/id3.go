// Package trees grows decision trees over two parties' data: ID3, by shares of counts. Which attribute splits a node
// follows from sums of x ln x, which are computed on shares, so that nothing is opened but the tree.
//
// References: Y. Lindell and B. Pinkas, "Privacy preserving data mining", J. Cryptology 15(3), 2002; W. Du and Z. Zhan,
// "Building decision tree classifier on private data", ICDM workshop 2002; J. R. Quinlan, "Induction of decision
// trees", Machine Learning 1, 1986; M. Z. Islam, PhD thesis, 2008, section 3.3.
package trees

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"strings"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/pair"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// id3 is ID3 of two parties.
type id3 struct {
	depth int
	owned bool // columns have owners
}

func (q *id3) Params() param.Set {
	return param.Set{param.Int(&q.depth, "depth", 3, 1, 20, "tests", "most tests from the root to a leaf")}
}

// CheckPlan asks for categories, one of them the class.
func (q *id3) CheckPlan(p *joint.Plan) error {
	class := 0
	for _, c := range p.Columns {
		switch {
		case c.Role == joint.Key:
			continue
		case len(c.Values) < 2:
			return joint.ColumnsFault("%q must have two values or more: cut numbers into classes first", c.Name)
		case q.owned && c.Owner == "":
			return joint.ColumnsFault("%q has no owner", c.Name)
		case !q.owned && c.Owner != "":
			return joint.ColumnsFault("%q has an owner; both parties must have all columns", c.Name)
		case c.Role == joint.Class:
			class++
		}
	}
	if class != 1 || len(p.Columns) < 2 {
		return joint.ColumnsFault("give the one that is predicted the role class, and name at least one other")
	}
	return nil
}

// node is one of the tree: which tests lead to it.
type node struct {
	path    []test
	of      [2]int // its parent, and the value of the parent's attribute
	majored int    // class of most records of the parent
}

// test is that a column has a value.
type test struct{ column, value int }

// grower is one party's part of growing.
type grower struct {
	p       *joint.Party
	pair    *pair.Pair
	columns []joint.Column
	class   int
	count   counter
	logs    pair.Logarithms
	taken   int64 // logarithms so far
	leaves  [][]any
}

// counter gives this party's shares of how many records of a node have each combination of values of some columns, the
// last one fastest; of no column, how many records there are.
type counter interface {
	counts(n *node, columns ...int) ([]uint64, error)
	// most is how many records there may be, as both know.
	most() int
}

// Run grows the tree.
func (q *id3) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	g := &grower{p: p}
	for _, c := range p.Plan().Columns {
		if c.Role == joint.Key {
			continue
		}
		if c.Role == joint.Class {
			g.class = len(g.columns)
		}
		g.columns = append(g.columns, c)
	}
	var err error
	if q.owned {
		if t, err = p.Aligned(t); err != nil {
			return nil, err
		}
	}
	if g.pair, err = pair.New(p); err != nil {
		return nil, err
	}
	if g.count, err = q.counter(g, t); err != nil {
		return nil, err
	}
	g.logs = pair.Logarithms{Places: max(1, bits.Len(uint(g.count.most())))}
	if g.logs.Places > 24 {
		return nil, p.Mine(errors.New("more than 2^24 records"))
	}
	level := []node{{majored: -1}}
	for depth := 0; len(level) > 0; depth++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if level, err = g.grow(level, depth < q.depth); err != nil {
			return nil, err
		}
	}
	out := joint.ResultTable{Name: "leaves", Columns: []string{"conditions", "class"}, Rows: g.leaves}
	return &joint.Result{Figures: []joint.Figure{
		{Name: "leaves", Value: int64(len(g.leaves))}, {Name: "secure logarithms", Value: g.taken},
	}, Tables: []joint.ResultTable{out}}, nil
}

// grow tests the nodes of a level and returns those of the next. split: the level may have tests.
func (g *grower) grow(level []node, split bool) (next []node, err error) {
	classes := len(g.columns[g.class].Values)
	var of []uint64 // by node: counts of classes
	for k := range level {
		c, err := g.count.counts(&level[k], g.class)
		if err != nil {
			return nil, err
		}
		of = append(of, c...)
	}
	majority, pure, few, err := g.look(of, classes)
	if err != nil {
		return nil, err
	}
	var open []int
	for k := range level {
		switch n := &level[k]; {
		case few[k]:
			g.leaf(n, n.majored)
		case pure[k] || !split || len(n.path) == len(g.columns)-1:
			g.leaf(n, majority[k])
		default:
			open = append(open, k)
		}
	}
	best, err := g.best(level, open)
	if err != nil {
		return nil, err
	}
	for i, k := range open {
		for v := range g.columns[best[i]].Values {
			path := append(slices.Clone(level[k].path), test{best[i], v})
			next = append(next, node{path: path, of: [2]int{k, v}, majored: majority[k]})
		}
	}
	return next, nil
}

// look tells of each node, by shared counts of its classes, the class of most records, whether all are of one class,
// and whether there are fewer than the minimum cell.
func (g *grower) look(of []uint64, classes int) (majority []int, pure, few []bool, err error) {
	n := len(of) / classes
	negative, ask, least := make([]uint64, len(of)), make([]uint64, 0, len(of)+n), make([]uint64, 0, len(of)+n)
	for k := range n {
		all := uint64(0)
		for c := range classes {
			all += of[k*classes+c]
			negative[k*classes+c] = -of[k*classes+c]
		}
		ask, least = append(ask, all), append(least, uint64(g.p.Plan().Least.Cell))
		for c := range classes { // others of the node: at least one?
			ask, least = append(ask, all-of[k*classes+c]), append(least, 1)
		}
	}
	reached, err := g.pair.Reached(ask, least)
	if err != nil {
		return nil, nil, nil, err
	}
	at, err := g.pair.Least(negative, classes)
	if err != nil {
		return nil, nil, nil, err
	}
	// the majority of a node below the minimum cell stays closed
	var open []uint64
	for k := range n {
		few = append(few, !reached[k*(classes+1)])
		pure = append(pure, slices.Contains(reached[k*(classes+1)+1:(k+1)*(classes+1)], false))
		if !few[k] {
			open = append(open, at[k])
		}
	}
	if open, err = g.pair.Open(open); err != nil {
		return nil, nil, nil, err
	}
	for k := range n {
		if majority = append(majority, -1); !few[k] {
			if open[0] >= uint64(classes) {
				return nil, nil, nil, g.p.Blame(1-g.p.Me(), errors.New("a class that the plan does not have"))
			}
			majority[k], open = int(open[0]), open[1:]
		}
	}
	return majority, pure, few, nil
}

// never is above all sums of x ln x.
const never = 1 << 60

// best returns the attributes that split nodes best: those that leave the least entropy of the class, which is the
// least sum of x ln x of the counts of values less that of the counts of values and classes.
func (g *grower) best(level []node, open []int) ([]int, error) {
	if len(open) == 0 {
		return nil, nil
	}
	var counts []uint64
	for _, k := range open {
		for j := range g.columns {
			if !g.may(&level[k], j) {
				continue
			}
			both, err := g.count.counts(&level[k], j, g.class)
			if err != nil {
				return nil, err
			}
			counts = append(counts, both...)
			classes := len(g.columns[g.class].Values)
			for v := 0; v < len(both); v += classes {
				sum := uint64(0)
				for _, c := range both[v : v+classes] {
					sum += c
				}
				counts = append(counts, sum)
			}
		}
	}
	scores, err := g.scores(level, open, counts)
	if err != nil {
		return nil, err
	}
	at, err := g.pair.Least(scores, len(g.columns))
	if err != nil {
		return nil, err
	}
	if at, err = g.pair.Open(at); err != nil {
		return nil, err
	}
	out := make([]int, len(at))
	for i, j := range at {
		if j >= uint64(len(g.columns)) || !g.may(&level[open[i]], int(j)) {
			return nil, g.p.Blame(1-g.p.Me(), errors.New("an attribute that cannot split"))
		}
		out[i] = int(j)
	}
	return out, nil
}

// scores are shares of the entropies that best compares, by node and column.
func (g *grower) scores(level []node, open []int, counts []uint64) (scores []uint64, err error) {
	g.taken += int64(len(counts))
	logs, err := g.logarithms(counts)
	if err != nil {
		return nil, err
	}
	for _, k := range open {
		for j := range g.columns {
			if !g.may(&level[k], j) {
				score := uint64(0)
				if g.p.Me() == 0 {
					score = never
				}
				scores = append(scores, score)
				continue
			}
			both, values := len(g.columns[j].Values)*len(g.columns[g.class].Values), len(g.columns[j].Values)
			score := uint64(0)
			for i, l := range logs[:both+values] {
				if i < both {
					score -= l
				} else {
					score += l
				}
			}
			scores, logs = append(scores, score), logs[both+values:]
		}
	}
	return scores, nil
}

// batch is how many logarithms are taken at a time: some 50 kB each go over the wire.
const batch = 512

func (g *grower) logarithms(x []uint64) (out []uint64, err error) {
	for lo := 0; lo < len(x); lo += batch {
		part, err := g.logs.Of(g.pair, x[lo:min(lo+batch, len(x))])
		if err != nil {
			return nil, err
		}
		out = append(out, part...)
	}
	return out, nil
}

// may reports whether a column may split a node.
func (g *grower) may(n *node, j int) bool {
	return j != g.class && !slices.ContainsFunc(n.path, func(t test) bool { return t.column == j })
}

func (g *grower) leaf(n *node, class int) {
	var text []string
	for _, t := range n.path {
		text = append(text, g.columns[t.column].Name+" = "+g.columns[t.column].Values[t.value])
	}
	cell := any(joint.Withheld{Why: joint.BelowCell}) // all records together are too few
	if class >= 0 {
		cell = g.columns[g.class].Values[class]
	}
	g.leaves = append(g.leaves, []any{strings.Join(text, " & "), cell})
}
