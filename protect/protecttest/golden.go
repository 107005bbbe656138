package protecttest

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Case is a worked example with its exact answer.
type Case[In, Out any] struct {
	Name      string
	Input     In
	Expected  Out
	Tolerance struct {
		Abs  float64
		Runs int
		MaxZ float64 `json:"max_z"`
	}
}

// Cases returns the cases of one operation in a file of cases. That there are none is fatal.
func Cases[In, Out any](t testing.TB, file []byte, op string) []Case[In, Out] {
	t.Helper()
	var raw []json.RawMessage
	if err := json.Unmarshal(file, &raw); err != nil {
		t.Fatal(err)
	}
	var out []Case[In, Out]
	for _, r := range raw {
		var head struct{ Op string }
		if err := json.Unmarshal(r, &head); err != nil {
			t.Fatal(err)
		}
		if head.Op != op {
			continue
		}
		var c Case[In, Out]
		if err := json.Unmarshal(r, &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		t.Fatalf("no cases of %s", op)
	}
	return out
}

// Near fails unless got is within the tolerance of want.
func Near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, expected %v", what, got, want)
	}
}

// Classes returns a table of one class column that has counts[c] records of class c, and a tree of one leaf for it.
func Classes(counts ...int) (*table.Table, *tree.Tree) {
	var codes []int32
	for c, n := range counts {
		for range n {
			codes = append(codes, int32(c))
		}
	}
	class := table.CatColumn("class", letters(len(counts)), codes)
	class.Role = table.Class
	t := tabletest.Must(class)
	tr := &tree.Tree{Attrs: t.Attrs(), Nodes: []tree.Node{{Attr: -1}}}
	tr.Recount(t)
	return t, tr
}

// Branching is the tree of a case: a numeric test, a categorical test or a leaf.
type Branching struct {
	Attr      string
	Threshold float64
	Le, Gt    *Branching
	Branches  []struct {
		Values []string
		Node   *Branching
	}
	Class string
}

// Facts is the input of the cases on numeric noise.
type Facts struct {
	Schema []struct {
		Name, Type string
		Min, Max   float64
		Integer    bool
		Values     []string
	}
	Tree      *Branching
	Records   []map[string]any
	SigmaFrac float64 `json:"sigma_frac"`
}

// Table returns the records, with a class of which nothing is known, and the tree.
func (f *Facts) Table() (*table.Table, *tree.Tree) {
	var cols []table.Column
	for _, a := range f.Schema {
		c := table.Column{Attribute: table.Attribute{Name: a.Name, Labels: a.Values}}
		if a.Type == "categorical" {
			c.Kind = table.Categorical
		} else {
			c.Domain = table.Interval{Lo: a.Min, Hi: a.Max}
			if a.Integer {
				c.Step = 1
			}
		}
		for _, r := range f.Records {
			switch c.Kind {
			case table.Numeric:
				c.Num = append(c.Num, r[a.Name].(float64))
			case table.Categorical:
				c.Cat = append(c.Cat, c.Code(r[a.Name].(string)))
			case table.SetValued: // is not among the columns
			}
		}
		cols = append(cols, c)
	}
	class := table.CatColumn("class", []string{"c1", "c2"}, make([]int32, len(f.Records)))
	class.Role = table.Class
	t := tabletest.Must(append(cols, class)...)
	tr := &tree.Tree{Attrs: t.Attrs(), Class: t.Width() - 1}
	tr.Nodes = append(tr.Nodes, tree.Node{Attr: -1})
	f.Tree.plant(tr, t, 0)
	return t, tr
}

// plant turns leaf n into the branching.
func (b *Branching) plant(tr *tree.Tree, t *table.Table, n int) {
	j := t.Find(b.Attr)
	switch {
	case b.Le != nil:
		tr.Nodes[n] = tree.Node{Attr: j, Cut: b.Threshold, Kids: make([]int32, 2)}
		b.Le.plant(tr, t, kid(tr, n, 0))
		b.Gt.plant(tr, t, kid(tr, n, 1))
	case b.Branches != nil:
		tr.Nodes[n] = tree.Node{Attr: j, Branch: make([]int32, len(t.Attr(j).Labels)), Kids: make([]int32, len(b.Branches))}
		for k, branch := range b.Branches {
			for _, v := range branch.Values {
				tr.Nodes[n].Branch[t.Attr(j).Code(v)] = int32(k)
			}
			branch.Node.plant(tr, t, kid(tr, n, k))
		}
	}
}
