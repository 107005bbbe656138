package synthesis

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"github.com/dither-data/dither/wrap"
)

// twin is the technique in the leaves of a tree, value by value and without regard to cost: for tables of few records
// and values, all of which trees are grown on.
type twin struct {
	q     *SegmentTechnique
	t     *table.Table
	leaf  []int32
	boxes []segment.Segment
	out   [][]float64 // by column and record: what is drawn so far; codes of categories, NaN for missing
	pool  []int32     // nodes that lend donors
	above []int32     // by leaf: the lowest node above that lends
}

// under returns the records whose way passes a node.
func (w *twin) under(node int32) (rows []int) {
	leaves := w.q.Tree.Leaves()
	w.q.Tree.Walk(func(path []tree.Step, n int32) {
		if slices.ContainsFunc(path, func(s tree.Step) bool { return s.Node == node }) && w.q.Tree.Nodes[n].Leaf() {
			for i, l := range w.leaf {
				if leaves[l] == n {
					rows = append(rows, i)
				}
			}
		}
	})
	slices.Sort(rows)
	return rows
}

// lend finds the nodes that lend donors: of each leaf of too few people the lowest above it of enough, but the root.
func (w *twin) lend() {
	ways := map[int32][]int32{} // by leaf, from the lowest node up
	w.q.Tree.Walk(func(path []tree.Step, n int32) {
		for _, s := range path {
			ways[n] = append([]int32{s.Node}, ways[n]...)
		}
	})
	for l, n := range w.q.Tree.Leaves() {
		var own []int
		for i := range w.leaf {
			if w.leaf[i] == int32(l) {
				own = append(own, i)
			}
		}
		for _, up := range ways[n] {
			if w.people(own) < w.q.Leaf && up > 0 && w.people(w.under(up)) >= w.q.Leaf {
				w.pool = append(w.pool, up)
				break
			}
		}
	}
	for _, n := range w.q.Tree.Leaves() {
		w.above = append(w.above, -1)
		for _, up := range ways[n] {
			if slices.Contains(w.pool, up) {
				w.above[len(w.above)-1] = up
				break
			}
		}
	}
}

// gap is the value of a donor without one.
var gap = math.Inf(1)

func (w *twin) at(j, i int) float64 {
	switch {
	case w.t.MissingAt(i, j):
		return math.NaN()
	case w.t.Attr(j).Kind == table.Numeric:
		return w.t.Num(j)[i]
	}
	return float64(w.t.Cat(j)[i])
}

// people counts whose the records are.
func (w *twin) people(rows []int) int {
	of, _ := w.t.People()
	who := map[int32]bool{}
	for _, i := range rows {
		if of == nil {
			who[int32(i)] = true
		} else {
			who[of[i]] = true
		}
	}
	return len(who)
}

// column is what is drawn.
type column struct {
	j       int
	numeric bool
	y       []float64 // by record: what it is a donor of, of a number its place among the values; NaN for none
	values  []float64 // of donors, ascending; of a number, what they are blurred to
	r       *rand.Rand
}

// having returns the records with a value.
func (c *column) having(v float64) (rows []int) {
	for i, y := range c.y {
		if y == v {
			rows = append(rows, i)
		}
	}
	return rows
}

func (w *twin) column(j int, src rng.Source) *column {
	a := w.t.Attr(j)
	c := &column{j: j, numeric: a.Kind == table.Numeric, y: make([]float64, w.t.Rows())}
	for i := range c.y {
		if c.y[i] = w.at(j, i); c.numeric {
			box := boxOf(a, j, &w.boxes[w.leaf[i]])
			c.y[i] = box.Clip(c.y[i])
		}
	}
	c.values = distinct(c.y)
	if c.numeric {
		for i, v := range c.y {
			if v == v {
				c.y[i] = float64(slices.Index(c.values, v))
			}
		}
		c.r = src.Fork("donors").Fork(a.Name).Rand()
		w.blur(c)
	} else {
		rare := map[float64]bool{}
		for _, v := range c.values {
			rare[v] = w.people(c.having(v)) < w.q.Common
		}
		all := !slices.ContainsFunc(c.values, func(v float64) bool { return !rare[v] })
		for i, v := range c.y {
			codes, tested := w.boxes[w.leaf[i]].Cat[j]
			if !all && rare[v] || tested && !slices.Contains(codes, int32(v)) {
				c.y[i] = math.NaN()
			}
		}
	}
	for i := range c.y {
		if w.q.Gaps == DrawGaps && w.t.MissingAt(i, j) {
			c.y[i] = gap
		}
	}
	return c
}

// blur moves the values that are not released as they are halfway to their neighbours at most, and across no cut.
func (w *twin) blur(c *column) {
	d, was := wrap.On(w.t.Attr(c.j).Domain, w.t.Attr(c.j).Step), slices.Clone(c.values)
	for k, v := range was {
		if w.exact(c, float64(k)) {
			continue
		}
		lo, hi, low, high := v, v, math.Inf(-1), math.Inf(1)
		if k > 0 {
			lo = was[k-1] + (v-was[k-1])/2
		}
		if k+1 < len(was) {
			hi = v + (was[k+1]-v)/2
		}
		for _, n := range w.q.Tree.Nodes {
			if n.Attr == c.j && n.Cut < v {
				low = max(low, n.Cut)
			} else if n.Attr == c.j {
				high = min(high, n.Cut)
			}
		}
		lo, hi = max(lo, low), min(hi, high)
		if to := d.Clip(lo + float64(c.r.Float64()*(hi-lo))); to > low && to <= high {
			c.values[k] = to
		}
	}
}

func distinct(v []float64) []float64 {
	known := slices.DeleteFunc(slices.Clone(v), func(x float64) bool { return x != x })
	slices.Sort(known)
	return slices.Compact(known)
}

// exact reports whether a value is released as it is.
func (w *twin) exact(c *column, v float64) bool {
	return !c.numeric || v == gap || w.people(c.having(v)) >= w.q.Common
}

// plant grows the tree of some records; nil where these are of too few people.
func (w *twin) plant(c *column, tests, rows []int) *grown {
	donors := slices.DeleteFunc(slices.Clone(rows), func(i int) bool { return c.y[i] != c.y[i] })
	if len(donors) == 0 || w.people(donors) < w.q.Leaf {
		return nil
	}
	return w.grow(c, tests, donors)
}

// falls returns the leaf that a record falls into with what was drawn of it.
func (w *twin) falls(n *grown, i int) []float64 {
	for n != nil && n.test >= 0 {
		if n.first(w.out[n.test][i]) {
			n = n.branch
		} else {
			n = n.other
		}
	}
	if n == nil {
		return nil
	}
	return n.leaf
}

// draw draws a column.
func (w *twin) draw(j int, tests []int, fit, apply rng.Source) {
	a, c := w.t.Attr(j), w.column(j, fit)
	all := make([]int, w.t.Rows())
	by := make([][]int, len(w.boxes))
	for i, l := range w.leaf {
		all[i] = i
		by[l] = append(by[l], i)
	}
	whole := w.plant(c, tests, all)
	own, lent := make([]*grown, len(w.boxes)), map[int32]*grown{}
	for l := range own {
		own[l] = w.plant(c, tests, by[l])
	}
	for n := range w.q.Tree.Nodes { // in the order of the nodes, since values are moved by one stream
		if slices.Contains(w.pool, int32(n)) {
			lent[int32(n)] = w.plant(c, tests, w.under(int32(n)))
		}
	}
	s := apply.Fork(a.Name).Stream()
	out := make([]float64, w.t.Rows())
	for i := range out {
		x, box := s.At(uint64(w.t.ID(i))), &w.boxes[w.leaf[i]]
		if out[i] = math.NaN(); w.t.MissingAt(i, j) && w.q.Gaps == KeepGaps {
			continue
		}
		leaf := w.falls(own[w.leaf[i]], i)
		for _, other := range []*grown{lent[w.above[w.leaf[i]]], whole} {
			if len(leaf) > 0 {
				break
			}
			for _, v := range w.falls(other, i) {
				if w.allows(c, box, v) {
					leaf = append(leaf, v)
				}
			}
		}
		out[i] = w.value(c, box, leaf, x)
	}
	w.out[j] = out
}

func (w *twin) allows(c *column, box *segment.Segment, v float64) bool {
	codes, tested := box.Cat[c.j]
	iv, influential := box.Num[c.j]
	return !tested && !influential || tested && slices.Contains(codes, int32(v)) ||
		influential && v != gap && iv.Contains(c.values[int(v)])
}

// value draws a value from a leaf.
func (w *twin) value(c *column, box *segment.Segment, leaf []float64, x rng.Block) float64 {
	a := w.t.Attr(c.j)
	domain := boxOf(a, c.j, box)
	if len(leaf) == 0 && c.numeric {
		return anyOf(&domain, x.A)
	}
	if len(leaf) == 0 {
		codes := box.Cat[c.j]
		if len(codes) == 0 {
			return float64(rng.Below(x.A, len(a.Labels)))
		}
		return float64(codes[rng.Below(x.A, len(codes))])
	}
	v := leaf[rng.Below(x.A, len(leaf))]
	switch {
	case v == gap:
		return math.NaN()
	case !c.numeric:
		return v
	case w.exact(c, v):
		return domain.Clip(c.values[int(v)])
	}
	in := distinct(leaf)
	near := beside(in, slices.Index(in, v))
	for n := range c.values {
		if len(beside(in, slices.Index(in, v))) == 0 && math.Abs(float64(n)-v) == 1 {
			near = append(near, float64(n))
		}
	}
	if len(near) == 0 {
		return domain.Clip(c.values[int(v)])
	}
	if len(near) == 2 && x.B&1 == 1 {
		near = near[1:]
	}
	lo, hi := c.values[int(min(v, near[0]))], c.values[int(max(v, near[0]))]
	if n := int(math.RoundToEven((hi - lo) / domain.Step())); n > 1 {
		return domain.Clip(lo + float64(float64(1+rng.Below(x.B, n-1))*domain.Step()))
	}
	if x.B&2 == 0 {
		return domain.Clip(lo)
	}
	return domain.Clip(hi)
}

// deal deals the classes of every leaf out in the order of the records' keys.
func (w *twin) deal(class int, src rng.Source) {
	s := src.Fork(w.t.Attr(class).Name).Stream()
	out := make([]float64, w.t.Rows())
	for l := range w.boxes {
		var rows []int
		var codes []float64
		for i := range out {
			if w.leaf[i] != int32(l) {
				continue
			}
			if out[i] = w.at(class, i); out[i] == out[i] {
				rows, codes = append(rows, i), append(codes, out[i])
			}
		}
		slices.Sort(codes)
		slices.SortFunc(rows, func(a, b int) int {
			x, y := s.At(uint64(w.t.ID(a))), s.At(uint64(w.t.ID(b)))
			return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
		})
		for k, i := range rows {
			out[i] = codes[k]
		}
	}
	w.out[class] = out
}

// A release is that of the plain twin, value by value, whatever the parameters and the table.
func TestTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.Mixed(rapid.IntRange(5, 90).Draw(r, "rows"))
		tab = withClass(tab.Select(rapid.Permutation([]int{0, 2, 3, 4, 6, 7, 9}).Draw(r, "columns")[:4]...))
		q := SegmentNew()
		q.Leaf, q.Common = rapid.IntRange(1, 25).Draw(r, "leaf"), rapid.IntRange(1, 4).Draw(r, "common")
		q.Gaps = rapid.SampledFrom([]string{KeepGaps, DrawGaps}).Draw(r, "gaps")
		q.ClassTechnique = rapid.SampledFrom([]string{RPT, KeepClass}).Draw(r, "class")
		if rapid.Bool().Draw(r, "people") {
			whose := make([]int32, tab.Rows())
			for i := range whose {
				whose[i] = int32(i * 2 / 3)
			}
			one := tab.Column(0).Gather(firsts(whose)) // one for a person
			tab = tabletest.Must(append([]table.Column{one}, tab.Columns()[1:]...)...).Owned(whose)
		}
		fit, apply := protecttest.Seed(1), protecttest.Seed(2)
		q.Tree = protecttest.Tree(tab)
		if rapid.Bool().Draw(r, "grown") { // a deep tree of small leaves
			var err error
			q.Tree, q.MinLeaf, q.NoPrune = nil, rapid.IntRange(2, 9).Draw(r, "minLeaf"), true
			if q.Tree, err = q.Grow(context.Background(), aggregate.Over(tab, fit)); err != nil {
				r.Fatal(err)
			}
		}
		p := must.Get(q.Fit(context.Background(), tab, fit))(r)
		got := must.Get(executor.Run(context.Background(), p, tab, apply, protect.Options{Chunk: 17}))(r)
		w := &twin{q: q, t: tab, leaf: make([]int32, tab.Rows()), boxes: q.Tree.Segments()}
		w.out = make([][]float64, tab.Width())
		q.Tree.Route(tab, w.leaf)
		w.lend()
		w.release(apply.Fork(protect.StepLabel(0)), fit)
		for j := range tab.Width() {
			for i := range tab.Rows() {
				was, is := w.out[j][i], (&twin{t: got}).at(j, i)
				if math.Float64bits(was) != math.Float64bits(is) && !(was != was && is != is) {
					r.Fatalf("column %q, row %d: %v; expected %v", tab.Attr(j).Name, i, is, was)
				}
			}
		}
	})
}

// firsts returns by row the first one of the same person.
func firsts(whose []int32) (out []int) {
	for i := range whose {
		out = append(out, slices.Index(whose, whose[i]))
	}
	return out
}

// release draws all columns: those that are one for a person first, then from few values to many.
func (w *twin) release(apply, fit rng.Source) {
	class := w.q.Tree.Class
	if w.q.ClassTechnique == RPT {
		w.deal(class, apply)
	} else {
		w.out[class] = make([]float64, w.t.Rows())
		for i := range w.out[class] {
			w.out[class][i] = w.at(class, i)
		}
	}
	var order []int
	count := make([]int, w.t.Width())
	for j := range count {
		var all []float64
		for i := range w.t.Rows() {
			all = append(all, w.at(j, i))
		}
		if count[j] = len(distinct(all)); j != class {
			order = append(order, j)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(w.t.LevelOf(b), w.t.LevelOf(a)), cmp.Compare(count[a], count[b]))
	})
	before := []int{class}
	for _, j := range order {
		tests := slices.DeleteFunc(slices.Clone(before), func(p int) bool { return w.t.LevelOf(p) < w.t.LevelOf(j) })
		w.draw(j, tests, fit, apply)
		before = append(before, j)
	}
}

// withClass returns the table with a class that depends on its columns and is missing now and then.
func withClass(t *table.Table) *table.Table {
	codes := make([]int32, t.Rows())
	for i := range codes {
		sum := i % 3
		for j := range t.Width() {
			if t.MissingAt(i, j) {
				sum += 2
			} else if t.Attr(j).Kind == table.Categorical {
				sum += int(t.Cat(j)[i])
			} else if t.Num(j)[i] > 4 {
				sum += 3
			}
		}
		if codes[i] = int32(sum / 5 % 3); i%19 == 7 {
			codes[i] = -1
		}
	}
	class := table.CatColumn("risk", []string{"low", "middle", "high"}, codes)
	class.Role = table.Class
	return tabletest.Must(append(t.Columns(), class)...)
}
