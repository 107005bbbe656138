package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/mine/detective"
	"github.com/dither-data/dither/mine/valueclusters"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// rows is the size of the thesis's table.
const rows = 399

// The columns of a Customer Status table, the value Good of Status and the value Australia of Country of Origin.
const country, profession, car, parents, city, status, good, australia = 0, 1, 2, 3, 4, 5, 0, 2

// unrelated are the two columns that the thesis leaves out for CACTUS.
var unrelated = []string{"Parents' Country", "Favorite City"}

// deltas are the bounds of a strong connection that CACTUS is run with; the first is that of the thesis's example.
var deltas = []float64{1.2, 1, 1.1, 1.3, 1.4, 1.5, 2, 3}

// table63 is the cluster of Table 6.3.
var table63 = [][]string{{"USA", "England"}, {"Scientist"}, {"Toyota", "Ford"}, {"Good"}}

// projections are the ways in which CACTUS looks for clusters: by distinguishing sets, or all by definition.
var projections = []string{"distinguishing", "all"}

// pairs are the pairs of car makes, in the order of the thesis's strengths.
var pairs = [][2]string{
	{"Toyota", "Ford"},
	{"Ford", "Nissan"},
	{"Toyota", "Nissan"},
	{"Toyota", "Holden"},
	{"Ford", "Holden"},
	{"Nissan", "Holden"},
}

// pairOf returns the position in pairs.
func pairOf(a, b string) int {
	return slices.IndexFunc(pairs, func(p [2]string) bool { return p == [2]string{a, b} || p == [2]string{b, a} })
}

// rules are the ways of growing trees.
var rules = []struct {
	name string
	set  map[string]string
}{
	{"C4.5 release 8", nil},
	{"See5's rules", map[string]string{"minGainRule": "c50", "globalPrune": "true", "mergeSameClassLeaves": "true"}},
}

// leafPairs is what DETECTIVE finds with one way of growing trees.
type leafPairs struct {
	strong [6]float64 // by pair, the largest strength in a leaf, 0 for none
	weak   [6]bool
	leaf1  [4]float64 // by code, the cars in the leaf of all good customers; zeroes when the tree has no such leaf
	figure bool       // the tree tests what that of figure 6.9 tests
	leaf3  [4]float64 // then, by code, the cars in the leaf of the bad customers from Australia
	astray float64    // the records that reach tests of columns that mean nothing
}

// found is what is found in one table.
type found struct {
	trees    []leafPairs // by rules
	clusters [2][]int    // by projections and deltas
	printed  [2][]bool   // the cluster of Table 6.3 is one of them
	together [6]bool     // pairs in one cluster, with the first delta
	within   [6][]string // the attributes with respect to which a pair is similar, with the first delta
	kept     [2]int      // clusters when the two columns are kept, by projections
	similar  int         // and similar pairs of values then
}

// compare draws the tables and runs both techniques on each.
func compare(ctx context.Context, tables int) ([]found, error) {
	out := make([]found, tables)
	err := parallel.Each(ctx, tables, func(k int) (err error) {
		t := generate.CS(rows, rng.New(sha256.Sum256(fmt.Appendf(nil, "value clusters %d", k))))
		out[k], err = look(ctx, t)
		return err
	})
	return out, err
}

func look(ctx context.Context, t *table.Table) (f found, err error) {
	for _, r := range rules {
		l := c45.New()
		if err := l.Params().Apply(r.set); err != nil {
			return f, err
		}
		tr, err := l.Grow(ctx, t, car)
		if err != nil {
			return f, err
		}
		tr.Recount(t)
		f.trees = append(f.trees, read(tr))
	}
	for i, tried := range projections {
		for k, d := range deltas {
			set := map[string]string{
				"delta":       fmt.Sprint(d),
				"exclude":     strings.Join(unrelated, ","),
				"unrelated":   "keep",
				"projections": tried,
			}
			m, err := prickly(ctx, t, set)
			if err != nil {
				return f, err
			}
			f.clusters[i] = append(f.clusters[i], len(m.Found))
			f.printed[i] = append(
				f.printed[i],
				slices.ContainsFunc(m.Found, func(c valueclusters.Cluster) bool { return reflect.DeepEqual(c.Values, table63) }),
			)
			if i == 0 && k == 0 {
				f.cars(m)
			}
		}
		m, err := prickly(ctx, t, map[string]string{"unrelated": "keep", "projections": tried, "maxClusters": "100000"})
		if err != nil {
			return f, err
		}
		if slices.ContainsFunc(m.Notes, func(n string) bool { return strings.Contains(n, "maxClusters") }) {
			return f, fmt.Errorf("%s: %s", tried, strings.Join(m.Notes, "; "))
		}
		f.kept[i], f.similar = len(m.Found), len(m.Similar())
	}
	return f, nil
}

// cars notes the pairs of car makes.
func (f *found) cars(m *valueclusters.CACTUSModel) {
	for _, a := range m.Together() {
		if a.Attribute == "Car Make" {
			f.together[pairOf(a.A, a.B)] = true
		}
	}
	for _, a := range m.Similar() {
		if a.Attribute == "Car Make" {
			p := pairOf(a.A, a.B)
			f.within[p] = append(f.within[p], a.Within)
		}
	}
}

// prickly runs CACTUS.
func prickly(ctx context.Context, t *table.Table, set map[string]string) (*valueclusters.CACTUSModel, error) {
	l := valueclusters.CACTUSNew()
	if err := l.Params().Apply(set); err != nil {
		return nil, err
	}
	m, err := l.Fit(ctx, t, rng.Source{})
	if err != nil {
		return nil, err
	}
	return m.(*valueclusters.CACTUSModel), nil
}

// read reads the similarities off a tree that takes the car make as its class.
func read(t *tree.Tree) (l leafPairs) {
	c := detective.Of(t)
	for k := range c.Leaves {
		for _, s := range c.Strong(k) {
			p := pairOf(c.Labels[s.A], c.Labels[s.B])
			l.strong[p] = max(l.strong[p], s.Similarity)
		}
		for o := range k {
			for _, w := range c.Weak(o, k) {
				l.weak[pairOf(c.Labels[w.A], c.Labels[w.B])] = true
			}
		}
	}
	for k := range t.Nodes {
		if n := &t.Nodes[k]; n.Attr == parents || n.Attr == city {
			l.astray += n.Weight()
		}
	}
	if root := t.Nodes[0]; root.Attr == status {
		fine, bad := &t.Nodes[root.Kids[root.Branch[good]]], &t.Nodes[root.Kids[root.Branch[1-good]]]
		if fine.Leaf() && fine != bad {
			copy(l.leaf1[:], fine.Counts)
			l.figure = bad.Attr == country && len(bad.Kids) == 3 &&
				!slices.ContainsFunc(bad.Kids, func(k int32) bool { return !t.Nodes[k].Leaf() })
			if l.figure {
				copy(l.leaf3[:], t.Nodes[bad.Kids[bad.Branch[australia]]].Counts)
			}
		}
	}
	return l
}
