package relation_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/relation/relationtest"
)

// TestRestatementCheck: a restatement survives JSON and is sound, and what an edited one has wrong is found before a
// table is restated by it.
func TestRestatementCheck(t *testing.T) {
	tab, rels := relationtest.Table(200, 0, 5)
	made, _, err := relation.Restate(tab, rels, relation.RestateOptions{})
	must.NoError(t, err)
	data := must.Get(json.Marshal(made))(t)
	read := func() *relation.Restatement {
		r := &relation.Restatement{}
		must.NoError(t, json.Unmarshal(data, r))
		return r
	}
	must.NoError(t, read().Check())
	order := func(r *relation.Restatement) *relation.Step {
		for k := range r.Steps {
			if r.Steps[k].Kind == relation.Order {
				return &r.Steps[k]
			}
		}
		t.Fatal("there is no order")
		return nil
	}
	for says, edit := range map[string]func(*relation.Restatement){
		"no column":       func(r *relation.Restatement) { r.Attrs = r.Attrs[1:] },
		"ordered by none": func(r *relation.Restatement) { order(r).Besides = nil },
		"no numbers":      func(r *relation.Restatement) { order(r).Besides = []string{"sex"} },
		"does not give":   func(r *relation.Restatement) { r.Steps[0].Target = "sex" },
		"is of the kind":  func(r *relation.Restatement) { r.Never[0].Kind = relation.Determines },
		"no kind":         func(r *relation.Restatement) { r.Steps[0].Kind = "x" },
	} {
		r := read()
		edit(r)
		if err := r.Check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}
