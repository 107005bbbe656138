package natwichai

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// rule is one that is to be hidden.
type rule struct {
	basket.Pattern
	end   int32       // code of the class
	begin []condition // what its beginning asks for
}

// condition is an item of a beginning, as an attribute and what it may be.
type condition struct {
	name   string
	label  string  // of a category, or an item of a set
	lo, hi float64 // of a number: from lo on, and below hi
	kind   table.Kind
}

// rules reads what is to be hidden, and refuses what is no rule for the class.
func (p *Plan) rules(c *basket.Coding) ([]rule, error) {
	if p.Sensitive == "" {
		return nil, errors.New(
			`parameter "sensitive" lists nothing; it lists the rules that are to be hidden, such as outlook=overcast=>play=yes (--sensitive FILE)`,
		)
	}
	list, err := c.Patterns(p.Sensitive)
	if err != nil {
		return nil, fmt.Errorf(`parameter "sensitive": %w`, err)
	}
	if len(list) == 0 {
		return nil, errors.New(`parameter "sensitive" lists nothing but remarks`)
	}
	class, columns := p.Tree.Attrs[p.Tree.Class], c.Columns()
	out := make([]rule, len(list))
	for k, one := range list {
		out[k].Pattern = one
		switch {
		case one.At != "":
			err = errors.New("has a threshold after @, but only swa accepts thresholds per pattern")
		case !one.Rule():
			err = errors.New("is an itemset, and this technique hides rules for the class; hide2b hides itemsets")
		case len(one.Then) != 1 || columns[c.ColumnOf(one.Then[0])] != class.Name:
			err = fmt.Errorf("does not end with a class: one value of %q", class.Name)
		}
		for _, v := range one.If {
			if columns[c.ColumnOf(v)] == class.Name && err == nil {
				err = fmt.Errorf("has the class %q in its antecedent", class.Name)
			}
			out[k].begin = append(out[k].begin, p.condition(c, v))
		}
		if err != nil {
			return nil, fmt.Errorf(`parameter "sensitive": pattern %d %w`, k+1, err)
		}
		out[k].end = int32(slices.Index(class.Labels, c.Items[one.Then[0]].Value))
	}
	return out, nil
}

// condition returns what an item asks for.
func (p *Plan) condition(c *basket.Coding, item int32) condition {
	column := c.ColumnOf(item)
	first := item
	for first > 0 && c.ColumnOf(first-1) == column {
		first--
	}
	saved := p.Coding[column]
	j := slices.IndexFunc(p.Tree.Attrs, func(a table.Attribute) bool { return a.Name == saved.Name })
	out := condition{
		name:  saved.Name,
		label: c.Items[item].Value,
		lo:    math.Inf(-1),
		hi:    math.Inf(1),
		kind:  p.Tree.Attrs[j].Kind,
	}
	k := int(item - first)
	if saved.Each {
		out.lo, out.hi = saved.Cuts[k], math.Nextafter(saved.Cuts[k], math.Inf(1))
		return out
	}
	if k > 0 && k <= len(saved.Cuts) {
		out.lo = saved.Cuts[k-1]
	}
	if k < len(saved.Cuts) {
		out.hi = saved.Cuts[k]
	}
	return out
}

// holds reports whether the condition is among those of a segment (inside), and whether a record of the segment may
// meet it (meets).
func (c *condition) holds(s *segment.Segment, attrs []table.Attribute) (inside, meets bool) {
	j := slices.IndexFunc(attrs, func(a table.Attribute) bool { return a.Name == c.name })
	if j < 0 || !s.Influential(j) {
		return false, j >= 0
	}
	if c.kind == table.Numeric {
		iv := s.Num[j]
		return iv.Lo >= c.lo && iv.Hi < c.hi, iv.Lo < c.hi && (iv.Hi >= c.lo)
	}
	code := int32(slices.Index(attrs[j].Labels, c.label))
	_, meets = slices.BinarySearch(s.Cat[j], code)
	return meets && len(s.Cat[j]) == 1, meets
}

// leaves returns the numbers of the leaves of a tree that are sensitive by a rule.
func (r *rule) leaves(tr *tree.Tree, reach string) (out []int32) {
	segments := tr.Segments()
	for l, i := range tr.Leaves() {
		sensitive := tr.Nodes[i].Label == r.end
		for k := range r.begin {
			inside, meets := r.begin[k].holds(&segments[l], tr.Attrs)
			sensitive = sensitive && (inside || reach == Overlap && meets)
		}
		if sensitive {
			out = append(out, int32(l))
		}
	}
	return out
}

// find returns the coding, the rules, and the sensitive leaves of each. It refuses a rule that no leaf has.
func (p *Plan) find() (*basket.Coding, []rule, [][]int32, error) {
	c, err := p.Coding.Restore(p.Tree.Attrs)
	if err != nil {
		return nil, nil, nil, err
	}
	rules, err := p.rules(c)
	if err != nil {
		return nil, nil, nil, err
	}
	leaves := make([][]int32, len(rules))
	for k := range rules {
		if leaves[k] = rules[k].leaves(p.Tree, p.Reach); len(leaves[k]) > 0 {
			continue
		}
		hint := "; reach=overlap takes every leaf with this majority that a record of the beginning may be in"
		if p.Reach == Overlap {
			hint = ""
		}
		return nil, nil, nil, fmt.Errorf(
			`parameter "sensitive": pattern %d is the rule of no leaf of the tree: none has its beginning among its conditions and its end as the majority class%s`,
			k+1,
			hint,
		)
	}
	return c, rules, leaves, nil
}
