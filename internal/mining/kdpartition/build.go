package kdpartition

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
)

// Options say which nodes are divided, and where.
type Options struct {
	Largest  int  // a node of more records is divided
	Smallest int  // no part is of fewer people
	Median   bool // cut at the median; otherwise in the middle between the smallest and the largest value
	// High says where the values equal to the cut of the node of records lo to hi go, all together; nil: to the low side.
	// The records of a node are lo to hi in an order that only the cuts above it decide.
	High func(lo, hi int) bool
	// Hold are columns, those of the tree or others, of which every part has known values of Smallest people or none.
	Hold [][]float64
	// Whose says by record whose it is; nil: every record is a person's.
	Whose []int32
}

// grain is how many records are worked on at a time.
const grain = 1 << 13

// Build returns the tree for records given by columns of one length, and the number of every record's leaf.
//
// A node of more than Largest records is cut at the column of largest variance, the first of equal ones (to a relative
// 1e-12). A median that leaves all records on one side gives way to the middle. Where the cut leaves too few on one
// side, the column of the next largest variance is tried. If none will do, the node is a leaf; but one of more than
// twice Largest is then cut, again by variance, at the place nearest to the one wanted that leaves enough on both
// sides, and is a leaf if there is no such place: otherwise one far outlier in every column would make one leaf of the
// whole table.
//
// Cost: O(p n log n) for p columns of n records, O((p + log n) n log n) with medians, on all cores; it takes 8 p + 4
// bytes a record. The result does not depend on the number of cores.
func Build(ctx context.Context, cols [][]float64, opt Options) (*Tree, []int32, error) {
	b, err := load(ctx, cols, opt)
	if err != nil {
		return nil, nil, err
	}
	root := &branch{hi: len(b.ids)}
	for level := []*branch{root}; len(level) > 0; {
		if err := parallel.Each(ctx, len(level), func(k int) error { b.branch(level[k]); return nil }); err != nil {
			return nil, nil, err
		}
		var next []*branch
		for _, x := range level {
			if x.nodes == nil {
				next = append(next, x.low, x.high)
			}
		}
		level = next
	}
	t := &Tree{Nodes: root.append(nil)}
	t.number()
	return t, b.leaves(t), nil
}

// builder holds the records, which it sorts into the order of the leaves.
type builder struct {
	Options
	p    int
	rows []float64 // record by record, p values each
	ids  []int32   // which record that is
	base []float64 // by column: the smallest value
	unit []float64 // by column: 1 / (largest - smallest), 0 where there are no two values
}

// load copies the records and finds the unit of every column.
func load(ctx context.Context, cols [][]float64, opt Options) (*builder, error) {
	n, p := 0, len(cols)
	if p > 0 {
		n = len(cols[0])
	}
	if n > math.MaxInt32 {
		return nil, fmt.Errorf("%d records are too many for a tree, expected at most %d", n, math.MaxInt32)
	}
	b := &builder{
		Options: opt,
		p:       p,
		rows:    make([]float64, n*p),
		ids:     make([]int32, n),
		base:    make([]float64, p),
		unit:    make([]float64, p),
	}
	b.Hold = slices.DeleteFunc(slices.Clone(opt.Hold),
		func(v []float64) bool { return !slices.ContainsFunc(v, math.IsNaN) })
	for i := range b.ids {
		b.ids[i] = int32(i)
	}
	return b, parallel.Each(ctx, p, func(j int) error {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i, v := range cols[j] {
			b.rows[i*b.p+j] = v
			if v == v {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
		if lo < hi {
			b.base[j], b.unit[j] = lo, 1/(hi-lo)
		}
		return nil
	})
}

// branch is a node on the way down: too large for one core, it is divided into two, or else the whole subtree.
type branch struct {
	lo, hi    int
	at        cut
	low, high *branch
	nodes     []Node
}

// branch divides a large node, and builds the subtree of another one.
func (b *builder) branch(x *branch) {
	w := b.worker()
	if x.hi-x.lo > grain {
		if at, ok := w.choose(x.lo, x.hi); ok {
			mid := b.part(x.lo, x.hi, at)
			x.at, x.low, x.high = at, &branch{lo: x.lo, hi: mid}, &branch{lo: mid, hi: x.hi}
			return
		}
	}
	x.nodes = w.grow(nil, x.lo, x.hi)
}

// append writes the nodes of a branch, depth first.
func (x *branch) append(dst []Node) []Node {
	if x.nodes != nil {
		return append(dst, x.nodes...)
	}
	at := len(dst)
	dst = x.low.append(append(dst, Node{Attr: x.at.attr, Cut: x.at.cut, Size: int32(x.hi - x.lo)}))
	dst[at].Next = int32(len(dst) - at)
	return x.high.append(dst)
}

// grow appends the subtree of the records lo to hi.
func (w *worker) grow(dst []Node, lo, hi int) []Node {
	at := len(dst)
	dst = append(dst, Node{Attr: Leaf, Size: int32(hi - lo)})
	c, ok := w.choose(lo, hi)
	if !ok {
		return dst
	}
	mid := w.part(lo, hi, c)
	dst = w.grow(dst, lo, mid)
	dst[at].Attr, dst[at].Cut, dst[at].Next = c.attr, c.cut, int32(len(dst)-at)
	return w.grow(dst, mid, hi)
}

// part brings the records lo to hi in the order of the sides of a cut and returns where the high side begins.
func (b *builder) part(lo, hi int, c cut) int {
	for {
		for lo < hi && c.low(b.rows[lo*b.p+int(c.attr)]) {
			lo++
		}
		for lo < hi && !c.low(b.rows[(hi-1)*b.p+int(c.attr)]) {
			hi--
		}
		if lo == hi {
			return lo
		}
		hi--
		b.ids[lo], b.ids[hi] = b.ids[hi], b.ids[lo]
		x, y := b.rows[lo*b.p:][:b.p], b.rows[hi*b.p:][:b.p]
		for j := range x {
			x[j], y[j] = y[j], x[j]
		}
		lo++
	}
}

// leaves returns the leaf of every record: those of a leaf stand together, in the order of the leaves.
func (b *builder) leaves(t *Tree) []int32 {
	out, at := make([]int32, len(b.ids)), 0
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Attr == Leaf {
			for _, id := range b.ids[at : at+int(n.Size)] {
				out[id] = n.Next
			}
			at += int(n.Size)
		}
	}
	return out
}
