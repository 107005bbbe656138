package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/dither-data/dither/table"
)

// UnmarshalJSON reads what MarshalJSON writes. Counts may be left out; a tree is refused, with the path of the bad
// node, when a test names no attribute of the schema or the class, does not fit the attribute's kind, repeats a value
// or lacks a branch, or when a label or count is impossible.
func (t *Tree) UnmarshalJSON(data []byte) error {
	var d Document
	if err := strict(data, &d); err != nil {
		return err
	}
	return t.parse(&d, "schema")
}

// strict decodes a document, all of it and nothing else.
func strict(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("tree: there is more after the document")
	}
	return nil
}

// parse takes the tree of a document, whose attributes stand under a key.
func (t *Tree) parse(d *Document, key string) error {
	p := parser{column: map[string]int{}}
	if err := p.schema(d, key); err != nil {
		return err
	}
	if d.Tree == nil {
		return errors.New("tree: the document has no tree")
	}
	if _, err := p.node(d.Tree, "tree"); err != nil {
		return err
	}
	*t = p.tree
	return nil
}

// Parse makes the tree of a document. It refuses what UnmarshalJSON refuses. Cost: O(nodes) and O(labels).
func (d *Document) Parse() (*Tree, error) {
	t := &Tree{}
	if err := t.parse(d, "schema"); err != nil {
		return nil, err
	}
	return t, nil
}

// parser builds a tree from its document.
type parser struct {
	tree   Tree
	column map[string]int
	codes  []map[string]int32 // by column: the codes of its labels
}

func (p *parser) schema(d *Document, key string) error {
	p.tree.Attrs = d.Schema
	for k, a := range d.Schema {
		if _, ok := p.column[a.Name]; ok {
			return fmt.Errorf("%s[%d]: attribute %q occurs twice", key, k, a.Name)
		}
		p.column[a.Name] = k
		codes := make(map[string]int32, len(a.Labels)) // no label occurs twice: Attribute.UnmarshalJSON sees to it
		for code, l := range a.Labels {
			codes[l] = int32(code)
		}
		p.codes = append(p.codes, codes)
	}
	j, ok := p.column[d.Class]
	switch {
	case !ok:
		return fmt.Errorf("class: %q is not in the schema", d.Class)
	case p.tree.Attrs[j].Kind != table.Categorical || len(p.tree.Attrs[j].Labels) == 0:
		return fmt.Errorf("class: %q must be categorical and have values", d.Class)
	}
	p.tree.Class = j
	return nil
}

// node appends a node and what hangs on it, and returns its position.
func (p *parser) node(d *DocumentNode, path string) (int32, error) {
	at := int32(len(p.tree.Nodes))
	n := Node{Attr: -1, Counts: d.Counts}
	if err := p.label(d, &n, path); err != nil {
		return 0, err
	}
	p.tree.Nodes = append(p.tree.Nodes, n)
	if d.Attr == "" {
		if d.Threshold != nil || d.Le != nil || d.Gt != nil || d.Branches != nil || d.Heavy != nil {
			return 0, fmt.Errorf("%s: a test needs attr", path)
		}
		return at, nil
	}
	j, ok := p.column[d.Attr]
	if !ok || j == p.tree.Class {
		return 0, fmt.Errorf("%s: %q is not an attribute that can be tested", path, d.Attr)
	}
	n.Attr = j
	var err error
	switch a := &p.tree.Attrs[j]; a.Kind {
	case table.Numeric:
		err = p.numeric(d, &n, path)
	case table.Categorical:
		err = p.categorical(d, &n, path)
	case table.SetValued:
		err = fmt.Errorf("%s: %q is %s and cannot be tested", path, d.Attr, a.Kind)
	}
	if err != nil {
		return 0, err
	}
	n.Heavy = p.tree.heaviest(n.Kids)
	if d.Heavy != nil {
		if n.Heavy = *d.Heavy; n.Heavy < 0 || int(n.Heavy) >= len(n.Kids) {
			return 0, fmt.Errorf("%s: heavy is %d, expected a position among the %d branches", path, n.Heavy, len(n.Kids))
		}
	}
	p.tree.Nodes[at] = n
	return at, nil
}

// label checks the counts and finds the label.
func (p *parser) label(d *DocumentNode, n *Node, path string) error {
	classes := len(p.tree.ClassLabels())
	if d.Counts == nil {
		n.Counts = make([]float64, classes)
	}
	if len(n.Counts) != classes {
		return fmt.Errorf("%s: counts has %d numbers, expected one for each of %d classes", path, len(n.Counts), classes)
	}
	if slices.ContainsFunc(n.Counts, func(c float64) bool { return c < 0 }) || math.IsInf(n.Weight(), 0) {
		return fmt.Errorf("%s: counts must be finite and not negative", path)
	}
	n.Label = argmax(n.Counts)
	if d.Class == nil {
		if d.Attr == "" {
			return fmt.Errorf("%s: a leaf needs class", path)
		}
		return nil
	}
	code, ok := p.codes[p.tree.Class][*d.Class]
	if !ok {
		return fmt.Errorf("%s: its class is not in the schema", path)
	}
	n.Label = code
	return nil
}

func (p *parser) numeric(d *DocumentNode, n *Node, path string) (err error) {
	if d.Threshold == nil || d.Le == nil || d.Gt == nil || d.Branches != nil {
		return fmt.Errorf("%s: a test of numeric %q takes threshold, le and gt", path, d.Attr)
	}
	n.Cut, n.Kids = *d.Threshold, make([]int32, 2)
	if n.Kids[0], err = p.node(d.Le, path+".le"); err != nil {
		return err
	}
	n.Kids[1], err = p.node(d.Gt, path+".gt")
	return err
}

func (p *parser) categorical(d *DocumentNode, n *Node, path string) error {
	if d.Threshold != nil || d.Le != nil || d.Gt != nil || len(d.Branches) == 0 {
		return fmt.Errorf("%s: a test of categorical %q takes branches", path, d.Attr)
	}
	n.Branch = make([]int32, len(p.tree.Attrs[n.Attr].Labels))
	for code := range n.Branch {
		n.Branch[code] = -1
	}
	for k, b := range d.Branches {
		at := fmt.Sprintf("%s.branches[%d]", path, k)
		for i, v := range b.Values {
			code, ok := p.codes[n.Attr][v]
			if !ok || n.Branch[code] >= 0 {
				return fmt.Errorf("%s: value %d is not a value of %q, or already has a branch", at, i+1, d.Attr)
			}
			n.Branch[code] = int32(k)
		}
		if b.Node == nil {
			return fmt.Errorf("%s: there is no node", at)
		}
		kid, err := p.node(b.Node, at+".node")
		if err != nil {
			return err
		}
		n.Kids = append(n.Kids, kid)
	}
	return nil
}
