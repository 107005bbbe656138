package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/protect/forestframework"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

var forests = map[string]answer{
	"forest_intersections": on(func(in forestIn) (any, error) {
		f, tab, err := in.build()
		if err != nil {
			return nil, err
		}
		out, err := intersections(f)
		if err != nil {
			return nil, err
		}
		groups, err := (&forestframework.Plan{Forest: f}).Group(tab)
		if err != nil {
			return nil, err
		}
		members := map[string][]int{}
		for i, k := range groups {
			id := strings.Join(leafIDs(f.Leaves(k)), "+")
			members[id] = append(members[id], i)
		}
		return object{"intersections": out, "members": members}, nil
	}),
}

// forestIn is a forest with its records.
type forestIn struct {
	Schema  schemaIn
	Class   classIn
	Forest  []*nodeIn
	Records []recordIn
}

// build returns the library's forest, counted on the records, and table. Nodes of all trees serve to find the classes.
func (g *forestIn) build() (*tree.Forest, *table.Table, error) {
	if len(g.Forest) == 0 {
		return nil, nil, errors.New("the forest has no trees")
	}
	class := g.Class.attr(nil, g.Records)
	for _, t := range g.Forest {
		class = classIn{class.Name, class.Labels}.attr(t, nil)
	}
	attrs := append(g.Schema.attrs(), class)
	tab, err := tableOf(attrs, g.Records)
	if err != nil {
		return nil, nil, err
	}
	f := &tree.Forest{}
	for _, root := range g.Forest {
		t, err := root.tree(attrs)
		if err != nil {
			return nil, nil, err
		}
		t.Recount(tab)
		f.Trees = append(f.Trees, t)
	}
	return f, tab, nil
}

// mostTuples limits the tuples of leaves that are looked at one by one.
const mostTuples = 1 << 20

// intersections describes the tuples of leaves whose sub-domains are not empty, in lexicographic order.
func intersections(f *tree.Forest) ([]object, error) {
	tuples, err := f.Count()
	if err == nil && tuples > mostTuples {
		err = fmt.Errorf("the forest has %d tuples of leaves; expected at most %d", tuples, mostTuples)
	}
	if err != nil {
		return nil, err
	}
	keys := make([]uint64, tuples)
	for k := range keys {
		keys[k] = uint64(k)
	}
	slices.SortFunc(keys, func(a, b uint64) int { return slices.Compare(f.Leaves(a), f.Leaves(b)) })
	out := []object{}
	for k, s := range f.Segments(keys...) {
		if !empty(f.Attrs(), &s) {
			out = append(out, object{"leaves": leafIDs(f.Leaves(keys[k])), "box": box(f.Trees[0], &s)})
		}
	}
	return out, nil
}

// empty reports whether some attribute has no value in the segment.
func empty(attrs []table.Attribute, s *segment.Segment) bool {
	for _, codes := range s.Cat {
		if len(codes) == 0 {
			return true
		}
	}
	for j, iv := range s.Num {
		if attrs[j].Step != 0 {
			iv = iv.OnGrid(attrs[j].Step)
		}
		if iv.Empty() {
			return true
		}
	}
	return false
}

func leafIDs(leaves []int32) []string {
	out := make([]string, len(leaves))
	for i, l := range leaves {
		out[i] = leafID(int(l))
	}
	return out
}
