package tree

import (
	"slices"

	"github.com/dither-data/dither/table"
)

// Rule is the rule of one leaf: records that meet all conditions belong to class Then.
type Rule struct {
	If      []Cond
	Then    int32   // class code
	Records float64 // training weight of the leaf
	Leaf    int     // number of the leaf
}

// Cond is a condition on one attribute.
type Cond struct {
	Attr  int     // column
	Op    string  // <= and > with Value; = and in with Codes
	Value float64 // limit of a numeric condition
	Codes []int32 // allowed codes, ascending; one of them when Op is =
}

// Rules returns the rules of all leaves, in leaf order. Tests of one attribute on a path are merged: a rule has at
// most one <= and one > per numeric attribute, the tightest, and one condition per categorical one, in the order in
// which the path first sets them (Islam 2007, section 7.3).
func (t *Tree) Rules() []Rule {
	codes := t.codes()
	var out []Rule
	t.Walk(func(path []Step, i int32) {
		n := &t.Nodes[i]
		if !n.Leaf() {
			return
		}
		out = append(out, Rule{If: t.conds(path, codes), Then: n.Label, Records: n.Weight(), Leaf: len(out)})
	})
	return out
}

// Above returns the conditions that a record meets at the node above every leaf, in leaf order, merged as in Rules:
// those which all children of the node have in common.
func (t *Tree) Above() (out [][]Cond) {
	codes := t.codes()
	t.Walk(func(path []Step, i int32) {
		if t.Nodes[i].Leaf() {
			out = append(out, t.conds(path[:max(0, len(path)-1)], codes))
		}
	})
	return out
}

// conds returns the merged conditions of a path.
func (t *Tree) conds(path []Step, codes [][][]int32) (out []Cond) {
	for _, s := range path {
		out = narrow(out, t.cond(s, codes))
	}
	for k := range out {
		out[k].tidy()
	}
	return out
}

// cond returns the condition of one step. Its codes are shared.
func (t *Tree) cond(s Step, codes [][][]int32) Cond {
	n := &t.Nodes[s.Node]
	if n.Branch == nil {
		return Cond{Attr: n.Attr, Op: [2]string{"<=", ">"}[s.Kid], Value: n.Cut}
	}
	return Cond{Attr: n.Attr, Op: "in", Codes: codes[s.Node][s.Kid]}
}

// narrow adds a condition to a conjunction.
func narrow(conds []Cond, c Cond) []Cond {
	k := slices.IndexFunc(conds, func(o Cond) bool { return o.Attr == c.Attr && o.Op == c.Op })
	if k < 0 {
		return append(conds, c)
	}
	switch o := &conds[k]; c.Op {
	case "<=":
		o.Value = min(o.Value, c.Value)
	case ">":
		o.Value = max(o.Value, c.Value)
	default:
		o.Codes = common(o.Codes, c.Codes)
	}
	return conds
}

// AppendTo appends the condition as text, such as "age <= 38" or "sex = Male" or "race in {Black, Other}".
func (c *Cond) AppendTo(dst []byte, attrs []table.Attribute) []byte {
	a := &attrs[c.Attr]
	dst = append(append(append(append(dst, a.Name...), ' '), c.Op...), ' ')
	switch c.Op {
	case "<=", ">":
		if a.Dates != "" { // a limit between two dates is that of the earlier one
			return a.AppendValue(dst, c.Value)
		}
		return table.AppendNumber(dst, c.Value, cutStep(c.Value, a.Step))
	case "=":
		return append(dst, a.Labels[c.Codes[0]]...)
	}
	dst = append(dst, '{')
	for k, code := range c.Codes {
		if k > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, a.Labels[code]...)
	}
	return append(dst, '}')
}

// cutStep returns the grid to write a limit with: the attribute's where the limit lies on it, else none.
func cutStep(v, step float64) float64 {
	if table.Snap(v, step) != v {
		return 0
	}
	return step
}
