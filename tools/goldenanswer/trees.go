package main

import (
	"slices"

	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

var trees = map[string]answer{
	"tree_structure": on(func(in grown) (any, error) {
		t, tab, err := in.build()
		if err != nil {
			return nil, err
		}
		predicted := make([]int32, tab.Rows())
		t.Predict(tab, predicted)
		predictions := make([]string, len(predicted))
		for i, c := range predicted {
			predictions[i] = t.ClassLabels()[c]
		}
		percent, _ := prediction.Of(t, tab)
		return object{
			"leaves":            leavesOut(t),
			"total_innocent":    innocent(t),
			"siblings":          siblings(t),
			"routes":            routes(t, tab),
			"predictions":       predictions,
			"accuracy":          percent / 100,
			"leaf_class_counts": leafCounts(t),
		}, nil
	}),
}

// leavesOut describes the leaves: rule, influential and innocent attributes, sub-domains.
func leavesOut(t *tree.Tree) []object {
	out := []object{}
	segments := t.Segments()
	for l, r := range t.Rules() {
		conditions, tested := []object{}, []string{}
		for _, c := range r.If {
			conditions = append(conditions, conditionOut(t, c))
			if name := t.Attrs[c.Attr].Name; !slices.Contains(tested, name) {
				tested = append(tested, name)
			}
		}
		s := &segments[l]
		out = append(out, object{"id": leafID(l), "rule": object{"if": conditions, "then": t.ClassLabels()[r.Then]},
			"linfa": tested, "linna": rest(t, s), "box": box(t, s)})
	}
	return out
}

func conditionOut(t *tree.Tree, c tree.Cond) object {
	a := &t.Attrs[c.Attr]
	switch a.Kind {
	case table.Numeric:
	case table.Categorical:
		return object{"attr": a.Name, "op": "in", "value": labels(a, c.Codes)}
	case table.SetValued: // is not tested
	}
	return object{"attr": a.Name, "op": c.Op, "value": c.Value}
}

// labels names the codes.
func labels(a *table.Attribute, codes []int32) []string {
	out := []string{}
	for _, c := range codes {
		out = append(out, a.Labels[c])
	}
	return out
}

// rest names the attributes that are innocent in a segment.
func rest(t *tree.Tree, s *segment.Segment) []string {
	out := []string{}
	for j, a := range t.Attrs {
		if j != t.Class && !s.Influential(j) {
			out = append(out, a.Name)
		}
	}
	return out
}

// box describes the sub-domains of a segment.
func box(t *tree.Tree, s *segment.Segment) object {
	out := object{}
	for j, a := range t.Attrs {
		if j == t.Class {
			continue
		}
		switch a.Kind {
		case table.Numeric:
		case table.Categorical:
			values := a.Labels
			codes, tested := s.Cat[j]
			if tested {
				values = labels(&a, codes)
			}
			out[a.Name] = object{"tested": tested, "values": values}
			continue
		case table.SetValued: // is not tested
			continue
		}
		iv, tested := s.Num[j]
		if !tested {
			iv = a.Domain
		}
		o := object{"tested": tested, "lo": iv.Lo, "lo_open": iv.OpenLo, "hi": iv.Hi}
		if a.Step == 1 {
			grid := iv.OnGrid(1)
			o["int_lo"], o["int_hi"] = grid.Lo, grid.Hi
		}
		out[a.Name] = o
	}
	return out
}

// innocent names the attributes that are innocent in every leaf.
func innocent(t *tree.Tree) []string {
	out := []string{}
	for _, j := range t.TotallyInnocent() {
		out = append(out, t.Attrs[j].Name)
	}
	return out
}

// siblings names, of every leaf, the leaves with the same parent.
func siblings(t *tree.Tree) map[string][]string {
	out := map[string][]string{}
	for l, others := range t.Siblings() {
		ids := []string{}
		for _, o := range others {
			ids = append(ids, leafID(o))
		}
		out[leafID(l)] = ids
	}
	return out
}
