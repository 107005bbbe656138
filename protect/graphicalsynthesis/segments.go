package graphicalsynthesis

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/noise/selectmeasure"
	"github.com/dither-data/dither/internal/noise/units"
	"github.com/dither-data/dither/mine/privatetree"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// segmented is segment synthesis under epsilon: a private tree for the class takes the place of the Framework's, and
// the laws of privbayes, with the segment as a parent, that of the donors.
var segmented = &model{
	card: card.Card{
		Name:    "privatesegments",
		Title:   "Private segment synthesis",
		Short:   "Private segments",
		Aliases: []string{"segment synthesis under differential privacy"},
		Summary: "Draws new records inside the leaves of a private decision tree, from a Bayesian network that is given " +
			"the leaf.",
		Paper: "Friedman & Schuster 2010; Zhang, Cormode, Procopiuc, Srivastava & Xiao 2017; inside segments of Islam " +
			"2007, chapter 7",
		Needs: "a categorical class whose values are declared, or bought with a delta",
		Preserves: "the rules of a private tree for the class, with noisy support and confidence (type DM); " +
			"distributions of columns (type D), and of columns with their parents",
		Biases: "relations that tree and network lack; noise in cells of few records",
		Cost:   "O(n p) per level of the tree; O(n) per column and set of parents",
	},
	private: true, growth: 1, check: (*Technique).classed,
	params: func(q *Technique) param.Set {
		return param.Set{
			param.Int(&q.Depth, "depth", 2, 1, 8, "tests", "tests on the way to a leaf of the private tree"),
			param.Float(&q.Growing, "growing", 0.2, 0.01, 0.9, "share", "share of epsilon that chooses the tests of the tree"),
			param.Float(&q.Usefulness, "usefulness", selectmeasure.DefaultPrivBayes.Usefulness, 0.1, 1000, "",
				"how many times its noise a cell of a measured table holds in the mean, at least (theta)"),
		}
	},
	fit: func(ctx context.Context, q *Technique, m *material, p selectmeasure.Promise,
		src rng.Source) (*selectmeasure.Law, error) {
		s, err := q.segments(ctx, m, &p, src.Fork("tree"))
		if err != nil {
			return nil, err
		}
		m.plan.Tree = m.grown(s)
		b := selectmeasure.DefaultPrivBayes
		b.Usefulness = q.Usefulness
		return b.FitInside(ctx, m.Table, s, p, src)
	},
}

// classed refuses a table without a class that can be drawn, as far as its schema tells.
func (q *Technique) classed(t *table.Table) error {
	class, err := protect.ClassOf(t)
	if err != nil {
		return err
	}
	if a := t.Attr(class); !a.Declared && q.promises() && !slices.Contains(q.shopping(t).categories, class) {
		return fmt.Errorf("the values of the class %q are not declared: a policy says them, columns: {%s: {values: [...]}}, "+
			"or they are bought (domains=bought, with a delta); those that occur would tell of single records", a.Name, a.Name)
	}
	return nil
}

// grower returns what grows the tree, with its share of what is left of a promise. The promise is of a unit, and the
// tree takes each record for one: it has that of one record. Nobody reads the counts in its leaves, so they have the
// least share that a tree may have, and numbers are tested between their bins.
func (q *Technique) grower(p selectmeasure.Promise) *privatetree.Learner {
	l := privatetree.New()
	l.Epsilon = float64(p.Epsilon*(1-p.Spent)) * q.Growing / float64(max(1, p.Group))
	l.Depth, l.Unit, l.Cuts, l.Leaves = q.Depth, units.Record, q.Bins-1, 0.01
	return l
}

// segments grows a private tree over codes, for the share of the budget that it has, takes that from the promise, and
// returns the tree's leaves. Where no class could be bought all records are in one segment.
func (q *Technique) segments(ctx context.Context, m *material, p *selectmeasure.Promise, src rng.Source) (
	*selectmeasure.Segments, error) {
	class := slices.IndexFunc(m.columns, func(c Coding) bool { return m.attrs[c.Column].Role&table.Class != 0 })
	if class < 0 {
		return &selectmeasure.Segments{Of: make([]int32, len(m.Columns[0])), Allowed: [][][]bool{make([][]bool,
			len(m.columns))}}, nil
	}
	t, err := m.coded(class)
	if err != nil {
		return nil, err
	}
	l := q.grower(*p)
	charged, err := l.Charges(t)
	if err != nil {
		return nil, err
	}
	if err := p.Pay(charged[0].Amount.Rat()); err != nil {
		return nil, err
	}
	grown, err := l.Fit(ctx, t, src)
	if err != nil {
		return nil, err
	}
	return leaves(grown.(*tree.Tree), m, class), nil
}

// grown says what segments are by; nil where nothing is tested.
func (m *material) grown(s *selectmeasure.Segments) *Grown {
	g := &Grown{Leaves: len(s.Allowed)}
	for k := range m.columns {
		if s.Tested(k) {
			g.Tests = append(g.Tests, m.columns[k].Column)
		}
	}
	if g.Tests == nil {
		return nil
	}
	return g
}

// coded returns codes as a table: of numbers the bins, in order. Nothing of it but the records follows from them.
func (m *material) coded(class int) (*table.Table, error) {
	out := make([]table.Column, len(m.columns))
	for k := range m.columns {
		c := &m.columns[k]
		missing := int32(c.Bins)
		a := table.Attribute{Name: fmt.Sprint(k), Kind: m.attrs[c.Column].Kind, Declared: true}
		if k == class {
			a.Role = table.Class
		}
		out[k].Attribute = a
		if a.Kind == table.Numeric {
			out[k].Step, out[k].StepDeclared = 1, true
			out[k].Domain = table.Interval{Lo: 0, Hi: float64(c.Bins - 1)}
			out[k].Num = make([]float64, len(m.Columns[k]))
			for i, x := range m.Columns[k] {
				if out[k].Num[i] = float64(x); x == missing {
					out[k].Num[i] = math.NaN()
				}
			}
			continue
		}
		for x := range c.Bins {
			out[k].Labels = append(out[k].Labels, fmt.Sprint(x))
		}
		out[k].Cat = make([]int32, len(m.Columns[k]))
		for i, x := range m.Columns[k] {
			if out[k].Cat[i] = x; x == missing {
				out[k].Cat[i] = -1
			}
		}
	}
	return table.New(out...)
}

// leaves returns those of a tree over codes.
func leaves(tr *tree.Tree, m *material, class int) *selectmeasure.Segments {
	s := &selectmeasure.Segments{Of: make([]int32, len(m.Columns[0])), Inside: []int{class}}
	kid := func(n *tree.Node, code int32) int { // that a code leads to
		switch {
		case int(code) == m.columns[n.Attr].Bins: // missing
			return int(n.Heavy)
		case n.Branch != nil:
			return int(n.Branch[code])
		case float64(code) <= n.Cut:
			return 0
		}
		return 1
	}
	var walk func(at int32, rows []int32, allowed [][]bool)
	walk = func(at int32, rows []int32, allowed [][]bool) {
		n := &tr.Nodes[at]
		if n.Leaf() {
			for _, i := range rows {
				s.Of[i] = int32(len(s.Allowed))
			}
			s.Allowed = append(s.Allowed, allowed)
			return
		}
		for k, next := range n.Kids {
			own := slices.Clone(allowed)
			own[n.Attr] = make([]bool, m.Domain[n.Attr])
			for x := range own[n.Attr] {
				own[n.Attr][x] = (allowed[n.Attr] == nil || allowed[n.Attr][x]) && kid(n, int32(x)) == k
			}
			var there []int32
			for _, i := range rows {
				if kid(n, m.Columns[n.Attr][i]) == k {
					there = append(there, i)
				}
			}
			if slices.Contains(own[n.Attr], true) { // else no record can be there
				walk(next, there, own)
			}
		}
	}
	rows := make([]int32, len(s.Of))
	for i := range rows {
		rows[i] = int32(i)
	}
	walk(0, rows, make([][]bool, len(m.columns)))
	return s
}
