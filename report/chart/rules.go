package chart

import (
	"strings"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// condition writes the test that leads to child k of a node: ≤ 2, > 2, = Private, = Husband, Wife.
func condition(t *tree.Tree, n *tree.Node, k int) string {
	a := &t.Attrs[n.Attr]
	switch a.Kind {
	case table.Numeric:
		if k == 0 {
			return "≤ " + value(a, n.Cut, cutStep(a))
		}
		return "> " + value(a, n.Cut, cutStep(a))
	case table.Categorical:
	case table.SetValued: // is not tested
	}
	var names []string
	for code, kid := range n.Branch {
		if int(kid) == k && code < len(a.Labels) {
			names = append(names, a.Labels[code])
		}
	}
	if len(names) == 0 {
		return message.Say("chart.anyOther").String()
	}
	return equals + strings.Join(names, ", ")
}

// equals begins the conditions on categories.
const equals = "= "

// cutStep returns the resolution cuts are written in: a cut may lie between two values of the grid.
func cutStep(a *table.Attribute) float64 {
	if a.Step == 0 {
		return 0
	}
	return a.Step / 10
}

// Rules returns the rule of every leaf of a tree in words, in leaf order: "age ≤ 40 and sex = Male".
func Rules(t *tree.Tree) []string {
	var out []string
	t.Walk(func(path []tree.Step, i int32) {
		if !t.Nodes[i].Leaf() {
			return
		}
		parts := make([]string, len(path))
		for k, s := range path {
			n := &t.Nodes[s.Node]
			parts[k] = t.Attrs[n.Attr].Name + " " + condition(t, n, int(s.Kid))
		}
		if len(parts) == 0 {
			parts = []string{message.Say("chart.everyRecord").String()}
		}
		out = append(out, strings.Join(parts, message.Say("chart.and").String()))
	})
	return out
}
