package capt

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/detective"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// golden is one case of testdata/capt.json.
type golden struct {
	Name  string
	Input struct {
		Tree       *node
		LeafCounts map[string]map[string]float64 `json:"leaf_counts"`
		Domain     []string
		P          float64
	}
	Expected     map[string]map[string]map[string]float64
	Alternatives struct {
		Proportional map[string]map[string]map[string]float64
	}
}

// node is a tree as the cases write it.
type node struct {
	Attr      string
	Threshold *float64
	Le, Gt    *node
	Branches  []struct {
		Values []string
		Node   *node
	}
}

func goldenCases(t *testing.T) []golden {
	t.Helper()
	data := must.Get(os.ReadFile("testdata/capt.json"))(t)
	var cases []golden
	must.NoError(t, json.Unmarshal(data, &cases))
	return cases
}

// tree builds the tree over the attributes Country, Grade and car, in that order.
func (g *golden) tree() *tree.Tree {
	tr := &tree.Tree{Class: 2, Attrs: []table.Attribute{
		{Name: "Country", Kind: table.Categorical, Labels: []string{"AU", "US", "UK"}},
		{Name: "Grade", Step: 1, Domain: table.Interval{Lo: 1, Hi: 4}},
		{Name: "Car", Kind: table.Categorical, Labels: g.Input.Domain},
	}}
	leaves := 0
	var add func(n *node) int32
	add = func(n *node) int32 {
		at := len(tr.Nodes)
		tr.Nodes = append(tr.Nodes, tree.Node{Attr: -1})
		switch {
		case n.Threshold != nil:
			kids := []int32{add(n.Le), add(n.Gt)}
			tr.Nodes[at] = tree.Node{Attr: 1, Cut: *n.Threshold, Kids: kids}
		case n.Branches != nil:
			inner := tree.Node{Attr: 0, Branch: []int32{-1, -1, -1}}
			for k, b := range n.Branches {
				for _, v := range b.Values {
					inner.Branch[tr.Attrs[0].Code(v)] = int32(k)
				}
				inner.Kids = append(inner.Kids, add(b.Node))
			}
			tr.Nodes[at] = inner
		default:
			leaves++
			counts := make([]float64, len(g.Input.Domain))
			for v, c := range g.Input.LeafCounts["L"+string(rune('0'+leaves))] {
				counts[tr.Attrs[2].Code(v)] = c
			}
			tr.Nodes[at].Counts = counts
		}
		return int32(at)
	}
	add(g.Input.Tree)
	return tr
}

// TestGolden compares the exact law with independently computed ones (Islam 2007, section 6.5).
func TestGolden(t *testing.T) {
	for _, g := range goldenCases(t) {
		t.Run(g.Name, func(t *testing.T) {
			c := detective.Of(g.tree())
			compare(t, c, g.Input.P, false, g.Expected)
			compare(t, c, g.Input.P, true, g.Alternatives.Proportional)
		})
	}
}

func compare(
	t *testing.T,
	c *detective.Clusters,
	p float64,
	proportional bool,
	want map[string]map[string]map[string]float64,
) {
	t.Helper()
	for leaf, byOld := range want {
		for old, law := range byOld {
			a := table.Attribute{Labels: c.Labels}
			got := Law(c, p, proportional, int(leaf[1]-'1'), a.Code(old))
			for v, q := range law {
				if math.Abs(got[a.Code(v)]-q) > 1e-12 {
					t.Errorf("proportional %v, %s %s -> %s: %v, expected %v", proportional, leaf, old, v, got[a.Code(v)], q)
				}
			}
		}
	}
}
