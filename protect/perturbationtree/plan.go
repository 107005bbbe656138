package perturbationtree

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/mining/kdpartition"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique.
type Plan struct {
	protect.Counted
	protect.Exactly
	Attrs    []table.Attribute `json:"schema"`
	Inside   string            `json:"inside"`
	Least    int               `json:"least"`    // people whose values are averaged or swapped, at the least
	BlockMax int               `json:"blockMax"` // records that MDAV groups, at the most
	Finer    bool              `json:"finer"`    // two more decimals
	Parts    []Part            `json:"parts"`    // the trees; none where nothing changes
}

// Part is a tree and the columns that change by it.
type Part struct {
	Columns []int            `json:"columns"` // positions in the schema, ascending
	Tests   []int            `json:"tests"`   // those of the columns that the tree counts from 0, ascending
	Low     []float64        `json:"low"`     // smallest value of each, which becomes 0 where records are compared
	Width   []float64        `json:"width"`   // and the distance of the largest from it, which becomes 1
	Tree    kdpartition.Tree `json:"tree"`
	// leaves in which two people had known values of some column, for the notes
	Pairs int `json:"pairs,omitempty"`
}

// Empirical returns the columns whose numbers change places; means are no values of the original.
func (p *Plan) Empirical() (names []string) {
	if p.Inside == Swap && !p.ExactNumbers {
		names = p.Changes()
	}
	return names
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the confidential columns.
func (p *Plan) Changes() []string {
	var columns []int
	for k := range p.Parts {
		columns = append(columns, p.Parts[k].Columns...)
	}
	slices.Sort(columns)
	return protect.Names(p.Attrs, columns)
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	switch {
	case p.Inside == Microaggregate && p.People:
		return message.Say("does.treePeople").Count("k", p.Least)
	case p.Inside == Microaggregate:
		return message.Say("does.treeGroups").Count("k", p.Least)
	case p.Inside == Swap:
		return message.Say("does.treeSwap")
	}
	return message.Say("does.tree")
}

// Group returns the leaf of every record or, where there are several trees, one group for all.
func (p *Plan) Group(chunk *table.Table) ([]uint64, error) {
	out := make([]uint64, chunk.Rows())
	if err := protect.Conforms(chunk, p.Attrs); err != nil || len(p.Parts) != 1 {
		return out, err
	}
	leaf, err := p.Parts[0].route(chunk)
	for i, l := range leaf {
		out[i] = uint64(l)
	}
	return out, err
}

// route returns the leaf of every record.
func (x *Part) route(chunk *table.Table) ([]int32, error) {
	leaf := make([]int32, chunk.Rows())
	return leaf, x.Tree.Route(context.Background(), numbers(chunk, x.Tests), leaf)
}

// Notes says how large the leaves are, and what is released as it is.
func (p *Plan) Notes() []message.Sentence {
	if len(p.Parts) == 0 {
		return []message.Sentence{message.Say("plan.tree.none")}
	}
	var out []message.Sentence
	for k := range p.Parts {
		x := &p.Parts[k]
		leaves, small, large := x.Tree.Leaves(), math.MaxInt32, 0
		for _, n := range x.Tree.Nodes {
			if n.Attr == kdpartition.Leaf {
				small, large = min(small, int(n.Size)), max(large, int(n.Size))
			}
		}
		out = append(
			out,
			message.Say("plan.tree.leaves").Quoted("columns", protect.Names(p.Attrs, x.Columns)).Count("leaves", leaves).
				Count("least", small).Count("most", large),
		)
		switch {
		case x.Pairs == 0 || p.Inside != Mean:
		case p.People:
			out = append(out, message.Say("plan.tree.pairsOfPeople").Count("n", x.Pairs))
		default:
			out = append(out, message.Say("plan.tree.pairs").Count("n", x.Pairs))
		}
	}
	if slices.ContainsFunc(p.Attrs, func(a table.Attribute) bool { return a.Kind == table.Categorical }) {
		out = append(out, message.Say("plan.tree.categories"))
	}
	return out
}

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	if !slices.Contains(insides, p.Inside) {
		return fmt.Errorf("inside is %q; expected one of %q", p.Inside, insides)
	}
	if p.Least < 2 || p.BlockMax < 2*p.Least {
		return fmt.Errorf("groups of %d in blocks of %d; expected at least 2 and twice as many", p.Least, p.BlockMax)
	}
	var all []int
	for k := range p.Parts {
		if err := p.Parts[k].check(p.Attrs); err != nil {
			return err
		}
		all = append(all, p.Parts[k].Columns...)
	}
	slices.Sort(all)
	return protect.CheckColumns(p.Attrs, all, table.Numeric) // no column changes by two trees
}

func (x *Part) check(attrs []table.Attribute) error {
	for _, columns := range [][]int{x.Columns, x.Tests} {
		if err := protect.CheckColumns(attrs, columns, table.Numeric); err != nil {
			return err
		}
		if len(columns) == 0 {
			return errors.New("a tree tests or changes no column")
		}
	}
	if len(x.Low) != len(x.Tests) || len(x.Width) != len(x.Tests) {
		return fmt.Errorf("%d columns are tested, but %d and %d scales given", len(x.Tests), len(x.Low), len(x.Width))
	}
	for k := range x.Tests {
		if !(x.Width[k] >= 0) || math.IsInf(x.Width[k], 0) || math.IsNaN(x.Low[k]) || math.IsInf(x.Low[k], 0) {
			return errors.New("a column is not scaled by finite numbers")
		}
	}
	if len(x.Tree.Nodes) == 0 {
		return errors.New("the tree is missing")
	}
	for _, n := range x.Tree.Nodes {
		if int(n.Attr) >= len(x.Tests) {
			return fmt.Errorf("the tree tests column %d of %d", n.Attr, len(x.Tests))
		}
	}
	return nil
}

// attribute returns a column as it is released.
func (p *Plan) attribute(j int) table.Attribute {
	if p.Finer && p.Inside != Swap {
		return fence.Finer(p.Attrs[j])
	}
	return p.Attrs[j]
}
