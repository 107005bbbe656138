package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// schemaIn lists attributes without the class.
type schemaIn []struct {
	Name, Type string
	Min, Max   float64
	Integer    bool
	Values     []string
}

func (s schemaIn) attrs() []table.Attribute {
	out := make([]table.Attribute, len(s))
	for j, a := range s {
		out[j] = table.Attribute{Name: a.Name, Kind: table.Categorical, Labels: a.Values}
		if a.Type == "numeric" {
			out[j] = table.Attribute{Name: a.Name, Domain: table.Interval{Lo: a.Min, Hi: a.Max}, Declared: true}
			if a.Integer {
				out[j].Step = 1
			}
		}
	}
	return out
}

// classIn names the class; its values may be absent.
type classIn struct {
	Name   string
	Values []string
}

// attr returns the class as an attribute, named class where the case does not name it, whose labels are the given
// values and then those of the leaves and the records.
func (c classIn) attr(t *nodeIn, records []recordIn) table.Attribute {
	labels := slices.Clone(c.Values)
	add := func(l string) {
		if !slices.Contains(labels, l) {
			labels = append(labels, l)
		}
	}
	if c.Name == "" {
		c.Name = "class"
	}
	t.leaves(func(n *nodeIn) { add(n.Class) })
	for _, r := range records {
		if l, ok := r[c.Name].(string); ok {
			add(l)
		}
	}
	return table.Attribute{Name: c.Name, Kind: table.Categorical, Labels: labels, Role: table.Class}
}

// nodeIn is a node of a tree: a numeric test, a categorical test or a leaf.
type nodeIn struct {
	Attr      string
	Threshold float64
	Le, Gt    *nodeIn
	Branches  []struct {
		Values []string
		Node   *nodeIn
	}
	Class string
}

// kids returns the branches in order.
func (n *nodeIn) kids() []*nodeIn {
	if n == nil {
		return nil
	}
	if n.Le != nil {
		return []*nodeIn{n.Le, n.Gt}
	}
	var out []*nodeIn
	for _, b := range n.Branches {
		out = append(out, b.Node)
	}
	return out
}

// leaves visits the leaves in order.
func (n *nodeIn) leaves(visit func(*nodeIn)) {
	kids := n.kids()
	if n != nil && len(kids) == 0 {
		visit(n)
	}
	for _, k := range kids {
		k.leaves(visit)
	}
}

// tree returns the library's tree on a schema whose last attribute is the class.
func (n *nodeIn) tree(attrs []table.Attribute) (*tree.Tree, error) {
	t := &tree.Tree{Attrs: attrs, Class: len(attrs) - 1}
	_, err := n.plant(t)
	return t, err
}

func (n *nodeIn) plant(t *tree.Tree) (int32, error) {
	at := int32(len(t.Nodes))
	if n == nil {
		return at, errors.New("a branch leads nowhere")
	}
	node := tree.Node{Attr: -1, Counts: make([]float64, len(t.ClassLabels()))}
	t.Nodes = append(t.Nodes, node)
	kids := n.kids()
	if len(kids) == 0 {
		label := t.Attrs[t.Class].Code(n.Class)
		if label < 0 {
			return at, fmt.Errorf("a leaf has class %q, which is unknown", n.Class)
		}
		t.Nodes[at].Label = label
		return at, nil
	}
	node.Attr = slices.IndexFunc(t.Attrs, func(a table.Attribute) bool { return a.Name == n.Attr })
	if node.Attr < 0 {
		return at, fmt.Errorf("a node tests attribute %q, which the schema lacks", n.Attr)
	}
	node.Cut = n.Threshold
	if n.Le == nil {
		node.Branch = n.branch(&t.Attrs[node.Attr])
	}
	for _, k := range kids {
		kid, err := k.plant(t)
		if err != nil {
			return at, err
		}
		node.Kids = append(node.Kids, kid)
	}
	t.Nodes[at] = node
	return at, nil
}

func (n *nodeIn) branch(a *table.Attribute) []int32 {
	out := make([]int32, len(a.Labels))
	for code := range out {
		out[code] = int32(slices.IndexFunc(n.Branches, func(b struct {
			Values []string
			Node   *nodeIn
		}) bool {
			return slices.Contains(b.Values, a.Labels[code])
		}))
	}
	return out
}

// recordIn is a record: attribute -> value; null is missing.
type recordIn map[string]any

// tableOf returns the records as a table.
func tableOf(attrs []table.Attribute, records []recordIn) (*table.Table, error) {
	cols := make([]table.Column, len(attrs))
	for j, a := range attrs {
		c := table.Column{Attribute: a}
		for i, r := range records {
			var v float64
			var code int32
			var err error
			switch a.Kind {
			case table.Numeric:
				v, err = r.number(a.Name)
				c.Num = append(c.Num, v)
			case table.Categorical:
				code, err = r.code(&a)
				c.Cat = append(c.Cat, code)
			case table.SetValued:
				err = fmt.Errorf("%q is %s, expected numbers or categories", a.Name, a.Kind)
			}
			if err != nil {
				return nil, fmt.Errorf("record %d: %w", i, err)
			}
		}
		cols[j] = c
	}
	return table.New(cols...)
}

func (r recordIn) number(name string) (float64, error) {
	v, ok := r[name].(float64)
	if !ok {
		return 0, fmt.Errorf("attribute %q holds no number", name)
	}
	return v, nil
}

// code returns the code of the record's value; -1 where the record does not have the attribute.
func (r recordIn) code(a *table.Attribute) (int32, error) {
	v, ok := r[a.Name]
	if !ok || v == nil {
		return -1, nil
	}
	if c := a.Code(fmt.Sprint(v)); c >= 0 {
		return c, nil
	}
	return 0, fmt.Errorf("attribute %q has no value %v", a.Name, v)
}

// grown is a tree with its records.
type grown struct {
	Schema  schemaIn
	Class   classIn
	Tree    *nodeIn
	Records []recordIn
}

// build returns the library's tree, counted on the records, and table.
func (g *grown) build() (*tree.Tree, *table.Table, error) {
	attrs := append(g.Schema.attrs(), g.Class.attr(g.Tree, g.Records))
	t, err := g.Tree.tree(attrs)
	if err != nil {
		return nil, nil, err
	}
	tab, err := tableOf(attrs, g.Records)
	if err != nil {
		return nil, nil, err
	}
	t.Recount(tab)
	return t, tab, nil
}

// leafID names a leaf by its number from 0.
func leafID(l int) string { return "L" + strconv.Itoa(l+1) }

// leafCounts names the class counts of the leaves; classes without records are left out.
func leafCounts(t *tree.Tree) map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	for l, i := range t.Leaves() {
		m := map[string]float64{}
		for c, n := range t.Nodes[i].Counts {
			if n > 0 {
				m[t.ClassLabels()[c]] = n
			}
		}
		out[leafID(l)] = m
	}
	return out
}

// routes names the leaf of every record.
func routes(t *tree.Tree, tab *table.Table) []string {
	leaf := make([]int32, tab.Rows())
	t.Route(tab, leaf)
	out := make([]string, len(leaf))
	for i, l := range leaf {
		out[i] = leafID(int(l))
	}
	return out
}

// vectors turns counts by name into slices in one order of the names, which is returned.
func vectors[T any](counts []map[string]T) ([]string, [][]T) {
	seen := map[string]bool{}
	for _, m := range counts {
		for k := range m {
			seen[k] = true
		}
	}
	names := slices.Sorted(maps.Keys(seen))
	out := make([][]T, len(counts))
	for i, m := range counts {
		out[i] = make([]T, len(names))
		for k, n := range names {
			out[i][k] = m[n]
		}
	}
	return names, out
}

// named turns probabilities by code into probabilities by name.
func named(names []string, p []float64) map[string]float64 {
	out := make(map[string]float64, len(names))
	for k, n := range names {
		out[n] = p[k]
	}
	return out
}
