package suppress

import (
	"cmp"
	"context"
	"slices"
)

// board is what is published, as an intruder reads it.
type board struct {
	p      *Problem
	hidden []bool    // by cell
	over   [][]int32 // by inner cell, the cells that hold it, small ones first
	bare   []int32   // by inner cell, how many published cells are this one alone
}

// newBoard reads what is published. Cost: that of the cells.
func newBoard(p *Problem, hidden []bool) *board {
	b := &board{p, make([]bool, p.cells()), make([][]int32, len(p.Holder)), make([]int32, len(p.Holder))}
	for c := range p.cells() {
		if b.hidden[c] = true; !hidden[c] {
			b.show(int32(c))
		}
		for _, i := range p.inner(c) {
			b.over[i] = append(b.over[i], int32(c))
		}
	}
	for _, cells := range b.over {
		slices.SortStableFunc(cells, func(x, y int32) int { return len(p.inner(int(x))) - len(p.inner(int(y))) })
	}
	return b
}

// show publishes a cell.
func (b *board) show(c int32) {
	if inner := b.p.inner(int(c)); b.hidden[c] && len(inner) == 1 {
		b.bare[inner[0]]++
	}
	b.hidden[c] = false
}

// hide leaves a cell out.
func (b *board) hide(c int32) {
	if inner := b.p.inner(int(c)); !b.hidden[c] && len(inner) == 1 {
		b.bare[inner[0]]--
	}
	b.hidden[c] = true
}

// proof is what shows that a claim holds, for everybody: swaps, or what linear programs found.
type proof struct {
	cells []int32 // that it changes or may change, all of them left out; ascending
	count int     // of intervals: one for somebody outside, and one for each unit alone in what others move
}

func (p *proof) settle() {
	slices.Sort(p.cells)
	p.cells = slices.Compact(p.cells)
}

// holders are the units that are alone in one of some inner cells.
func (p *Problem) holders(inner []int32) (out []int32) {
	for _, i := range inner {
		if h := p.Holder[i]; h >= 0 && !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// without is what must hold for a unit that knows what it has; nothing where it has all of the cell, or all that is
// asked. Where units need only not compute, a little is enough, either way.
func (p *Problem) without(c claim, holder int32, alone bool) (left claim, needed bool) {
	own, others, m := 0.0, false, &p.Measures[c.measure]
	for _, i := range p.inner(c.cell) {
		if p.Holder[i] == holder {
			own += m.Inner[i] - m.Least
		} else {
			others = true
		}
	}
	switch left = c; {
	case !alone:
		left.need = float64(little * c.need)
	case !c.upper:
		left.need -= own
	}
	return left, others && left.need > 0
}

// little is by what part of what is needed a cell must be able to move, either way, so that it is not computed.
const little = 1e-3

// prove looks for swaps by which a claim holds for somebody outside, and for each unit alone in an inner cell that they
// move; nothing where there are none. Unless they are to be free, what they change is left out.
func (s *swaps) prove(c claim, free, alone bool) *proof {
	out := &proof{}
	moved, ok := s.reach(c, free, -1, out)
	if !ok {
		return nil
	}
	for _, h := range s.p.holders(moved) {
		left, needed := s.p.without(c, h, alone)
		if !needed {
			continue
		}
		_, ok := s.reach(left, free, h, out)
		if !ok && !alone {
			left.upper = !left.upper
			_, ok = s.reach(left, free, h, out)
		}
		if !ok {
			return nil
		}
	}
	out.settle()
	return out
}

// together is how many swaps a proof is made of, at most.
const together = 6

// reach finds swaps by which a claim holds while what a unit has stays, adds them to a proof, and returns the inner
// cells that move.
func (s *swaps) reach(c claim, free bool, not int32, out *proof) (moved []int32, ok bool) {
	w := &wish{c.cell, &s.p.Measures[c.measure], c.upper, c.need, free, not, map[int32]float64{}}
	for range together {
		by, ok := s.find(w)
		if !ok {
			return nil, false
		}
		for _, c := range by.hides {
			s.hide(c)
		}
		out.cells = append(out.cells, s.changed(by.at, by.sign)...)
		for k, i := range by.at {
			w.used[i] += float64(by.step * float64(by.sign[k]))
			moved = append(moved, i)
		}
		if w.need -= by.step; w.need <= 0 {
			out.count++
			return moved, true
		}
	}
	return nil, false
}

// thorough bounds the cells times the inner cells of a linear program that are tried before a cell stays left out.
const thorough = 200_000

// publish shows cells, the dearest first, where each proof that they were needed for can be replaced by one without
// them.
func (s *swaps) publish(ctx context.Context, claims []claim, proofs []*proof, alone bool) error {
	var order []int32
	for c, hidden := range s.hidden {
		if hidden && !s.p.Unsafe[c] {
			order = append(order, int32(c))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(s.p.Cost[b], s.p.Cost[a]) })
	users := make([][]int32, s.p.cells()) // the claims of which a proof changes, or changed, a cell
	use := func(k int32) {
		for _, c := range proofs[k].cells {
			users[c] = append(users[c], k)
		}
	}
	for k, q := range proofs {
		if q != nil {
			use(int32(k))
		}
	}
	tries := 1
	for tries < len(sizes) && sizes[tries]*s.p.cells() <= thorough {
		tries++
	}
	near := s.near(sizes[:tries]...)
	for n, c := range order {
		if n%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.show(c)
		fresh, ok := s.replaced(c, claims, proofs, users[c], near, alone)
		if !ok {
			s.hide(c)
			continue
		}
		for k, q := range fresh {
			if q != nil {
				proofs[users[c][k]] = q
				use(users[c][k])
			}
		}
	}
	return nil
}

// replaced finds other proofs of those claims that a cell was needed for; false where one has none.
func (s *swaps) replaced(
	c int32, claims []claim, proofs []*proof, of []int32, near *nearby, alone bool,
) ([]*proof, bool) {
	fresh := make([]*proof, len(of))
	done := map[int32]bool{}
	for n, k := range of {
		if _, uses := slices.BinarySearch(proofs[k].cells, c); !uses || done[k] {
			continue
		}
		done[k] = true
		if fresh[n] = s.prove(claims[k], true, alone); fresh[n] != nil {
			continue
		}
		q, open := near.around(claims[k].cell).hold(claims[k], alone)
		if len(open) > 0 {
			return nil, false
		}
		fresh[n] = q
	}
	return fresh, true
}
