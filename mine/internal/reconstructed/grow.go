package reconstructed

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/segment/tree"
)

// grower grows a tree on cells that records were given to.
type grower struct {
	ctx     context.Context
	inputs  []*input
	class   []int32
	classes int
	occur   int // classes that any record has
	records int
	minLeaf int
	prune   bool
	// gives the records of a node to cells anew, but in the inputs that were tested above it; nil: they stay
	again func(rows []int32, tested []bool) error
}

// branch is a node with those below it.
type branch struct {
	node tree.Node
	kids []*branch
	bits float64 // that the node and those below it take, with the classes of its records
}

// choice is a test of a node.
type choice struct {
	input *input
	gain  float64
	left  []bool // by cell
	bits  float64
}

// least is the gain that counts as more than another.
const least = 1e-12

// grow grows the node of so many records, whose majority is the label where it has none.
func (g *grower) grow(rows []int32, label int32, tested []bool) (*branch, error) {
	if err := g.ctx.Err(); err != nil {
		return nil, err
	}
	b := &branch{node: tree.Node{Attr: -1, Counts: make([]float64, g.classes), Label: label}}
	for _, i := range rows {
		b.node.Counts[g.class[i]]++
	}
	for c, n := range b.node.Counts {
		if n > b.node.Counts[b.node.Label] {
			b.node.Label = int32(c)
		}
	}
	b.bits = 1 + leafBits(b.node.Counts, g.occur)
	if b.node.Counts[b.node.Label] == float64(len(rows)) || len(rows) < 2*g.minLeaf {
		return b, nil
	}
	if g.again != nil && len(rows) < g.records {
		if err := g.again(rows, tested); err != nil {
			return nil, err
		}
	}
	best := g.choose(rows)
	if best.input == nil {
		return b, nil
	}
	return b, g.divide(b, rows, best, tested)
}

// divide grows what is below a node, unless that takes more bits than the node as a leaf.
func (g *grower) divide(b *branch, rows []int32, best choice, tested []bool) error {
	tested = slices.Clone(tested)
	tested[slices.Index(g.inputs, best.input)] = true
	sides, heavy := best.part(rows)
	bits := 1 + portable.Log2(float64(len(g.inputs))) + best.bits
	kids := make([]*branch, len(sides))
	for k, side := range sides {
		kid, err := g.grow(side, b.node.Label, tested)
		if err != nil {
			return err
		}
		kids[k] = kid
		bits += kid.bits
	}
	if g.prune && bits >= b.bits {
		return nil
	}
	b.kids, b.bits = kids, bits
	b.node.Attr, b.node.Heavy = best.input.attr, heavy
	best.input.test(&b.node, best.left)
	return nil
}

// part divides the rows of a node, those whose cell is missing with the heavier side. Their order stays.
func (c *choice) part(rows []int32) (sides [2][]int32, heavy int32) {
	n := 0
	for _, i := range rows {
		switch k := c.input.codes[i]; {
		case k < 0:
		case c.left[k]:
			n--
		default:
			n++
		}
	}
	if n > 0 {
		heavy = 1
	}
	for _, i := range rows {
		side := heavy
		if k := c.input.codes[i]; k >= 0 {
			side = 1
			if c.left[k] {
				side = 0
			}
		}
		sides[side] = append(sides[side], i)
	}
	return sides, heavy
}

// few is up to how many rows a node is looked at by one core.
const few = 5000

// choose returns the test of the largest gain, of equal ones that of the first column and its lower cut; no input where
// none gains anything.
func (g *grower) choose(rows []int32) (best choice) {
	all := make([]choice, len(g.inputs))
	look := func(j int) { all[j] = g.inputs[j].best(rows, g.class, g.classes, float64(g.minLeaf)) }
	if len(rows) > few {
		parallel.Do(len(g.inputs), look)
	} else {
		for j := range g.inputs {
			look(j)
		}
	}
	for j := range all {
		if all[j].input != nil && all[j].gain > best.gain+least {
			best = all[j]
		}
	}
	return best
}

// best returns the test of an input whose gini is the least, with both sides of at least so many records. The gain
// counts for the records whose cell is known.
func (in *input) best(rows, class []int32, classes int, minLeaf float64) (best choice) {
	cells := make([]float64, in.cells*classes)
	for _, i := range rows {
		if k := in.codes[i]; k >= 0 {
			cells[int(k)*classes+int(class[i])]++
		}
	}
	order := in.order(cells, classes)
	sorted := cells
	if order != nil {
		sorted = make([]float64, 0, len(cells))
		for _, k := range order {
			sorted = append(sorted, cells[k*classes:][:classes]...)
		}
	}
	behind, gini := -1, math.Inf(1)
	criterion.Cuts(sorted, classes, func(s criterion.Cut) {
		if s.Gini < gini-least && sum(s.Left) >= minLeaf && sum(s.Right) >= minLeaf {
			behind, gini = s.Behind, s.Gini
		}
	})
	if behind < 0 {
		return choice{}
	}
	total := make([]float64, classes)
	for at, n := range cells {
		total[at%classes] += n
	}
	known, pure := criterion.Purity(total)
	best = choice{
		input: in,
		gain:  float64(known / float64(len(rows)) * (1 - pure/known - gini)),
		left:  make([]bool, in.cells),
		bits:  portable.Log2(float64(in.cells - 1)),
	}
	for p := range behind + 1 {
		k := p
		if order != nil {
			k = order[p]
		}
		best.left[k] = true
	}
	if order != nil {
		best.bits = float64(len(order) - 1) // any set of them
		in.unseen(best.left, cells, classes)
	}
	return best
}

// order returns the occurring categories by the share of their records that have the most frequent class, so that of
// two classes the best division into two sets is one of them (Breiman et al. 1984, theorem 4.5); nil for intervals,
// which have an order.
func (in *input) order(cells []float64, classes int) []int {
	if in.values != nil {
		return nil
	}
	total := make([]float64, classes)
	for at, n := range cells {
		total[at%classes] += n
	}
	most := slices.Index(total, slices.Max(total))
	order := []int{}
	share := make([]float64, in.cells)
	for k := range in.cells {
		if n := sum(cells[k*classes:][:classes]); n > 0 {
			share[k] = cells[k*classes+most] / n
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(share[a], share[b]) })
	return order
}

// unseen puts categories that no record of the node has to the heavier side.
func (in *input) unseen(left []bool, cells []float64, classes int) {
	balance := 0.0
	for k := range in.cells {
		if n := sum(cells[k*classes:][:classes]); left[k] {
			balance += n
		} else {
			balance -= n
		}
	}
	for k := range in.cells {
		if sum(cells[k*classes:][:classes]) == 0 {
			left[k] = balance >= 0
		}
	}
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

// leafBits is how many bits the classes of the records of a leaf take (Mehta, Rissanen & Agrawal 1995).
func leafBits(counts []float64, classes int) float64 {
	n, bits, k := sum(counts), 0.0, float64(classes)
	if n == 0 {
		return 0
	}
	for _, v := range counts {
		if v > 0 {
			bits += float64(v * portable.Log2(n/v))
		}
	}
	gamma := portable.Lgamma(k / 2)
	return max(0, bits+float64((k-1)/2*portable.Log2(n/2))+float64(k/2*portable.Log2(math.Pi))-gamma/math.Ln2)
}

// flat appends a branch to nodes, depth first, and returns its position.
func (b *branch) flat(nodes *[]tree.Node) int32 {
	at := int32(len(*nodes))
	*nodes = append(*nodes, b.node)
	var kids []int32
	for _, k := range b.kids {
		kids = append(kids, k.flat(nodes))
	}
	(*nodes)[at].Kids = kids
	return at
}
