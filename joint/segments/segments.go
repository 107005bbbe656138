package segments

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Protocols are the catalogue entries.
var Protocols = []joint.Protocol{{
	Card: joint.Card{
		Card: card.Card{
			Name:    "jointframework",
			Title:   "Joint Framework",
			Aliases: []string{"joint protection", "framework of several custodians"},
			Summary: "Fits one tree to all parties' records; each perturbs its own inside the common leaves.",
			Paper:   "Islam 2007, section 7.1, with the counts of Lindell & Pinkas's setting; Islam 2008, section 3.3",
			Needs:   "records of each party, with the columns of the plan, one of categories with the role class",
			Changes: "every column of the plan; columns that the plan does not have are left out",
			Preserves: "the leaf of every record and the class counts of every leaf, at each party, so every rule of the " +
				"common tree over the union of the releases",
			Exposes: "what Framework exposes of a record: its leaf, and within it the distribution of each value; to those " +
				"who have all releases, from which party a record is, where they are not mixed",
			Missing: "stay missing; a record whose tested value is missing belongs to the leaf of the heaviest branch",
			Cost:    "for each node a sum for every value and class of every column; four rounds a node; then as Framework",
		},
		Threat:   joint.SemiHonest,
		Survives: "all parties but two: together they learn the counts of the other two, not their parts",
		Leaks: "the tree, and at each of its nodes the counts of values and classes over all parties, where the guard of " +
			"the plan shows them",
	},
	Roles: []joint.Role{{Name: "custodian", Help: "brings records, and releases them perturbed", Least: 3, Table: true}},
	Two:   []string{"id3"},
	New:   func() joint.Computation { return param.Default(&jointFramework{}) },
}}

// jointFramework is Framework of several custodians.
type jointFramework struct {
	bins, minLeaf, depth int
	spread, replaced     float64
}

func (q *jointFramework) Params() param.Set {
	return param.Set{
		param.Int(&q.bins, "bins", 32, 2, 1000, "ranges", "the range of a number in the plan is cut into so many"),
		param.Int(&q.minLeaf, "minLeaf", 100, 5, 1<<31-1, "records", "least records of a leaf, over all parties"),
		param.Int(&q.depth, "depth", 8, 1, 30, "tests", "most tests from the root to a leaf"),
		param.Float(&q.spread, "spread", 33.33, 1, 300, "% of the (sub-)domain", "standard deviation of the numeric noise"),
		param.Float(&q.replaced, "p", 0.1, 0, 1, "", "probability that a category is replaced by one of a sibling leaf"),
	}
}

// CheckPlan asks for columns that each party has, one of them the class.
func (q *jointFramework) CheckPlan(p *joint.Plan) error {
	for _, c := range p.Columns {
		if c.Owner != "" {
			return errColumn(c.Name)
		}
		if c.Values == nil && c.Min == c.Max {
			return joint.ColumnsFault("%q must have values, or a range from min to max", c.Name)
		}
	}
	if _, class := schema(p); class < 0 || p.Columns[class].Values == nil || len(p.Columns) < 2 {
		return joint.ColumnsFault("give the one whose rules are kept the role class, and name at least one other")
	}
	return nil
}

// Run grows the tree, and fits the technique to the own records.
func (q *jointFramework) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	t, err := read(p, t)
	if err != nil {
		return nil, err
	}
	tr, err := q.grow(ctx, p, t)
	if err != nil {
		return nil, err
	}
	protection, err := q.fit(ctx, p, t, tr)
	if err != nil {
		return nil, p.Mine(err)
	}
	return &joint.Result{Figures: []joint.Figure{{Name: "leaves", Value: int64(len(tr.Leaves()))}},
		Tables: []joint.ResultTable{rules(tr)}, Protection: protection}, nil
}

// grow grows the tree that all parties have.
func (q *jointFramework) grow(ctx context.Context, p *joint.Party, t *table.Table) (*tree.Tree, error) {
	attrs, class := schema(p.Plan())
	g := &grower{ctx: ctx, p: p, t: t, class: class, bins: q.bins, minLeaf: float64(q.minLeaf), depth: q.depth,
		tree: &tree.Tree{Attrs: attrs, Class: class}}
	rows := make([]int, t.Rows())
	for i := range rows {
		rows[i] = i
	}
	root, err := g.counts(rows, []int{class}, make([][]float64, t.Width()))
	if err != nil {
		return nil, err
	}
	if _, err = g.grow(rows, total(root[0]), 0, make([]bool, t.Width()), 0); err != nil {
		return nil, err
	}
	return g.tree, g.recount()
}

// fit fits Framework to the own records, with the leaves of the tree. Its randomness is this party's.
func (q *jointFramework) fit(
	ctx context.Context,
	p *joint.Party,
	t *table.Table,
	tr *tree.Tree,
) (*joint.Protection, error) {
	tech := framework.NewFramework()
	tech.Spread, tech.P, tech.Tree = q.spread, q.replaced, tr
	plan, err := protect.Fit(ctx, tech, t, p.Own().Fork("fit"))
	if err != nil {
		return nil, err
	}
	return &joint.Protection{Method: framework.Framework.Name, Params: tech.Params().Values(), Plan: plan}, nil
}

// rules are the leaves of the tree, with how many records of each class the parties have in them.
func rules(t *tree.Tree) joint.ResultTable {
	out := joint.ResultTable{Name: "rules", Columns: []string{"conditions", "class"}}
	out.Columns = append(out.Columns, t.ClassLabels()...)
	leaves := t.Leaves()
	for _, r := range t.Rules() {
		var text []byte
		for k := range r.If {
			if k > 0 {
				text = append(text, " & "...)
			}
			text = r.If[k].AppendTo(text, t.Attrs)
		}
		row := []any{string(text), t.ClassLabels()[r.Then]}
		for _, n := range t.Nodes[leaves[r.Leaf]].Counts {
			row = append(row, int64(n))
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}
