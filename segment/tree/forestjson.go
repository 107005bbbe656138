package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/table"
)

// forestDoc is the JSON form of a forest: the schema and the class once, then the nodes of every tree, nested.
type forestDoc struct {
	Schema []table.Attribute `json:"schema"`
	Class  string            `json:"class"`
	Voting string            `json:"voting,omitempty"` // absent: credal
	Trees  []*DocumentNode   `json:"trees"`
}

// MarshalJSON writes the schema, the name of the class, the voting and the trees, each as Tree.MarshalJSON writes its
// nodes. It is an error when the forest has no tree, or trees of different schemas.
func (f Forest) MarshalJSON() ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	d := forestDoc{Schema: f.Attrs(), Class: f.Attrs()[f.Class()].Name, Voting: f.Voting}
	for _, t := range f.Trees {
		d.Trees = append(d.Trees, t.doc(0))
	}
	return json.Marshal(d)
}

// check returns an error unless the forest is one.
func (f *Forest) check() error {
	if len(f.Trees) == 0 {
		return errors.New("forest: it has no trees")
	}
	for i, t := range f.Trees {
		switch {
		case t == nil || len(t.Nodes) == 0:
			return fmt.Errorf("forest: trees[%d] has no nodes", i)
		case t.Class != f.Class() || !slices.EqualFunc(t.Attrs, f.Attrs(), sameAttr):
			return fmt.Errorf("forest: trees[%d] has another schema than trees[0]", i)
		}
	}
	return nil
}

// UnmarshalJSON reads what MarshalJSON writes and refuses what Tree.UnmarshalJSON refuses, a forest without trees and
// an unknown voting.
func (f *Forest) UnmarshalJSON(data []byte) error {
	var d forestDoc
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return fmt.Errorf("forest: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("forest: there is more after the document")
	}
	if d.Voting != "" && !slices.Contains(Votings, d.Voting) {
		return fmt.Errorf("voting: %q, expected %s", d.Voting, strings.Join(Votings, ", "))
	}
	if len(d.Trees) == 0 {
		return errors.New("trees: the forest has none")
	}
	p := parser{column: map[string]int{}}
	if err := p.schema(&Document{Schema: d.Schema, Class: d.Class}, "schema"); err != nil {
		return err
	}
	trees := make([]*Tree, len(d.Trees))
	for i, root := range d.Trees {
		path := fmt.Sprintf("trees[%d]", i)
		if root == nil {
			return fmt.Errorf("%s: there is no tree", path)
		}
		p.tree.Nodes = nil
		if _, err := p.node(root, path); err != nil {
			return err
		}
		one := p.tree
		trees[i] = &one
	}
	*f = Forest{Trees: trees, Voting: d.Voting}
	return nil
}
