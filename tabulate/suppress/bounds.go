package suppress

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
)

// audit is an intruder: all that is published, and what is not known of the inner cells.
type audit struct {
	several []bool // by unit: is alone in several inner cells
	zero    []bool // by measure: some inner cell has the least, and none has less
	p       *Problem
	shown   []bool
	known   []bool    // by inner cell: follows from published cells one by one
	rows    [][]int32 // unknown inner cells of published cells, each set once
	of      [][]int32 // by inner cell, its rows, short ones first
}

// audit reads what is published. Cost: that of the cells.
func (p *Problem) audit(suppressed []bool) *audit {
	n := len(p.Holder)
	a := &audit{p: p, shown: make([]bool, p.cells()), known: make([]bool, n), of: make([][]int32, n)}
	unknown, cells := make([]int32, p.cells()), make([][]int32, n)
	var ready []int32
	for c := range p.cells() {
		if a.shown[c] = !suppressed[c]; !a.shown[c] {
			continue
		}
		for _, i := range p.inner(c) {
			cells[i] = append(cells[i], int32(c))
		}
		if unknown[c] = int32(len(p.inner(c))); unknown[c] == 1 {
			ready = append(ready, int32(c))
		}
	}
	for len(ready) > 0 {
		c := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, i := range p.inner(int(c)) {
			if a.known[i] {
				continue
			}
			a.known[i] = true
			for _, x := range cells[i] {
				if unknown[x]--; unknown[x] == 1 {
					ready = append(ready, x)
				}
			}
		}
	}
	a.sets()
	seen := make([]bool, 1+slices.Max(append([]int32{-1}, p.Holder...)))
	a.several = make([]bool, len(seen))
	for _, h := range p.Holder {
		if h >= 0 {
			a.several[h], seen[h] = seen[h] || a.several[h], true
		}
	}
	for k := range p.Measures {
		a.zero = append(a.zero, !p.Measures[k].Negative && slices.Contains(p.Measures[k].Inner, p.Measures[k].Least))
	}
	return a
}

// sets makes the rows.
func (a *audit) sets() {
	seen := map[uint64][]int32{}
	for c := range a.shown {
		if !a.shown[c] {
			continue
		}
		var row []int32
		h := uint64(14695981039346656037)
		for _, i := range a.p.inner(c) {
			if !a.known[i] {
				row = append(row, i)
				h = (h ^ uint64(i)) * 1099511628211
			}
		}
		if len(row) == 0 || slices.ContainsFunc(seen[h], func(r int32) bool { return slices.Equal(a.rows[r], row) }) {
			continue
		}
		seen[h] = append(seen[h], int32(len(a.rows)))
		a.rows = append(a.rows, row)
	}
	order := make([]int32, len(a.rows))
	for r := range order {
		order[r] = int32(r)
	}
	slices.SortStableFunc(order, func(x, y int32) int { return len(a.rows[x]) - len(a.rows[y]) })
	// rows that follow from shorter ones tell nothing
	e := &elimination{rows: make([]vector, len(a.known)), w: newWork(len(a.known))}
	for _, r := range order {
		v := make(vector, 0, len(a.rows[r]))
		for _, i := range slices.Backward(a.rows[r]) {
			v = append(v, entry{i, 1})
		}
		if v = e.reduce(v).scaled(); len(v) == 0 {
			continue
		}
		e.rows[v[0].at] = v
		for _, i := range a.rows[r] {
			a.of[i] = append(a.of[i], r)
		}
	}
}

// all tries claims and returns what has no proof, with the number of proofs.
func (a *audit) all(ctx context.Context, claims []claim, o Options) (open []Open, proofs int, err error) {
	var first []int // the first claim of every cell
	for k := range claims {
		if k == 0 || claims[k].cell != claims[k-1].cell {
			first = append(first, k)
		}
	}
	found, counts := make([][]Open, len(first)), make([]int, len(first))
	err = parallel.Few(ctx, parallel.Workers(o.Cores, len(first)), len(first), func(k int) error {
		near := &nearby{audit: a, cell: claims[first[k]].cell, at: map[int32]int{}, count: map[int32]int{}}
		for _, c := range claims[first[k]:] {
			if c.cell != near.cell {
				break
			}
			failed, n := near.hold(c, o.Alone)
			found[k], counts[k] = append(found[k], failed...), counts[k]+n
		}
		return nil
	})
	for _, n := range counts {
		proofs += n
	}
	return slices.Concat(found...), proofs, err
}

// hold tries a claim for somebody outside, and for each unit alone in an inner cell that the proof moves. A proof that
// moves nobody's own inner cell beside the cell comes first: it holds for most at once.
func (n *nearby) hold(c claim, alone bool) (open []Open, proofs int) {
	moved, ok := []int32(nil), false
	if alone {
		moved, ok = n.prove(c, func(at int) bool { return at >= n.goal && n.p.Holder[n.vars[at]] >= 0 })
	}
	if !ok {
		moved, ok = n.prove(c, func(int) bool { return false })
	}
	if !ok {
		return []Open{{c.cell, c.measure, -1, c.upper}}, 0
	}
	proofs = 1
	m := &n.p.Measures[c.measure]
	var tried []int32
	for _, i := range moved {
		h := n.p.Holder[i]
		if h < 0 || slices.Contains(tried, h) {
			continue
		}
		tried = append(tried, h)
		if !alone && !n.several[h] && !n.zero[c.measure] {
			continue // elimination keeps them from computing it, and what is above its least can move either way
		}
		own, others := 0.0, false
		for _, i := range n.p.inner(c.cell) {
			if n.p.Holder[i] == h {
				own += m.Inner[i] - m.Least
			} else {
				others = true
			}
		}
		left := c
		if !c.upper {
			left.need -= own
		}
		if !others || left.need <= 0 {
			continue // their own cell, or what they have in it is all that is asked
		}
		theirs := func(at int) bool { return n.p.Holder[n.vars[at]] == h }
		if !alone {
			left.need = float64(little * left.need)
		}
		_, ok := n.prove(left, theirs)
		if !ok && !alone {
			left.upper = !left.upper
			_, ok = n.prove(left, theirs)
		}
		if ok {
			proofs++
		} else {
			open = append(open, Open{c.cell, c.measure, h, c.upper})
		}
	}
	return open, proofs
}

// little is by what part of what is needed a cell must be able to move, either way, so that it is not computed.
const little = 1e-3

// sizes are how many inner cells are taken in, more where fewer prove nothing. What lies beyond stays as it is, so a
// table that is found is a proof all the same.
var sizes = []int{30, 90, 250}

// nearby is unknown inner cells around a cell, so chosen that they can move together: a published cell that has one
// of them alone does not let it move.
type nearby struct {
	*audit
	cell     int
	vars     []int32 // those of the cell first
	goal     int     // how many of them are the cell's
	at       map[int32]int
	count    map[int32]int // by row: how many of them it has
	open     []int32       // rows that had one alone when they were met
	programs []*program    // by size
	whole    bool          // there are no more
}

// prove looks for other inner cells with the same published cells by which a claim holds, where what is known stays. It
// returns the inner cells that differ.
func (n *nearby) prove(c claim, known func(at int) bool) (moved []int32, ok bool) {
	for k := range sizes {
		if len(n.programs) <= k {
			if n.whole {
				break
			}
			n.grow(sizes[k])
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
		for _, r := range n.of[n.vars[at]] {
			for len(n.vars) < size && n.takeFrom(r) {
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
func (n *nearby) may(i int32) bool {
	_, there := n.at[i]
	return !there && !n.known[i]
}

func (n *nearby) take(i int32) {
	if !n.may(i) {
		return
	}
	n.at[i] = len(n.vars)
	n.vars = append(n.vars, i)
	for _, r := range n.of[i] {
		if n.count[r]++; n.count[r] == 1 {
			n.open = append(n.open, r)
		}
	}
}

// takeFrom takes in the inner cell of a row that fits best: it stands in many rows that have one alone, and brings in
// few new ones. False where the row has none.
func (n *nearby) takeFrom(r int32) bool {
	best, fits := int32(-1), 0
	for _, i := range n.rows[r] {
		if !n.may(i) {
			continue
		}
		fit := 0
		for _, x := range n.of[i] {
			switch n.count[x] {
			case 0:
				fit--
			case 1:
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
			if len(n.rows[r]) < len(n.rows[n.open[k]]) {
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
		for _, r := range n.of[i] {
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
func (a *audit) widen(open []Open, all bool) (more []int32) {
	if len(open) == 0 {
		return nil
	}
	cells := make([][]int32, len(a.p.Holder)) // published cells of inner cells
	for c := range a.shown {
		if a.shown[c] {
			for _, i := range a.p.inner(c) {
				cells[i] = append(cells[i], int32(c))
			}
		}
	}
	for _, o := range open {
		inner := a.p.inner(o.Cell)
		if all {
			for _, i := range inner {
				more = append(more, cells[i]...)
			}
			continue
		}
		if c, ok := a.beside(inner, cells, o.Measure); ok {
			more = append(more, c)
		}
	}
	slices.Sort(more)
	return slices.Compact(more)
}

// beside returns the cheapest published cell in the tightest published cell that holds part of a cell; that one itself
// where it has nothing beside.
func (a *audit) beside(inner []int32, cells [][]int32, measure int) (int32, bool) {
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
		for _, c := range cells[i] {
			room := 0.0
			for _, j := range a.p.inner(int(c)) {
				if !a.known[j] && !own[j] {
					room += max(a.p.Measures[measure].Inner[j], 0)
				}
			}
			holds = append(holds, hold{c, room})
		}
	}
	if len(holds) == 0 {
		return 0, false
	}
	slices.SortStableFunc(holds, func(x, y hold) int {
		return cmp.Or(cmp.Compare(x.room, y.room), len(a.p.inner(int(x.cell)))-len(a.p.inner(int(y.cell))),
			cmp.Compare(x.cell, y.cell))
	})
	in := map[int32]bool{}
	for _, i := range a.p.inner(int(holds[0].cell)) {
		in[i] = true
	}
	best, cost := holds[0].cell, 0.0
	for _, i := range a.p.inner(int(best)) {
		for _, c := range cells[i] {
			inside := !slices.ContainsFunc(a.p.inner(int(c)), func(j int32) bool { return !in[j] || own[j] })
			if inside && (best == holds[0].cell || a.p.Cost[c] < cost) {
				best, cost = c, a.p.Cost[c]
			}
		}
	}
	return best, true
}
