package privatetree

import (
	"math/bits"
	"slices"

	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// input is a column that a tree may test, and what it may be tested for. None of it is read from the records.
type input struct {
	column int
	cuts   []float64 // of numbers, ascending
	labels int       // of categories
	codes  []int32   // of the categories that were bought; nil for all
}

// tests returns how many tests of the column there are.
func (in *input) tests() int {
	if in.labels > 0 {
		return in.labels
	}
	return len(in.cuts)
}

// cell returns by row where values stand: the number of cuts below a number, the code of a category, -1 for one that is
// missing.
func (in *input) cells(t *table.Table) []int32 {
	if in.labels > 0 && in.codes == nil {
		return t.Cat(in.column)
	}
	out := make([]int32, t.Rows())
	if in.codes != nil { // what was not bought is none of them
		for i, c := range t.Cat(in.column) {
			if out[i] = int32(slices.Index(in.codes, c)); c >= 0 && out[i] < 0 {
				out[i] = int32(in.labels)
			}
		}
		return out
	}
	for i, v := range t.Num(in.column) {
		if v != v {
			out[i] = -1
			continue
		}
		at, _ := slices.BinarySearch(in.cuts, v) // v <= cuts[at]
		out[i] = int32(at)
	}
	return out
}

// first says whether a test sends a cell to the first branch; so it does those that are missing.
func (in *input) first(test int, cell int32) bool {
	if in.labels > 0 {
		return cell < 0 || int(cell) == test
	}
	return int(cell) <= test // cuts[test] is at or above the number
}

// grower grows one tree.
type grower struct {
	inputs  []input
	cells   [][]int32 // by input
	class   []int32
	classes int
	depth   int
	choose  func(rows []int32) (in, test int) // of a node
	label   func(counts []int64) []float64    // of a leaf: what is told of its counts
	attrs   []table.Attribute
	nodes   []tree.Node
}

// labels returns how many categories the attribute of an input has.
func (g *grower) labels(in int) int { return len(g.attrs[g.inputs[in].column].Labels) }

// grow appends the node of some records, and all below, and returns its place.
func (g *grower) grow(rows []int32, depth int, parent int32) int32 {
	at := int32(len(g.nodes))
	g.nodes = append(g.nodes, tree.Node{Attr: -1, Label: parent})
	if depth == g.depth {
		counts := make([]int64, g.classes)
		for _, i := range rows {
			counts[g.class[i]]++
		}
		g.nodes[at].Counts = g.label(counts)
		return at
	}
	k, test := g.choose(rows)
	in := &g.inputs[k]
	var first, rest []int32
	for _, i := range rows {
		if in.first(test, g.cells[k][i]) {
			first = append(first, i)
		} else {
			rest = append(rest, i)
		}
	}
	kids := []int32{g.grow(first, depth+1, parent), g.grow(rest, depth+1, parent)}
	n := &g.nodes[at]
	n.Attr, n.Kids, n.Counts = in.column, kids, make([]float64, g.classes)
	if in.labels > 0 {
		n.Branch = slices.Repeat([]int32{1}, g.labels(k))
		if in.codes != nil {
			test = int(in.codes[test])
		}
		n.Branch[test] = 0
	} else {
		n.Cut = in.cuts[test]
	}
	for _, kid := range kids {
		for c, w := range g.nodes[kid].Counts {
			n.Counts[c] += w
		}
	}
	return at
}

// settle gives every node the class that most of its noisy counts have: of none, that of its parent. Branches that
// records with missing values take are the first ones, as in growing.
func (g *grower) settle() []tree.Node {
	var down func(at int32, label int32)
	down = func(at, label int32) {
		n := &g.nodes[at]
		most := 0.0
		for c, w := range n.Counts {
			if w > most {
				most, label = w, int32(c)
			}
		}
		n.Label = label
		for _, kid := range n.Kids {
			down(kid, label)
		}
	}
	down(0, 0)
	return g.nodes
}

// scale is the grid of scores: they are counted in 2^-8.
const scale = 8

// scores returns the score of every test of all inputs for the records of a node, in 2^-scale: the sum over both
// branches of the squares of the class counts over the branch's records. It is larger the purer the branches; n minus
// it is n times Gini's index. One record more changes the term of one branch by between -1 and 1, and rounding down to
// the grid keeps that: with S the sum of squares, n records and k of the record's class before, the change is
// (2kn + n - S)/(n(n+1)), where S lies between k^2 and n^2. Cost: O(rows x inputs).
func (g *grower) scores(rows []int32) (out []int64) {
	for k := range g.inputs {
		in := &g.inputs[k]
		width := in.tests() + 2 // missing ones, and those above the last cut
		counts := make([]int64, width*g.classes)
		total := make([]int64, g.classes)
		for _, i := range rows {
			c := int(g.class[i])
			counts[int(g.cells[k][i]+1)*g.classes+c]++
			total[c]++
		}
		first := slices.Clone(counts[:g.classes]) // those that are missing
		rest := make([]int64, g.classes)
		for test := range in.tests() {
			own := counts[(test+1)*g.classes : (test+2)*g.classes]
			for c := range own {
				if in.labels > 0 {
					first[c] = counts[c]
				}
				first[c] += own[c]
				rest[c] = total[c] - first[c]
			}
			out = append(out, purity(first)+purity(rest))
		}
	}
	return out
}

// purity returns the sum of the squares of counts over their sum, rounded down to the grid.
func purity(counts []int64) int64 {
	n, squares := uint64(0), uint64(0)
	for _, c := range counts {
		n, squares = n+uint64(c), squares+uint64(c)*uint64(c)
	}
	if n == 0 {
		return 0
	}
	q, _ := bits.Div64(squares>>(64-scale), squares<<scale, n)
	return int64(q)
}

// greedy chooses the best test by permute-and-flip.
func (g *grower) greedy(s mechanism.Selection, w mechanism.Words) func(rows []int32) (in, test int) {
	return func(rows []int32) (int, int) { return g.test(s.PermuteAndFlip(w, g.scores(rows))) }
}

// test finds a test by its number among those of all inputs.
func (g *grower) test(number int) (in, test int) {
	for k := range g.inputs {
		if n := g.inputs[k].tests(); number < n {
			return k, number
		} else {
			number -= n
		}
	}
	panic("privatetree: no such test")
}
