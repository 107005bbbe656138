package rulehiding

import (
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
)

// entry is a pattern by the names of its items.
type entry struct{ left, right []string }

func (e entry) all() []string {
	z := slices.Concat(e.left, e.right)
	slices.Sort(z)
	return z
}

// twin hides by loops over everything: what the algorithms must agree with.
type twin struct {
	rows, maybe, first []map[string]bool
	names              []string // of all items, in order
}

func newTwin(rows [][]string, names []string) *twin {
	w := &twin{names: names}
	for _, row := range rows {
		own := map[string]bool{}
		for _, v := range row {
			own[v] = true
		}
		w.rows, w.first, w.maybe = append(w.rows, own), append(w.first, maps.Clone(own)), append(w.maybe, map[string]bool{})
	}
	return w
}

func (w *twin) code(items []string) []int32 {
	out := []int32{}
	for _, v := range items {
		k, _ := slices.BinarySearch(w.names, v)
		out = append(out, int32(k))
	}
	return out
}

// data is the transactions as the algorithms take them, and the patterns.
func (w *twin) data(list []entry) (*Data, []basket.Pattern) {
	t := &itemset.Transactions{Start: []int{0}, Labels: len(w.names)}
	for _, row := range w.first {
		t.Items = append(t.Items, w.code(slices.Sorted(maps.Keys(row)))...)
		t.Start = append(t.Start, len(t.Items))
	}
	var out []basket.Pattern
	for _, e := range list {
		p := basket.Pattern{If: w.code(e.left)}
		if len(e.right) > 0 {
			p.Then = w.code(e.right)
		}
		out = append(out, p)
	}
	return NewData(t), out
}

// text is transactions with what is unknown, and how many cells differ.
func (w *twin) text() (out []string, changes int) {
	for i, row := range w.rows {
		out = append(out,
			strings.Join(slices.Sorted(maps.Keys(row)), " ")+" ? "+strings.Join(slices.Sorted(maps.Keys(w.maybe[i])), " "))
		for _, v := range w.names {
			if row[v] != w.first[i][v] || w.maybe[i][v] {
				changes++
			}
		}
	}
	return out, changes
}

func dataText(d *Data, names []string) (out []string) {
	spell := func(items []int32) string {
		var own []string
		for _, v := range items {
			own = append(own, names[v])
		}
		return strings.Join(own, " ")
	}
	for i := range d.Len() {
		items, unknown := d.Row(i)
		out = append(out, spell(items)+" ? "+spell(unknown))
	}
	return out
}

func has(row map[string]bool, items []string) bool {
	for _, v := range items {
		if !row[v] {
			return false
		}
	}
	return true
}

func (w *twin) n(z []string) int { return number(w.rows, z) }

func (w *twin) can(i int, v string) bool { return w.rows[i][v] || w.maybe[i][v] }

func (w *twin) most(z []string) (n int) {
	for i := range w.rows {
		if !slices.ContainsFunc(z, func(v string) bool { return !w.can(i, v) }) {
			n++
		}
	}
	return n
}

func number(rows []map[string]bool, z []string) (n int) {
	for _, row := range rows {
		if has(row, z) {
			n++
		}
	}
	return n
}

// bound is fractions by text.
type bound struct{ mst, mct, sm string }

func rational(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}

// below reports k/n < a - b.
func below(k, n int, a, b string) bool {
	return big.NewRat(int64(k), int64(n)).Cmp(new(big.Rat).Sub(rational(a), rational(b))) < 0
}

// rare reports whether a set is hidden by its support.
func (w *twin) rare(z []string, b bound) bool { return below(w.n(z), len(w.rows), b.mst, b.sm) }

// gone reports whether a rule is hidden.
func (w *twin) gone(e entry, b bound) bool {
	with := w.most(e.left)
	return w.rare(e.all(), b) || with > 0 && below(w.n(e.all()), with, b.mct, b.sm)
}

// subsets returns all sets of items that are not empty.
func subsets(items []string) (out [][]string) {
	for bits := 1; bits < 1<<len(items); bits++ {
		var own []string
		for k, v := range items {
			if bits>>k&1 > 0 {
				own = append(own, v)
			}
		}
		out = append(out, own)
	}
	return out
}

func within(z, of []string) bool {
	return !slices.ContainsFunc(z, func(v string) bool { return !slices.Contains(of, v) })
}

// open returns the itemsets that as many of the original have and that contain nothing sensitive.
func (w *twin) open(list []entry, frequent func(n int) bool) (out [][]string) {
	for _, z := range subsets(w.names) {
		if frequent(number(w.first, z)) && !slices.ContainsFunc(list, func(e entry) bool { return within(e.all(), z) }) {
			out = append(out, z)
		}
	}
	return out
}

// best returns the number of the first candidate that no other is before, -1 where there is none.
func best(n int, is func(i int) bool, before func(a, b int) bool) int {
	out := -1
	for i := range n {
		if is(i) && (out < 0 || before(i, out)) {
			out = i
		}
	}
	return out
}

// shortest returns the transaction with all items that has fewest.
func (w *twin) shortest(z []string) int {
	return best(len(w.rows), func(i int) bool { return has(w.rows[i], z) },
		func(a, b int) bool { return len(w.rows[a]) < len(w.rows[b]) })
}

// pick returns the item that a count prefers: the largest, or the smallest.
func pick(items []string, count func(v string) int, largest bool) string {
	at := best(len(items), func(int) bool { return true }, func(a, b int) bool {
		if largest {
			return count(items[a]) > count(items[b])
		}
		return count(items[a]) < count(items[b])
	})
	return items[at]
}

func (w *twin) commonest(items []string) string {
	return pick(items, func(v string) int { return w.n([]string{v}) }, true)
}

// rules is 1.a, 1.b and 2.a.
func (w *twin) rules(list []entry, b bound, how Strategy, fallback bool) {
	frequent := w.open(list, func(n int) bool { return !below(n, len(w.rows), b.mst, "0") })
	impact := func(i int, v string) (n int) {
		for _, z := range frequent {
			if slices.Contains(z, v) && has(w.rows[i], z) {
				n++
			}
		}
		return n
	}
	for round := true; round; {
		round = false
		for _, e := range list {
			for !w.gone(e, b) {
				if how == Raise {
					i := best(len(w.rows), func(i int) bool { return !has(w.rows[i], e.left) && !has(w.rows[i], e.right) },
						func(p, q int) bool { return w.shares(p, e.left) > w.shares(q, e.left) })
					if i >= 0 {
						for _, v := range e.left {
							w.rows[i][v] = true
						}
						round = true
						continue
					}
					if !fallback {
						break
					}
					how = LowerEnd
				}
				from := e.right
				if how == LowerRule {
					from = e.all()
				}
				i := w.shortest(e.all())
				if i < 0 {
					break // nothing is below a limit of 0
				}
				victim := best(len(from), func(int) bool { return true }, func(p, q int) bool {
					x, y := impact(i, from[p]), impact(i, from[q])
					return x < y || x == y && w.n(from[p:p+1]) > w.n(from[q:q+1])
				})
				delete(w.rows[i], from[victim])
				round = true
			}
		}
	}
}

// shares counts the items that a transaction has or may have.
func (w *twin) shares(i int, items []string) (n int) {
	for _, v := range items {
		if w.can(i, v) {
			n++
		}
	}
	return n
}

// different returns the sets of patterns, equal ones once.
func different(list []entry) (out [][]string) {
	for _, e := range list {
		if !slices.ContainsFunc(out, func(z []string) bool { return slices.Equal(z, e.all()) }) {
			out = append(out, e.all())
		}
	}
	return out
}

// inOrder is the sets in the order of 2.b.
func (w *twin) inOrder(list []entry) [][]string {
	order := different(list)
	slices.SortStableFunc(order, func(p, q []string) int {
		if len(p) != len(q) {
			return len(q) - len(p)
		}
		if n := number(w.first, q) - number(w.first, p); n != 0 {
			return n
		}
		return slices.Compare(p, q)
	})
	return order
}

// largest is 2.b.
func (w *twin) largest(list []entry, b bound) {
	for _, z := range w.inOrder(list) {
		for !w.rare(z, b) && w.n(z) > 0 {
			i := w.shortest(z)
			delete(w.rows[i], w.commonest(z))
		}
	}
}

// inTurn is 2.c.
func (w *twin) inTurn(list []entry, b bound) {
	for _, z := range different(list) {
		for k := 0; !w.rare(z, b) && w.n(z) > 0; k++ {
			i := slices.IndexFunc(w.rows, func(row map[string]bool) bool { return has(row, z) })
			delete(w.rows[i], z[k%len(z)])
		}
	}
}

func (w *twin) blur(i int, v string) {
	delete(w.rows[i], v)
	w.maybe[i][v] = true
}

func (w *twin) gih(list []entry, b bound) {
	for _, z := range different(list) {
		for !w.rare(z, b) && w.n(z) > 0 {
			i := w.shortest(z)
			w.blur(i, w.commonest(z))
		}
	}
}

func (w *twin) cr(list []entry, b bound) {
	for _, e := range list {
		for !w.gone(e, b) && w.n(e.all()) > 0 {
			i := w.shortest(e.all())
			w.blur(i, w.commonest(e.right))
		}
	}
}

func (w *twin) cr2(list []entry, b bound) {
	for _, e := range list {
		for !w.gone(e, b) {
			i := best(len(w.rows),
				func(i int) bool { return w.shares(i, e.left) < len(e.left) && w.shares(i, e.right) < len(e.right) },
				func(p, q int) bool { return w.shares(p, e.left) > w.shares(q, e.left) })
			if i < 0 {
				break
			}
			for _, v := range e.left {
				if !w.can(i, v) {
					w.maybe[i][v] = true
				}
			}
		}
	}
}
