package synthesis

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/table"
)

// score is what is kept of the sum of squares of the ranks, or of the counts.
func (c *column) score(rows []int) float64 {
	if c.numeric {
		sum := 0
		for _, i := range rows {
			below, same, all := 0, 0, 0
			for _, y := range c.y {
				switch {
				case y < c.y[i]:
					below++
				case y == c.y[i]:
					same++
				}
				if y == y {
					all++
				}
			}
			sum += 2*below + same - all
		}
		return float64(sum) * float64(sum) / float64(len(rows))
	}
	sum := 0
	for _, i := range rows {
		for _, k := range rows {
			if c.y[i] == c.y[k] {
				sum++
			}
		}
	}
	return float64(sum) / float64(len(rows))
}

// grown is a node of a tree.
type grown struct {
	leaf          []float64 // ascending
	test          int
	first         func(v float64) bool
	branch, other *grown
}

func (w *twin) grow(c *column, tests, rows []int) *grown {
	best, gain := &grown{test: -1}, 0.0
	for _, p := range tests {
		if g, n := w.test(c, p, rows); n != nil && g > gain*(1+1e-12) {
			gain, best = g, n
		}
	}
	if best.test < 0 {
		for _, i := range rows {
			best.leaf = append(best.leaf, c.y[i])
		}
		best.leaf = w.move(c, best.leaf)
		return best
	}
	var left, right []int
	for _, i := range rows {
		if best.first(w.at(best.test, i)) {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	best.branch, best.other = w.grow(c, tests, left), w.grow(c, tests, right)
	return best
}

// test returns the best test on a column.
func (w *twin) test(c *column, p int, rows []int) (gain float64, n *grown) {
	by := map[float64][]int{}
	var known []int
	var values []float64
	for _, i := range rows {
		if v := w.at(p, i); v == v {
			known = append(known, i)
			values = append(values, v)
			by[v] = append(by[v], i)
		}
	}
	order := distinct(values)
	numeric := w.t.Attr(p).Kind == table.Numeric
	if !numeric && len(order) > 2 {
		slices.SortStableFunc(order, func(a, b float64) int {
			return cmp.Compare(c.mean(by[a], rows), c.mean(by[b], rows))
		})
	}
	least := 1e-9 * float64(len(known))
	if c.numeric {
		least *= float64(w.t.Rows())
	}
	for k := 1; k < len(order); k++ {
		var left, right []int
		for n, v := range order {
			if n < k {
				left = append(left, by[v]...)
			} else {
				right = append(right, by[v]...)
			}
		}
		if w.people(left) < w.q.Leaf || w.people(right) < w.q.Leaf {
			continue
		}
		g := c.score(left) + c.score(right) - c.score(known)
		if !(g > least && g > gain) {
			continue
		}
		heavier := 2*len(left) >= len(known)
		gain, n = g, &grown{test: p, first: func(v float64) bool {
			place := slices.Index(order, v)
			switch {
			case v != v || !numeric && place < 0:
				return heavier
			case numeric:
				return w.rank(p, v) < w.rank(p, order[k])
			}
			return place < k
		}}
	}
	return gain, n
}

// mean is the mean rank of records or, of a category, their share of what is most frequent in the node.
func (c *column) mean(own, rows []int) float64 {
	sum := 0
	for _, i := range own {
		if c.numeric {
			for _, y := range c.y {
				switch {
				case y < c.y[i]:
					sum += 2
				case y == c.y[i]:
					sum++
				}
				if y == y {
					sum--
				}
			}
		} else if c.y[i] == c.mode(rows) {
			sum++
		}
	}
	return float64(sum) / float64(len(own))
}

func (c *column) mode(rows []int) (best float64) {
	most := 0
	for _, v := range append(slices.Clone(c.values), gap) {
		n := 0
		for _, i := range rows {
			if c.y[i] == v {
				n++
			}
		}
		if n > most {
			best, most = v, n
		}
	}
	return best
}

// rank is how many values of a column are below, the largest aside.
func (w *twin) rank(p int, v float64) (n int) {
	var all []float64
	for i := range w.t.Rows() {
		all = append(all, w.at(p, i))
	}
	for _, x := range distinct(all) {
		if x < v && x < slices.Max(distinct(all)) {
			n++
		}
	}
	return n
}

// move returns the values of a leaf, ascending, of which those that are not released as they are are moved.
func (w *twin) move(c *column, leaf []float64) (out []float64) {
	was := distinct(leaf)
	for k, v := range was {
		to := v
		if beside := beside(was, k); !w.exact(c, v) && len(beside) > 0 {
			if len(beside) == 2 && c.r.IntN(2) == 1 {
				beside = beside[1:]
			}
			lo, hi := min(v, beside[0]), max(v, beside[0])
			if to = lo + float64(c.r.IntN(2)); hi-lo > 1 {
				to = lo + 1 + float64(c.r.IntN(int(hi-lo)-1))
			}
		}
		for _, x := range leaf {
			if x == v {
				out = append(out, to)
			}
		}
	}
	slices.Sort(out)
	return out
}

// beside returns the neighbours of the value at a position.
func beside(values []float64, k int) (out []float64) {
	if k > 0 {
		out = append(out, values[k-1])
	}
	if k+1 < len(values) && values[k+1] != gap {
		out = append(out, values[k+1])
	}
	return out
}
