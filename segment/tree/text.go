package tree

import (
	"math"
	"strconv"
	"strings"
)

// Text writes the tree with one line per branch, indented by depth. A leaf shows its class and, in parentheses, the
// records that reach it and how many of them are of another class: "age <= 38: <=50K (123/4)". Weights that are not
// whole are written with one decimal.
func (t *Tree) Text() string {
	codes := t.codes()
	var b []byte
	t.Walk(func(path []Step, i int32) {
		if len(path) > 0 {
			for range path[1:] {
				b = append(b, "|   "...)
			}
			c := t.cond(path[len(path)-1], codes)
			b = c.tidy().AppendTo(b, t.Attrs)
			b = append(b, ':')
		}
		if n := &t.Nodes[i]; n.Leaf() {
			if len(path) > 0 {
				b = append(b, ' ')
			}
			b = t.appendLeaf(b, n)
		}
		if len(path) > 0 || t.Nodes[i].Leaf() {
			b = append(b, '\n')
		}
	})
	return string(b)
}

// tidy writes a set of one code with =.
func (c *Cond) tidy() *Cond {
	if c.Op == "in" && len(c.Codes) == 1 {
		c.Op = "="
	}
	return c
}

func (t *Tree) appendLeaf(b []byte, n *Node) []byte {
	b = append(b, t.ClassLabels()[n.Label]...)
	if n.Counts == nil { // they are not told
		return b
	}
	w := n.Weight()
	b = appendWeight(append(b, " ("...), w)
	if w > 0 && w-n.Counts[n.Label] > 0 {
		b = appendWeight(append(b, '/'), w-n.Counts[n.Label])
	}
	return append(b, ')')
}

func appendWeight(b []byte, w float64) []byte {
	if w == math.Trunc(w) {
		return strconv.AppendFloat(b, w, 'f', 0, 64)
	}
	return strconv.AppendFloat(b, w, 'f', 1, 64)
}

// DOT writes the tree in the language of Graphviz.
func (t *Tree) DOT() string {
	codes := t.codes()
	var b strings.Builder
	b.WriteString("digraph tree {\n\tnode [shape=box, fontname=\"Helvetica\"];\n\tedge [fontname=\"Helvetica\"];\n")
	for i := range t.Nodes {
		n := &t.Nodes[i]
		id := "\tn" + strconv.Itoa(i)
		if n.Leaf() {
			b.WriteString(id + " [style=rounded, label=" + quoted(string(t.appendLeaf(nil, n))) + "];\n")
			continue
		}
		b.WriteString(id + " [label=" + quoted(t.Attrs[n.Attr].Name) + "];\n")
		for k, kid := range n.Kids {
			c := t.cond(Step{int32(i), int32(k)}, codes)
			text := strings.TrimPrefix(string(c.tidy().AppendTo(nil, t.Attrs)), t.Attrs[n.Attr].Name+" ")
			b.WriteString(id + " -> n" + strconv.Itoa(int(kid)) + " [label=" + quoted(text) + "];\n")
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// quoted writes a DOT string: quotes and backslashes escaped, line ends as \n.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", `\r`, "\n", `\n`).Replace(s) + `"`
}
