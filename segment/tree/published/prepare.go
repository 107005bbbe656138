package published

import (
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Prepare returns a forest that tells less: what Attack finds without counts is gone, as far as it can be. Categories
// that few people have are tested and listed no more, and follow the branch that missing values follow; a cut at a
// value of few people moves to the shortest number near it, past at most half as many people as are few; leaves of few
// people join the heaviest branch beside them (tree.Join); and a column that is not declared loses its limits. Counts
// and labels are those of the records of the table, and counts go unless they are to be handed out. Cost: O(records log
// records) by column tested and O(records x depth) by tree, a few times.
func Prepare(f *tree.Forest, t *table.Table, l Limits) *tree.Forest {
	a := of(t, l)
	out := &tree.Forest{Voting: f.Voting}
	for _, grown := range f.Trees {
		own := *grown
		own.Nodes = slices.Clone(grown.Nodes)
		a.spare(&own)
		own.Recount(t)
		joined := a.join(&own)
		for i := range joined.Nodes {
			if n := &joined.Nodes[i]; n.Weight() > 0 {
				n.Label = commonest(n.Counts)
			}
		}
		out.Trees = append(out.Trees, joined)
	}
	a.strip(out.Trees)
	for _, grown := range out.Trees {
		for i := range grown.Nodes {
			if !l.Counts {
				grown.Nodes[i].Counts = nil
			}
		}
	}
	return out
}

func commonest(counts []float64) (best int32) {
	for c, n := range counts {
		if n > counts[best] {
			best = int32(c)
		}
	}
	return best
}

// spare takes what names values of few people out of the tests.
func (a *attack) spare(t *tree.Tree) {
	for i := range t.Nodes {
		switch n := &t.Nodes[i]; {
		case n.Leaf() || a.named(t, n) == 0:
		case n.Branch == nil:
			n.Cut = a.moved(n.Attr, n.Cut)
		default:
			n.Branch = slices.Clone(n.Branch)
			for c, l := range t.Attrs[n.Attr].Labels {
				if a.rare(n.Attr)[l] {
					n.Branch[c] = -1
				}
			}
			if !slices.Contains(n.Branch, n.Heavy) { // nothing is left of it
				n.Heavy = max(slices.Max(n.Branch), 0)
			}
		}
	}
}

// powers are those of ten.
var powers = func() (out [19]float64) {
	for e := range out {
		out[e], _ = strconv.ParseFloat("1e"+strconv.Itoa(e), 64)
	}
	return out
}()

// moved returns the shortest number that is no value of few people, among those that pass at most half as many people
// as are few on either side of a cut; the cut where there is none.
func (a *attack) moved(j int, cut float64) float64 {
	v := a.t.Num(j)
	order := make([]int, 0, len(v))
	for i := range v {
		if v[i] == v[i] {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(x, y int) int {
		switch {
		case v[x] < v[y]:
			return -1
		case v[x] > v[y]:
			return 1
		}
		return 0
	})
	half := max(a.People/2, 1)
	at, _ := slices.BinarySearchFunc(order, cut, func(i int, c float64) int {
		if v[i] <= c {
			return -1
		}
		return 1
	})
	lo, hi := at-1, at // the first records on either side
	passed := func(rows []int) bool { return a.count(rows) > half }
	for lo > 0 && !passed(order[lo:at]) {
		lo--
	}
	for hi < len(order)-1 && !passed(order[at:hi+1]) {
		hi++
	}
	if lo < 0 || hi >= len(order) {
		return cut
	}
	from, to := v[order[lo]], v[order[hi]]
	for e := 18; e > -16; e-- {
		step := powers[max(e, -e)]
		place := func(k float64) float64 {
			if e < 0 {
				return k / step
			}
			return float64(k * step)
		}
		first := math.Ceil(from * step)
		if e >= 0 {
			first = math.Ceil(from / step)
		}
		for k := range 50 {
			c := place(first + float64(k))
			if c >= to {
				break
			}
			if c > from && !a.rareNumber(j, c) {
				return c
			}
		}
	}
	return cut
}

// join joins leaves of few people until none is left.
func (a *attack) join(t *tree.Tree) *tree.Tree {
	for least := float64(a.People); ; least *= 2 {
		t = t.Join(least)
		t.Recount(a.t)
		small := false
		for _, n := range a.nodes(t) {
			small = small || a.few(n.people)
		}
		if !small || len(t.Nodes) == 1 {
			return t
		}
	}
}

// Schema returns the attributes of a table without the limits, grids and rare categories that nobody declared, but for
// the class, and by column the codes that stay; nil where all do. Cost: O(records) by column of categories.
func Schema(t *table.Table, l Limits) (attrs []table.Attribute, codes [][]int32) {
	return of(t, l).schema(t.Attrs(), t.WithRole(table.Class))
}

func (a *attack) schema(own []table.Attribute, class int) (attrs []table.Attribute, codes [][]int32) {
	attrs, codes = slices.Clone(own), make([][]int32, len(own))
	for j := range attrs {
		switch own := &attrs[j]; {
		case own.Declared || j == class:
		case own.Kind == table.Numeric:
			own.Step, own.Domain = 0, table.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}
		case own.Kind == table.Categorical:
			rare := a.rare(j)
			var labels []string
			for c, l := range own.Labels {
				if !rare[l] {
					codes[j], labels = append(codes[j], int32(c)), append(labels, l)
				}
			}
			if len(labels) == len(own.Labels) {
				codes[j] = nil
				continue
			}
			own.Labels = labels
		case own.Kind == table.SetValued:
		}
	}
	return attrs, codes
}

// strip takes what Schema leaves out of the trees.
func (a *attack) strip(trees []*tree.Tree) {
	attrs, codes := a.schema(trees[0].Attrs, trees[0].Class)
	for _, t := range trees {
		t.Attrs = attrs
		for i := range t.Nodes {
			n := &t.Nodes[i]
			if n.Branch == nil || codes[n.Attr] == nil {
				continue
			}
			branch := make([]int32, len(codes[n.Attr]))
			for k, old := range codes[n.Attr] {
				branch[k] = n.Branch[old]
			}
			n.Branch = branch
		}
	}
}
