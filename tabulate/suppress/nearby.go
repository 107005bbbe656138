package suppress

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
)

// all tries claims, and returns a proof of each or, where there is none, nothing and what is open.
func (b *board) all(ctx context.Context, claims []claim, alone bool) (proofs []*proof, open []Open, err error) {
	var first []int // the first claim of every cell
	for k := range claims {
		if k == 0 || claims[k].cell != claims[k-1].cell {
			first = append(first, k)
		}
	}
	proofs = make([]*proof, len(claims))
	found := make([][]Open, len(first))
	_, err = parallel.With(ctx, len(first), func() *nearby { return b.near(sizes...) }, func(n *nearby, f int) error {
		n.around(claims[first[f]].cell)
		for k := first[f]; k < len(claims) && claims[k].cell == n.cell; k++ {
			p, failed := n.hold(claims[k], alone)
			if found[f] = append(found[f], failed...); len(failed) == 0 {
				proofs[k] = p
			}
		}
		return nil
	})
	return proofs, slices.Concat(found...), err
}

// near makes room for what is around cells.
func (b *board) near(sizes ...int) *nearby {
	return &nearby{board: b, sizes: sizes, at: make([]int32, len(b.p.Holder)), count: make([]int32, b.p.cells())}
}

// around begins with another cell.
func (n *nearby) around(cell int) *nearby {
	for _, i := range n.vars {
		n.at[i] = 0
		for _, r := range n.over[i] {
			n.count[r] = 0
		}
	}
	n.cell, n.vars, n.goal, n.open, n.programs, n.whole = cell, n.vars[:0], 0, n.open[:0], n.programs[:0], false
	return n
}

// hold tries a claim for somebody outside, and for each unit alone in an inner cell that the proof moves. A proof that
// moves nobody's own inner cell beside the cell comes first: it holds for most at once.
func (n *nearby) hold(c claim, alone bool) (out *proof, open []Open) {
	moved, ok := n.prove(c, func(at int) bool { return at >= n.goal && n.p.Holder[n.vars[at]] >= 0 })
	if !ok {
		moved, ok = n.prove(c, func(int) bool { return false })
	}
	if !ok {
		return nil, []Open{{c.cell, c.measure, -1, c.upper}}
	}
	out = &proof{}
	n.moves(out, moved)
	for _, h := range n.p.holders(moved) {
		left, needed := n.p.without(c, h, alone)
		if !needed {
			continue
		}
		theirs := func(at int) bool { return n.p.Holder[n.vars[at]] == h }
		moved, ok := n.prove(left, theirs)
		if !ok && !alone {
			left.upper = !left.upper
			moved, ok = n.prove(left, theirs)
		}
		if n.moves(out, moved); !ok {
			open = append(open, Open{c.cell, c.measure, h, c.upper})
		}
	}
	out.settle()
	return out, open
}

// moves adds to a proof what inner cells may change.
func (n *nearby) moves(out *proof, moved []int32) {
	out.count++
	for _, i := range moved {
		for _, c := range n.over[i] {
			if n.hidden[c] {
				out.cells = append(out.cells, c)
			}
		}
	}
}

// sizes are how many inner cells are taken in, more where fewer prove nothing. What lies beyond stays as it is, so a
// table that is found is a proof all the same.
var sizes = []int{30, 90, 250}

// nearby is unknown inner cells around a cell, so chosen that they can move together: a published cell that has one
// of them alone does not let it move.
type nearby struct {
	*board
	sizes    []int
	cell     int
	vars     []int32    // those of the cell first
	goal     int        // how many of them are the cell's
	at       []int32    // by inner cell, its place among them, from 1
	count    []int32    // by published cell, how many of them it has
	open     []int32    // published cells that had one alone when they were met
	programs []*program // by size
	whole    bool       // there are no more
}

// prove looks for other inner cells with the same published cells by which a claim holds, where what is known stays. It
// returns the inner cells that differ.
func (n *nearby) prove(c claim, known func(at int) bool) (moved []int32, ok bool) {
	for k := range n.sizes {
		if len(n.programs) <= k {
			if n.whole {
				break
			}
			n.grow(n.sizes[k])
		}
		p := n.programs[k]
		d := p.move(&n.p.Measures[c.measure], c.upper, c.need, known)
		if d == nil {
			continue
		}
		for at, x := range d {
			if x != 0 {
				moved = append(moved, p.vars[at])
			}
		}
		return moved, true
	}
	return nil, false
}

// grow takes in inner cells until there are so many.
func (n *nearby) grow(size int) {
	if len(n.programs) == 0 {
		for _, i := range n.p.inner(n.cell) {
			if n.take(i); len(n.vars) >= size {
				break
			}
		}
		n.goal = len(n.vars)
	}
	n.close(size)
	for at := 0; at < len(n.vars) && len(n.vars) < size; at++ {
		for _, r := range n.over[n.vars[at]] {
			for !n.hidden[r] && len(n.vars) < size && n.takeFrom(r) {
				n.close(size)
			}
		}
	}
	n.whole = len(n.vars) < size
	p := &program{vars: slices.Clone(n.vars), goal: n.goal, rows: n.equations()}
	p.reduce()
	n.programs = append(n.programs, p)
}

// may reports whether an inner cell can be taken in.
func (n *nearby) may(i int32) bool { return n.at[i] == 0 && n.bare[i] == 0 }

func (n *nearby) take(i int32) {
	if !n.may(i) {
		return
	}
	n.vars = append(n.vars, i)
	n.at[i] = int32(len(n.vars))
	for _, r := range n.over[i] {
		if n.hidden[r] {
			continue
		}
		if n.count[r]++; n.count[r] == 1 {
			n.open = append(n.open, r)
		}
	}
}

// candidates are how many inner cells of a row are compared.
const candidates = 64

// takeFrom takes in the inner cell of a row that fits best: it stands in many rows that have one alone, and brings in
// few new ones. False where the row has none.
func (n *nearby) takeFrom(r int32) bool {
	best, fits, tried := int32(-1), 0, 0
	for _, i := range n.p.inner(int(r)) {
		if !n.may(i) {
			continue
		}
		if tried++; tried > candidates {
			break
		}
		fit := 0
		for _, x := range n.over[i] {
			switch {
			case n.hidden[x]:
			case n.count[x] == 0:
				fit--
			case n.count[x] == 1:
				fit++
			}
		}
		if best < 0 || fit > fits {
			best, fits = i, fit
		}
	}
	if best >= 0 {
		n.take(best)
	}
	return best >= 0
}

// close takes in inner cells until no row has one alone, or there are too many.
func (n *nearby) close(size int) {
	for len(n.open) > 0 && len(n.vars) < size {
		k := 0
		for at, r := range n.open {
			if len(n.p.inner(int(r))) < len(n.p.inner(int(n.open[k]))) {
				k = at
			}
		}
		r := n.open[k]
		n.open = slices.Delete(n.open, k, k+1)
		if n.count[r] == 1 {
			n.takeFrom(r)
		}
	}
}

// equations are the rows as far as their inner cells were taken in, each once, as places, ascending.
func (n *nearby) equations() (out [][]int) {
	of, order := map[int32][]int{}, []int32(nil)
	for at, i := range n.vars {
		for _, r := range n.over[i] {
			if n.hidden[r] {
				continue
			}
			if of[r] == nil {
				order = append(order, r)
			}
			of[r] = append(of[r], at)
		}
	}
	for _, r := range order {
		out = append(out, of[r])
	}
	slices.SortFunc(out, slices.Compare)
	return slices.CompactFunc(out, slices.Equal)
}

// widen returns published cells that are to be left out so that open cells get room: of the published cells that hold
// part of an open one the tightest, and in it the cheapest cell beside. With all, everything that holds part of it.
func (b *board) widen(open []Open, all bool) (more []int32) {
	if len(open) == 0 {
		return nil
	}
	for _, o := range open {
		inner := b.p.inner(o.Cell)
		if all {
			for _, i := range inner {
				for _, c := range b.over[i] {
					if !b.hidden[c] {
						more = append(more, c)
					}
				}
			}
			continue
		}
		if c, ok := b.beside(inner, o.Measure); ok {
			more = append(more, c)
		}
	}
	slices.Sort(more)
	return slices.Compact(more)
}

// beside returns the cheapest published cell in the tightest published cell that holds part of a cell; that one itself
// where it has nothing beside.
func (b *board) beside(inner []int32, measure int) (int32, bool) {
	type hold struct {
		cell int32
		room float64
	}
	var holds []hold
	own := map[int32]bool{}
	for _, i := range inner {
		own[i] = true
	}
	for _, i := range inner[:min(len(inner), 8)] {
		for _, c := range b.over[i] {
			if b.hidden[c] {
				continue
			}
			room := 0.0
			for _, j := range b.p.inner(int(c)) {
				if b.bare[j] == 0 && !own[j] {
					room += max(b.p.Measures[measure].Inner[j], 0)
				}
			}
			holds = append(holds, hold{c, room})
		}
	}
	if len(holds) == 0 {
		return 0, false
	}
	slices.SortStableFunc(holds, func(x, y hold) int {
		return cmp.Or(cmp.Compare(x.room, y.room), len(b.p.inner(int(x.cell)))-len(b.p.inner(int(y.cell))),
			cmp.Compare(x.cell, y.cell))
	})
	in := map[int32]bool{}
	for _, i := range b.p.inner(int(holds[0].cell)) {
		in[i] = true
	}
	best, cost := holds[0].cell, 0.0
	for _, i := range b.p.inner(int(best)) {
		for _, c := range b.over[i] {
			inside := !b.hidden[c] && !slices.ContainsFunc(b.p.inner(int(c)), func(j int32) bool { return !in[j] || own[j] })
			if inside && (best == holds[0].cell || b.p.Cost[c] < cost) {
				best, cost = c, b.p.Cost[c]
			}
		}
	}
	return best, true
}
