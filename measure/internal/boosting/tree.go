package boosting

import (
	"cmp"
	"slices"
)

// tree is a regression tree; its root is the first node.
type tree []node

// node is a leaf, or a split by a set of bins of a column.
type node struct {
	column int32 // -1 in a leaf
	left   [Most / 64]uint64
	kids   [2]int32
	value  float64
}

// at returns the value of the leaf that a row falls into.
func (t tree) at(c *Columns, i int) float64 {
	n := &t[0]
	for n.column >= 0 {
		b := c.Bins[n.column][i]
		side := 1 - n.left[b/64]>>(b%64)&1
		n = &t[n.kids[side]]
	}
	return n.value
}

// sums are what a split is judged by.
type sums struct{ grad, hess, rows float64 }

func (s *sums) add(o *sums) { s.grad, s.hess, s.rows = s.grad+o.grad, s.hess+o.hess, s.rows+o.rows }

func (s *sums) less(o *sums) sums { return sums{s.grad - o.grad, s.hess - o.hess, s.rows - o.rows} }

// gain is twice what a leaf with the sums takes off the loss.
func (s *sums) gain(ridge float64) float64 { return s.grad * s.grad / (s.hess + ridge) }

// grower grows trees on the gradients of rows.
type grower struct {
	Options
	columns    *Columns
	grad, hess []float64 // by row
	at, spare  []int32   // rows, those of a node together
	own        []sums    // of the rows of a node, one by one
	bins       [2][Most]sums
	mean       [Most]float64 // of the bins of a nominal column
	order      []int         // of the bins that have rows
}

func newGrower(c *Columns, rows int, o Options) *grower {
	return &grower{Options: o, columns: c, grad: make([]float64, rows), hess: make([]float64, rows)}
}

// grow grows a tree on the rows and adds its values to what is fitted of them.
func (g *grower) grow(rows []int32, fitted []float64) tree {
	g.at = append(g.at[:0], rows...)
	g.spare = slices.Grow(g.spare[:0], len(rows))[:len(rows)]
	var t tree
	g.node(&t, 0, len(rows), g.Depth, fitted)
	return t
}

// node adds the node of the rows [lo, hi) and those below it; it returns its number.
func (g *grower) node(t *tree, lo, hi, depth int, fitted []float64) int32 {
	id := int32(len(*t))
	*t = append(*t, node{column: -1})
	rows := g.at[lo:hi]
	var all sums
	g.own = g.own[:0]
	for _, r := range rows {
		one := sums{g.grad[r], g.hess[r], 1}
		all.add(&one)
		g.own = append(g.own, one)
	}
	if depth > 0 && len(rows) >= 2*g.Leaf {
		if n, ok := g.split(rows, &all); ok {
			mid := lo + g.part(&n, rows)
			n.kids[0] = g.node(t, lo, mid, depth-1, fitted)
			n.kids[1] = g.node(t, mid, hi, depth-1, fitted)
			(*t)[id] = n
			return id
		}
	}
	step := -g.Rate * all.grad / (all.hess + g.Ridge)
	(*t)[id].value = step
	for _, r := range rows {
		fitted[r] += step
	}
	return id
}

// split returns the split that takes most off the loss.
func (g *grower) split(rows []int32, all *sums) (best node, ok bool) {
	most, columns := all.gain(g.Ridge)+1e-9, g.columns.Bins
	for j := 0; j < len(columns); j += 2 {
		both := columns[j:min(j+2, len(columns))]
		g.count(rows, both)
		for k := range both {
			ok = g.cut(int32(j+k), &g.bins[k], all, &most, &best) || ok
		}
	}
	return best, ok
}

// count adds up the rows of a node by the bins of one column or two. Two at a time take little more than one: a sum
// waits for the one before it in its bin, and what another column waits for passes meanwhile.
func (g *grower) count(rows []int32, columns [][]uint8) {
	own, first, second := g.own[:len(rows)], &g.bins[0], &g.bins[1]
	clear(first[:])
	if len(columns) == 1 {
		for i, r := range rows {
			first[columns[0][r]].add(&own[i])
		}
		return
	}
	clear(second[:])
	a, b := columns[0], columns[1]
	b = b[:len(a)]
	for i, r := range rows {
		first[a[r]].add(&own[i])
		second[b[r]].add(&own[i])
	}
}

// cut looks for a better split by column j than the best so far, which takes most off the loss, and reports whether
// there is one.
func (g *grower) cut(j int32, bins *[Most]sums, all *sums, most *float64, best *node) (ok bool) {
	g.order = g.order[:0]
	for b := range g.columns.Count[j] {
		if bins[b].rows > 0 {
			g.order = append(g.order, b)
			g.mean[b] = bins[b].grad / (bins[b].hess + g.Ridge)
		}
	}
	if g.columns.Nominal[j] {
		slices.SortStableFunc(g.order, func(a, b int) int { return cmp.Compare(g.mean[a], g.mean[b]) })
	}
	var left sums
	for k := range max(0, len(g.order)-1) {
		left.add(&bins[g.order[k]])
		right := all.less(&left)
		if left.rows < float64(g.Leaf) || right.rows < float64(g.Leaf) {
			continue
		}
		if v := left.gain(g.Ridge) + right.gain(g.Ridge); v > *most {
			*most, ok = v, true
			*best = node{column: j}
			for _, b := range g.order[:k+1] {
				best.left[b/64] |= 1 << (b % 64)
			}
		}
	}
	return ok
}

// part moves the rows of the left side to the front, order kept, and returns how many they are.
func (g *grower) part(n *node, rows []int32) int {
	bins, left, right := g.columns.Bins[n.column], 0, 0
	for _, r := range rows {
		if b := bins[r]; n.left[b/64]>>(b%64)&1 == 1 {
			rows[left] = r
			left++
		} else {
			g.spare[right] = r
			right++
		}
	}
	copy(rows[left:], g.spare[:right])
	return left
}
