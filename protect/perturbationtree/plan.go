package perturbationtree

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/kdpartition"
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique.
type Plan struct {
	protect.Counted
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
	Pairs   int              `json:"pairs,omitempty"` // leaves in which two people had known values of some column, for the notes
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
func (p *Plan) Describe() string {
	what := "means of leaves"
	switch p.Inside {
	case Microaggregate:
		if what = numeral.Sprintf("means of groups of %d inside leaves", p.Least); p.People {
			what = numeral.Sprintf("means of groups of %d people inside leaves", p.Least)
		}
	case Swap:
		what = "swapped inside leaves"
	}
	return what + " of a kd-tree (perturbation tree)"
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
func (p *Plan) Notes() []string {
	if len(p.Parts) == 0 {
		return []string{"no numeric column is to be changed: the release is the original"}
	}
	var out []string
	for k := range p.Parts {
		x := &p.Parts[k]
		leaves, small, large := x.Tree.Leaves(), math.MaxInt32, 0
		for _, n := range x.Tree.Nodes {
			if n.Attr == kdpartition.Leaf {
				small, large = min(small, int(n.Size)), max(large, int(n.Size))
			}
		}
		out = append(out, numeral.Sprintf("%s: %d leaves of %d to %d records", quoted(protect.Names(p.Attrs, x.Columns)), leaves, small, large))
		if x.Pairs > 0 && p.Inside == Mean {
			what := "two values of a column, whose people can work out each other's"
			if p.People {
				what = "the values that two people have of a column, who can work out each other's"
			}
			out = append(out, numeral.Sprintf("%d leaves average %s: leafMin=3 avoids it", x.Pairs, what))
		}
	}
	if slices.ContainsFunc(p.Attrs, func(a table.Attribute) bool { return a.Kind == table.Categorical }) {
		out = append(out, "categorical columns take no part and are released as they are")
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

func quoted(names []string) string {
	s := ""
	for k, n := range names {
		if k > 0 {
			s += ", "
		}
		s += fmt.Sprintf("%q", n)
	}
	return s
}
