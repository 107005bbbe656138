package privatetree

import (
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Public returns a tree or a forest as it may be told: of a column that is not declared without the limits of its
// numbers, and without categories that no test names, and of numbers without a grid that is not declared, for these
// were read from the records. The categories that are left are in the order of their texts. What a test does not name
// follows the other branch as missing values do.
func (l *Learner) Public(m mine.Model) mine.Model {
	if l.Domains == Observed {
		return m
	}
	switch m := m.(type) {
	case *tree.Tree:
		return public([]*tree.Tree{m})[0]
	case *tree.Forest:
		out := *m
		out.Trees = public(m.Trees)
		return &out
	}
	return m
}

// public is Public of trees over one table.
func public(trees []*tree.Tree) (out []*tree.Tree) {
	attrs := slices.Clone(trees[0].Attrs)
	codes := make([][]int32, len(attrs)) // by column and new code: the old one; nil where codes stay
	for j := range attrs {
		if a := &attrs[j]; a.Kind == table.Numeric && !a.StepDeclared && a.Dates == "" {
			a.Step = 0
		}
		switch a := &attrs[j]; {
		case a.Declared || j == trees[0].Class:
		case a.Kind == table.Numeric:
			a.Step, a.Domain = 0, table.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}
		default:
			codes[j] = named(trees, j)
			labels := make([]string, len(codes[j]))
			for k, old := range codes[j] {
				labels[k] = a.Labels[old]
			}
			a.Labels, a.Ordered = labels, false
		}
	}
	for _, t := range trees {
		own := *t
		own.Attrs, own.Nodes = attrs, slices.Clone(t.Nodes)
		for i := range own.Nodes {
			n := &own.Nodes[i]
			if n.Branch == nil || codes[n.Attr] == nil {
				continue
			}
			branch := make([]int32, len(codes[n.Attr]))
			for k, old := range codes[n.Attr] {
				branch[k] = n.Branch[old]
			}
			n.Branch = branch
		}
		out = append(out, &own)
	}
	return out
}

// named are the codes of the categories of a column that tests name, in the order of their texts.
func named(trees []*tree.Tree, column int) []int32 {
	out := []int32{}
	for _, t := range trees {
		for i := range t.Nodes {
			if n := &t.Nodes[i]; n.Attr == column && n.Branch != nil {
				if c := int32(slices.Index(n.Branch, 0)); !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
	}
	labels := trees[0].Attrs[column].Labels
	slices.SortFunc(out, func(a, b int32) int { return strings.Compare(labels[a], labels[b]) })
	return out
}
