package main

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/mine/detective"
	"github.com/dither-data/dither/protect/capt"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/table"
)

var categoricalNoise = map[string]answer{
	"detective": on(func(in clustersIn) (any, error) {
		c, err := in.clusters()
		if err != nil {
			return nil, err
		}
		return similarities(c), nil
	}),
	"capt": on(func(in clustersIn) (any, error) {
		c, err := in.clusters()
		if err != nil {
			return nil, err
		}
		out := map[string]map[string]map[string]float64{}
		for l := range c.Leaves {
			laws := map[string]map[string]float64{}
			for _, v := range c.Leaves[l].Values {
				laws[c.Labels[v.Code]] = named(c.Labels, capt.Law(c, in.P, false, l, v.Code))
			}
			out[leafID(l)] = laws
		}
		return out, nil
	}),
	"random_categorical": on(func(in struct {
		Value  string
		Domain []string
		P      float64
	}) (any, error) {
		code := slices.Index(in.Domain, in.Value)
		if code < 0 {
			return nil, fmt.Errorf("the value %q is not in the domain", in.Value)
		}
		return named(in.Domain, randomisedresponse.Law(int32(code), len(in.Domain), in.P)), nil
	}),
}

// clustersIn is a tree that predicts a categorical attribute, with the counts of its values in the leaves.
type clustersIn struct {
	Tree       *nodeIn
	LeafCounts map[string]map[string]float64 `json:"leaf_counts"`
	Domain     []string
	P          float64
}

// clusters returns DETECTIVE's clusters of the tree.
func (in *clustersIn) clusters() (*detective.Clusters, error) {
	attrs := append(
		in.Tree.tested(nil),
		table.Attribute{Name: "value", Kind: table.Categorical, Labels: in.Domain, Role: table.Class},
	)
	t, err := in.Tree.tree(attrs)
	if err != nil {
		return nil, err
	}
	for l, i := range t.Leaves() {
		for v, n := range in.LeafCounts[leafID(l)] {
			code := slices.Index(in.Domain, v)
			if code < 0 {
				return nil, fmt.Errorf("leaf %s has the value %q, which is not in the domain", leafID(l), v)
			}
			t.Nodes[i].Counts[code] = n
		}
	}
	return detective.Of(t), nil
}

// tested adds the attributes that the tree tests to a schema, with the values that it tests for.
func (n *nodeIn) tested(attrs []table.Attribute) []table.Attribute {
	kids := n.kids()
	if len(kids) == 0 {
		return attrs
	}
	j := slices.IndexFunc(attrs, func(a table.Attribute) bool { return a.Name == n.Attr })
	if j < 0 {
		j = len(attrs)
		attrs = append(attrs, table.Attribute{Name: n.Attr})
	}
	for _, b := range n.Branches {
		attrs[j].Kind = table.Categorical
		for _, v := range b.Values {
			if !slices.Contains(attrs[j].Labels, v) {
				attrs[j].Labels = append(attrs[j].Labels, v)
			}
		}
	}
	for _, k := range kids {
		attrs = k.tested(attrs)
	}
	return attrs
}

// similarities names the strongly and the weakly similar values. Names of a pair are in domain order, weak pairs in
// that of their names.
func similarities(c *detective.Clusters) object {
	name := func(p detective.Pair) string { return c.Labels[p.A] + "|" + c.Labels[p.B] }
	strong, weak := map[string]map[string]float64{}, map[string][]string{}
	for l := range c.Leaves {
		for _, s := range c.Strong(l) {
			if strong[leafID(l)] == nil {
				strong[leafID(l)] = map[string]float64{}
			}
			strong[leafID(l)][name(s.Pair)] = s.Similarity
		}
		for k := range l {
			key := leafID(k) + "+" + leafID(l)
			for _, p := range c.Weak(k, l) {
				weak[key] = append(weak[key], name(p))
			}
			slices.Sort(weak[key])
		}
	}
	return object{"strong": strong, "weak": weak}
}
