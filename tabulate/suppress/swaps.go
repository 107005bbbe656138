package suppress

import (
	"math"
	"math/bits"
	"slices"
)

// Tree is a dimension of the inner cells: the parent of each code, -1 for the total, and the finest code of each inner
// cell.
type Tree struct{ Up, Leaf []int32 }

// swaps looks for proofs that swap codes. An inner cell gets more, or less; so that the totals of a dimension stay, one
// that has another code there gets as much less, or more; and so on for every dimension, which makes up to 8 inner
// cells of three dimensions: the hypercubes of Giessing & Repsilber (2002). Where no other code is taken, all that
// holds the cell in that dimension changes. What changes must be left out.
type swaps struct {
	*board
	place map[uint64]int32
	lines []map[uint64][]int32 // by dimension and key without it, inner cells that differ in it only
	aside [][]int32            // by dimension and code, what has others beside it: the code, or what holds it
	goals [][]int32            // by dimension and cell, the finest code that holds all of it
	base  []uint64             // by dimension, what a code counts in a key
	sum   []int32              // by cell, what a swap changes it by; zeros between
	moved []int32
}

// swap is a proof, or a part of it: some inner cells get more by a step, and others less.
type swap struct {
	at, sign []int32 // inner cells, and 1 or -1
	step     float64
	hides    []int32 // published cells that it changes
}

func newSwaps(b *board) *swaps {
	s := &swaps{board: b, place: map[uint64]int32{}, base: make([]uint64, len(b.p.Trees)), sum: make([]int32, b.p.cells())}
	base := uint64(1)
	for k := range b.p.Trees {
		s.base[k], s.lines = base, append(s.lines, map[uint64][]int32{})
		base *= uint64(len(b.p.Trees[k].Up))
		s.grow(&b.p.Trees[k])
	}
	for i := range b.p.Holder {
		key := s.key(int32(i))
		s.place[key] = int32(i)
		for k, line := range s.lines {
			key := key - s.base[k]*uint64(b.p.Trees[k].Leaf[i])
			line[key] = append(line[key], int32(i))
		}
	}
	return s
}

// key is an inner cell as a mixed number; tabulate.New refuses those that do not fit.
func (s *swaps) key(i int32) (key uint64) {
	for k := range s.p.Trees {
		key += s.base[k] * uint64(s.p.Trees[k].Leaf[i])
	}
	return key
}

// grow reads a tree.
func (s *swaps) grow(t *Tree) {
	seen, below := make([]bool, len(t.Up)), make([]int, len(t.Up)) // codes that occur, and how many of them are just below
	for _, leaf := range t.Leaf {
		for at := leaf; at >= 0 && !seen[at]; at = t.Up[at] {
			if seen[at] = true; t.Up[at] >= 0 {
				below[t.Up[at]]++
			}
		}
	}
	aside := make([]int32, len(t.Up))
	for code := range aside {
		at := int32(code)
		for t.Up[at] >= 0 && below[t.Up[at]] < 2 {
			at = t.Up[at]
		}
		aside[code] = at
	}
	goals := make([]int32, s.p.cells())
	for c := range goals {
		goals[c] = -1
		for _, i := range s.p.inner(c) {
			if goals[c] < 0 {
				goals[c] = t.Leaf[i]
			}
			for !t.in(t.Leaf[i], goals[c]) {
				goals[c] = t.Up[goals[c]]
			}
		}
	}
	s.aside, s.goals = append(s.aside, aside), append(s.goals, goals)
}

// in reports whether a code is another, or in it.
func (t *Tree) in(code, group int32) bool {
	for code > group {
		code = t.Up[code]
	}
	return code == group
}

// partners are how many inner cells of a line are tried.
const partners = 64

// others are inner cells that one may be swapped with in a dimension: those with a code beside that of the cell that is
// to move or, where it is the only one, beside what holds it; with a group, any in another. The next ones come first.
func (s *swaps) others(cell, k int, i int32) (out []int32) {
	t := &s.p.Trees[k]
	x := s.aside[k][s.goals[k][cell]]
	up := t.Up[x]
	if up < 0 {
		return nil
	}
	line := s.lines[k][s.key(i)-s.base[k]*uint64(t.Leaf[i])]
	at, _ := slices.BinarySearch(line, i)
	for n := 1; n < len(line) && len(out) < partners; n++ {
		j := line[(at+n)%len(line)]
		if t.in(t.Leaf[j], up) && !t.in(t.Leaf[j], x) {
			out = append(out, j)
		}
	}
	return out
}

// wish is what a swap must do: raise, or lower, a cell by need.
type wish struct {
	cell  int
	m     *Measure
	upper bool
	need  float64
	free  bool              // nothing more is left out for it
	not   int32             // a unit whose inner cells stay; -1 for none
	used  map[int32]float64 // what other swaps of the proof did to inner cells
}

// starts are how many inner cells of a cell are tried.
const starts = 6

// dear is what the cells that a swap hides may cost.
const dear = 40

// find returns the cheapest swap; false where there is none. Cost: what the codes to swap with come to, multiplied over
// the dimensions, times the cells that hold an inner cell.
func (s *swaps) find(w *wish) (swap, bool) {
	if len(s.p.Trees) == 0 {
		return swap{}, false
	}
	f := &finding{swaps: s, wish: w, score: math.Inf(1)}
	inner := s.p.inner(w.cell)
	for _, i := range inner[:min(len(inner), starts)] {
		sign := int32(-1)
		if w.upper {
			sign = 1
		}
		if f.at, f.sign = f.at[:0], f.sign[:0]; f.take(i, sign) {
			f.others = f.others[:0]
			for k := range s.p.Trees {
				f.others = append(f.others, s.others(w.cell, k, i))
			}
			f.dimension(0, f.fee(i))
		}
	}
	return f.best, !math.IsInf(f.score, 1)
}

// finding is a search on its way.
type finding struct {
	*swaps
	*wish
	others [][]int32 // by dimension, the inner cells to swap the first with
	at     []int32
	sign   []int32
	best   swap
	score  float64
}

// take adds an inner cell, if it may move.
func (f *finding) take(i, sign int32) bool {
	if f.free && f.bare[i] > 0 || f.not >= 0 && f.p.Holder[i] == f.not || sign < 0 && f.room(i) < f.need/4 {
		return false
	}
	f.at, f.sign = append(f.at, i), append(f.sign, sign)
	return true
}

// room is by how much an inner cell can be lowered.
func (f *finding) room(i int32) float64 {
	if f.m.Negative {
		return math.Inf(1)
	}
	return f.m.Inner[i] - f.m.Least + f.used[i]
}

// fee is what it costs at least that an inner cell moves. Somebody alone in it needs another proof.
func (f *finding) fee(i int32) (fee float64) {
	if h := f.p.Holder[i]; h >= 0 && h != f.not {
		if _, own := slices.BinarySearch(f.p.inner(f.cell), i); !own {
			fee = 1
		}
	}
	if f.bare[i] > 0 {
		fee++
	}
	return fee
}

// dimension swaps in a dimension and those after it.
func (f *finding) dimension(k int, fee float64) {
	if k == len(f.others) {
		f.weigh(fee)
		return
	}
	n, leaf := len(f.at), f.p.Trees[k].Leaf
	for _, other := range f.others[k] {
		more, by := fee, f.base[k]*uint64(leaf[other])
		for v := range n {
			i := f.at[v]
			j, there := f.place[f.key(i)+by-f.base[k]*uint64(leaf[i])]
			if !there || !f.take(j, -f.sign[v]) {
				more = math.Inf(1)
				break
			}
			more += f.fee(j)
		}
		if more < f.score {
			f.dimension(k+1, more)
		}
		f.at, f.sign = f.at[:n], f.sign[:n]
	}
	if fee < f.score {
		f.dimension(k+1, fee)
	}
}

// weigh compares a swap with the best. The fee counts a published inner cell as 1, which is less than its price.
func (f *finding) weigh(fee float64) {
	step := f.need
	for k, i := range f.at {
		if fee -= float64(min(f.bare[i], 1)); f.sign[k] < 0 {
			step = min(step, f.room(i))
		}
	}
	var hides []int32
	price := 0.0
	for _, c := range f.changed(f.at, f.sign) {
		if !f.hidden[c] {
			price += f.price(c)
			hides = append(hides, c)
		}
	}
	score := fee + price
	if step < f.need {
		score = float64((score + 0.25) * f.need / step)
	}
	if score < f.score && price <= dear && !(f.free && price > 0) {
		f.score, f.best = score, swap{slices.Clone(f.at), slices.Clone(f.sign), step, hides}
	}
}

// changed are the cells that a swap changes. They are valid until the next call.
func (s *swaps) changed(at, sign []int32) []int32 {
	s.moved = s.moved[:0]
	for k, i := range at {
		for _, c := range s.over[i] {
			if s.sum[c] == 0 {
				s.moved = append(s.moved, c)
			}
			s.sum[c] += sign[k]
		}
	}
	out := s.moved[:0]
	for _, c := range s.moved {
		if s.sum[c] != 0 {
			out = append(out, c)
			s.sum[c] = 0
		}
	}
	return out
}

// price is what it costs to leave a cell out.
func (s *swaps) price(c int32) float64 {
	return 1 + float64(bits.Len64(uint64(max(s.p.Cost[c], 0))))/4
}
