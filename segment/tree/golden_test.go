package tree

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

type condDoc struct {
	Attr, Op string
	Value    any
}

type leafDoc struct {
	ID   string
	Rule struct {
		If   []condDoc
		Then string
	}
	Linfa []string
	Box   map[string]struct {
		Tested bool
		Lo, Hi float64
		LoOpen bool `json:"lo_open"`
		Values []string
	}
}

type structureCase struct {
	Name  string
	Input struct {
		Schema []struct {
			Name, Type string
			Min, Max   float64
			Values     []string
		}
		Class struct {
			Name   string
			Values []string
		}
		Tree    json.RawMessage
		Records []map[string]any
	}
	Expected struct {
		Leaves      []leafDoc
		Innocent    []string `json:"total_innocent"`
		Siblings    map[string][]string
		Routes      []string
		Predictions []string
		Counts      map[string]map[string]float64 `json:"leaf_class_counts"`
	}
}

// The trees of Islam 2007, sections 5.1, 5.3, 6.4.1 and 7.3.
func TestGolden(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/tree_structure.json"))(t)
	var cases []structureCase
	must.NoError(t, json.Unmarshal(data, &cases))
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			tr, tab := c.build(t)
			c.checkLeaves(t, tr)
			c.checkRecords(t, tr, tab)
		})
	}
}

func (c *structureCase) build(t *testing.T) (*Tree, *table.Table) {
	d := map[string]any{"class": c.Input.Class.Name, "tree": c.Input.Tree}
	var schema []any
	var cols []table.Column
	value := func(name string, i int) any { return c.Input.Records[i][name] }
	categorical := func(name string, labels []string) {
		schema = append(schema, map[string]any{"name": name, "type": "categorical", "values": labels})
		codes := make([]int32, len(c.Input.Records))
		for i := range codes {
			codes[i] = int32(slices.Index(labels, value(name, i).(string)))
		}
		cols = append(cols, table.CatColumn(name, labels, codes))
	}
	for _, a := range c.Input.Schema {
		if a.Type == "categorical" {
			categorical(a.Name, a.Values)
			continue
		}
		schema = append(schema, map[string]any{"name": a.Name, "type": "numeric", "min": a.Min, "max": a.Max, "step": 1})
		v := make([]float64, len(c.Input.Records))
		for i := range v {
			v[i] = value(a.Name, i).(float64)
		}
		cols = append(cols, table.NumColumn(a.Name, 1, v))
	}
	categorical(c.Input.Class.Name, c.Input.Class.Values)
	d["schema"] = schema
	doc := must.Get(json.Marshal(d))(t)
	tr := new(Tree)
	must.NoError(t, json.Unmarshal(doc, tr))
	tab := tabletest.Of(t, cols...)
	return tr, tab
}

func id(leaf int) string { return "L" + strconv.Itoa(leaf+1) }

func (c *structureCase) checkLeaves(t *testing.T, tr *Tree) {
	segments := tr.Segments()
	if len(segments) != len(c.Expected.Leaves) {
		t.Fatalf("%d leaves, expected %d", len(segments), len(c.Expected.Leaves))
	}
	for _, r := range tr.Rules() {
		want := c.Expected.Leaves[r.Leaf]
		got := leafDoc{ID: id(r.Leaf), Linfa: []string{}, Box: want.Box}
		got.Rule.If, got.Rule.Then = []condDoc{}, tr.ClassLabels()[r.Then]
		for _, k := range r.If {
			a := &tr.Attrs[k.Attr]
			d := condDoc{a.Name, k.Op, k.Value}
			if k.Codes != nil {
				var values []any
				for _, code := range k.Codes {
					values = append(values, a.Labels[code])
				}
				d.Op, d.Value = "in", values // the case writes sets of one value with in
			}
			got.Rule.If = append(got.Rule.If, d)
			got.Linfa = append(got.Linfa, a.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("leaf %d: case -, tree +\n%s", r.Leaf, diff)
		}
		for name, box := range want.Box {
			j := slices.IndexFunc(tr.Attrs, func(a table.Attribute) bool { return a.Name == name })
			s := &segments[r.Leaf]
			if s.Influential(j) != box.Tested {
				t.Errorf("leaf %d: %s is influential: %v", r.Leaf, name, !box.Tested)
			}
			if iv, ok := s.Num[j]; ok && (iv != table.Interval{Lo: box.Lo, Hi: box.Hi, OpenLo: box.LoOpen}) {
				t.Errorf("leaf %d: %s in %v, expected %+v", r.Leaf, name, iv, box)
			}
		}
	}
	var innocent []string
	for _, j := range tr.TotallyInnocent() {
		innocent = append(innocent, tr.Attrs[j].Name)
	}
	if !slices.Equal(innocent, c.Expected.Innocent) {
		t.Errorf("totally innocent are %v, expected %v", innocent, c.Expected.Innocent)
	}
	for l, group := range tr.Siblings() {
		names := []string{}
		for _, s := range group {
			names = append(names, id(s))
		}
		if want := c.Expected.Siblings[id(l)]; !slices.Equal(names, want) {
			t.Errorf("siblings of leaf %d are %v, expected %v", l, names, want)
		}
	}
}

func (c *structureCase) checkRecords(t *testing.T, tr *Tree, tab *table.Table) {
	leaf, class := make([]int32, tab.Rows()), make([]int32, tab.Rows())
	tr.Route(tab, leaf)
	tr.Predict(tab, class)
	for r := range leaf {
		if id(int(leaf[r])) != c.Expected.Routes[r] || tr.ClassLabels()[class[r]] != c.Expected.Predictions[r] {
			t.Errorf("record %d: leaf %d, class %d, expected %s, %s", r, leaf[r], class[r], c.Expected.Routes[r],
				c.Expected.Predictions[r])
		}
	}
	tr.Recount(tab)
	for l, i := range tr.Leaves() {
		for code, w := range tr.Nodes[i].Counts {
			if want := c.Expected.Counts[id(l)][tr.ClassLabels()[code]]; math.Abs(w-want) > 1e-9 {
				t.Errorf("leaf %d, class %d: %v records, expected %v", l, code, w, want)
			}
		}
	}
}
