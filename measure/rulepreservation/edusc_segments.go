package rulepreservation

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Options say how strengths are measured and compared.
type Options struct {
	Criterion string  // GainRatio, Gain or Gini
	Threshold float64 // an attribute counts in a segment when one of its two strengths is above; in [0, 1]
	MinSide   int     // least records on either side of a numeric cut; 1 or more
}

// Segment is a node of a tree, inner or leaf, as one table fills it.
type Segment struct {
	Records  int       // those whose class is missing are left out
	Strength []float64 // by attribute, in the order of Inputs: the value of the criterion, in [0, 1]
}

// Inputs returns the columns whose strengths are compared: all but the class, identifiers and weights.
func Inputs(attrs []table.Attribute, class int) []int {
	var out []int
	for j, a := range attrs {
		if j != class && a.Kind.Scalar() && a.Role&(table.Identifier|table.Weight) == 0 {
			out = append(out, j)
		}
	}
	return out
}

// Segments forces the trees of a forest on a table: it returns, by tree, the segments of all nodes in the order of
// tree.Tree.Nodes. The table must conform to the forest's schema. Numeric cuts are chosen anew in every segment. Cost:
// O(n log n) per numeric attribute and, per attribute and tree, O(n depth) at worst and O(n + nodes x values x classes)
// for few values; attributes are worked on in parallel.
func Segments(ctx context.Context, f *tree.Forest, tab *table.Table, o Options) ([][]Segment, error) {
	class := tab.Cat(f.Class())
	inputs := Inputs(f.Attrs(), f.Class())
	out := make([][]Segment, len(f.Trees))
	routes := make([]routed, len(f.Trees))
	for i, t := range f.Trees {
		routes[i] = eduscRoute(t, tab, class)
		out[i] = segments(t, routes[i].size, len(inputs))
	}
	terms := criterion.Terms(tab.Rows())
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			j := newJudge(o, len(f.ClassLabels()), terms)
			var work forced
			for ctx.Err() == nil {
				k := int(next.Add(1)) - 1
				if k >= len(inputs) {
					return
				}
				entries := sorted(tab, inputs[k], class, len(f.ClassLabels()))
				numeric := tab.Attr(inputs[k]).Kind == table.Numeric
				for i, t := range f.Trees {
					work.force(t, routes[i].leaf, routes[i].size, entries)
					work.climb(0, func(node int32, cells []cell) {
						s := &out[i][node]
						s.Strength[k] = j.strength(cells, numeric, s.Records)
					})
				}
			}
		})
	}
	wg.Wait()
	return out, ctx.Err()
}

// routed says where the records are in a tree.
type routed struct {
	leaf []int32 // by record
	size []int   // by leaf, of the records whose class is there
}

func eduscRoute(t *tree.Tree, tab *table.Table, class []int32) routed {
	r := routed{make([]int32, tab.Rows()), make([]int, len(t.Leaves()))}
	t.Route(tab, r.leaf)
	for i, l := range r.leaf {
		if class[i] >= 0 {
			r.size[l]++
		}
	}
	return r
}

// segments returns the nodes with their records.
func segments(t *tree.Tree, size []int, inputs int) []Segment {
	out := make([]Segment, len(t.Nodes))
	for l, i := range t.Leaves() {
		out[i].Records = size[l]
	}
	for i := len(out) - 1; i >= 0; i-- { // children stand after their parent
		out[i].Strength = make([]float64, inputs)
		for _, k := range t.Nodes[i].Kids {
			out[i].Records += out[k].Records
		}
	}
	return out
}
