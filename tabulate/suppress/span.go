package suppress

import (
	"context"
	"math/bits"
	"slices"
)

// prime is that of the field that elimination is done in, 2^61 - 1: where numbers below it are combined at random, one
// that is not zero becomes zero with a probability of 2^-61.
const prime = 1<<61 - 1

func mul(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return add(hi<<3|lo>>61, lo&prime)
}

func add(a, b uint64) uint64 {
	s := a + b
	s = s&prime + s>>61
	if s == prime {
		return 0
	}
	return s
}

func neg(a uint64) uint64 { return add(prime-a, 0) }

// inverse is a^(prime-2).
func inverse(a uint64) uint64 {
	out := uint64(1)
	for e := uint64(prime - 2); e > 0; e >>= 1 {
		if e&1 == 1 {
			out = mul(out, a)
		}
		a = mul(a, a)
	}
	return out
}

// entry is one number of a sparse vector.
type entry struct {
	at int32
	by uint64
}

// vector is sparse, its entries in descending order of place.
type vector []entry

// scaled is a multiple of a vector whose first number is 1.
func (v vector) scaled() vector {
	if len(v) == 0 || v[0].by == 1 {
		return v
	}
	out, f := slices.Clone(v), inverse(v[0].by)
	for k := range out {
		out[k].by = mul(out[k].by, f)
	}
	return out
}

// find returns the number at a place.
func (v vector) find(at int32) uint64 {
	k, ok := slices.BinarySearchFunc(v, at, func(e entry, at int32) int { return int(at) - int(e.at) })
	if !ok {
		return 0
	}
	return v[k].by
}

func (v vector) hash() uint64 {
	h := uint64(14695981039346656037)
	for _, e := range v {
		h = (h ^ uint64(e.at)) * 1099511628211
		h = (h ^ e.by) * 1099511628211
		h ^= h >> 29
	}
	return h
}

// work is a dense vector that knows where it is not zero.
type work struct {
	by            []uint64
	words, groups []uint64 // a bit for each place, and for each word
}

func newWork(n int) *work {
	w := (n + 63) / 64
	return &work{make([]uint64, n), make([]uint64, w), make([]uint64, (w+63)/64)}
}

// plus adds a multiple of a vector.
func (w *work) plus(v vector, times uint64) {
	for _, e := range v {
		if w.by[e.at] == 0 {
			w.words[e.at>>6] |= 1 << (e.at & 63)
			w.groups[e.at>>12] |= 1 << (e.at >> 6 & 63)
		}
		w.by[e.at] = add(w.by[e.at], mul(e.by, times))
	}
}

// before returns the last marked place below one, or -1.
func (w *work) before(at int32) int32 {
	if at <= 0 {
		return -1
	}
	at--
	if word := w.words[at>>6] << (63 - at&63); word != 0 {
		return at - int32(bits.LeadingZeros64(word))
	}
	for g, first := at>>12, true; g >= 0; g, first = g-1, false {
		group := w.groups[g]
		if first {
			group &= 1<<(at>>6&63) - 1
		}
		if group != 0 {
			k := g<<6 + 63 - int32(bits.LeadingZeros64(group))
			return k<<6 + 63 - int32(bits.LeadingZeros64(w.words[k]))
		}
	}
	return -1
}

// elimination is the space of what is published, in echelon form: each row begins, at its pivot, with 1, and all its
// other places are lower and, when it was made, no pivots.
type elimination struct {
	place  []int32  // of inner cells
	rows   []vector // by pivot
	w      *work
	kept   []kept
	users  [][]int32 // by place: what is kept and has, or had, a number there
	hashes map[uint64][]int32
	stamp  []int32 // by what is kept: the last publication that would change it
	now    int32
}

// kept is what must stay outside the space: an unsafe cell, or the inner cell of somebody who is alone in it, which
// must not become a multiple of an unsafe one.
type kept struct {
	rest   vector // what elimination left of it
	hash   uint64
	unsafe bool
	alone  bool
}

// reduce returns what a cell is beside what is published. The work space is clean before and after.
func (e *elimination) reduce(v vector) (out vector) {
	e.w.plus(v, 1)
	for at := e.w.before(int32(len(e.w.by))); at >= 0; at = e.w.before(at) {
		by := e.w.by[at]
		if by != 0 {
			if row := e.rows[at]; row != nil {
				e.w.plus(row, neg(by))
			} else {
				out = append(out, entry{at, by})
				e.w.by[at] = 0
			}
		}
		e.w.words[at>>6] &^= 1 << (at & 63)
		if e.w.words[at>>6] == 0 {
			e.w.groups[at>>12] &^= 1 << (at >> 6 & 63)
		}
	}
	return out
}

// vector of a cell.
func (e *elimination) vector(inner []int32) vector {
	v := make(vector, len(inner))
	for k, i := range inner {
		v[k] = entry{e.place[i], 1}
	}
	slices.SortFunc(v, func(a, b entry) int { return int(b.at - a.at) })
	return v
}

// newElimination places inner cells so that pivots are safe ones where that can be: those in no small unsafe cell come
// last.
func (p *Problem) newElimination(hidden []bool) *elimination {
	n := len(p.Holder)
	e := &elimination{place: make([]int32, n), rows: make([]vector, n), w: newWork(n), users: make([][]int32, n),
		hashes: map[uint64][]int32{}}
	fragile := make([]bool, n)
	for c := range p.cells() {
		if inner := p.inner(c); hidden[c] && len(inner) == 1 {
			fragile[inner[0]] = true
		}
	}
	next := int32(0)
	for _, want := range []bool{true, false} {
		for i := range n {
			if fragile[i] == want {
				e.place[i] = next
				next++
			}
		}
	}
	for c := range p.cells() {
		if hidden[c] {
			e.keep(e.vector(p.inner(c)), true, false)
		}
	}
	for i, h := range p.Holder {
		if h >= 0 {
			e.keep(vector{{e.place[i], 1}}, false, true)
		}
	}
	return e
}

// keep adds what must stay outside. What is one and the same is kept once.
func (e *elimination) keep(v vector, unsafe, alone bool) {
	hash := v.hash()
	for _, k := range e.hashes[hash] {
		if slices.Equal(e.kept[k].rest, v) {
			e.kept[k].unsafe = e.kept[k].unsafe || unsafe
			e.kept[k].alone = e.kept[k].alone || alone
			return
		}
	}
	k := int32(len(e.kept))
	e.kept, e.stamp = append(e.kept, kept{v, hash, unsafe, alone}), append(e.stamp, 0)
	e.hashes[hash] = append(e.hashes[hash], k)
	for _, x := range v {
		e.users[x.at] = append(e.users[x.at], k)
	}
}

// change is what becomes of one of those that are kept.
type change struct {
	k    int32
	rest vector
	hash uint64
}

// publish adds a reduced vector to the space, unless that would give something away.
func (e *elimination) publish(v vector) bool {
	row := v.scaled()
	pivot := row[0].at
	var changes []change
	e.now++
	for _, k := range e.users[pivot] {
		was := e.kept[k].rest
		by := was.find(pivot)
		if by == 0 || e.stamp[k] == e.now {
			continue
		}
		e.stamp[k] = e.now
		rest := combined(was, row, neg(by)).scaled()
		if len(rest) == 0 {
			if e.kept[k].unsafe {
				return false
			}
			changes = append(changes, change{k, nil, 0})
			continue
		}
		changes = append(changes, change{k, rest, rest.hash()})
	}
	if e.meets(changes) {
		return false
	}
	for _, c := range changes {
		e.move(c)
	}
	e.users[pivot] = nil
	e.rows[pivot] = row
	return true
}

// meets reports whether, after the changes, an unsafe cell is a multiple of the inner cell of somebody alone who is not
// all of it.
func (e *elimination) meets(changes []change) bool {
	now := map[uint64][]int32{}
	for _, c := range changes {
		if c.rest != nil {
			now[c.hash] = append(now[c.hash], c.k)
		}
	}
	for hash, ks := range now {
		for _, k := range e.hashes[hash] {
			if e.stamp[k] != e.now {
				ks = append(ks, k)
			}
		}
		unsafe, alone := 0, 0
		for _, k := range ks {
			if e.kept[k].unsafe {
				unsafe++
			}
			if e.kept[k].alone {
				alone++
			}
		}
		// one that is both is somebody's own cell: it needs another beside it
		if unsafe > 0 && alone > 0 && len(ks) > 1 {
			return true
		}
	}
	return false
}

// move does a change.
func (e *elimination) move(c change) {
	k := &e.kept[c.k]
	e.hashes[k.hash] = slices.DeleteFunc(e.hashes[k.hash], func(x int32) bool { return x == c.k })
	old := k.rest
	k.rest, k.hash = c.rest, c.hash
	if c.rest == nil {
		return
	}
	e.hashes[c.hash] = append(e.hashes[c.hash], c.k)
	for _, x := range c.rest {
		if old.find(x.at) == 0 {
			e.users[x.at] = append(e.users[x.at], c.k)
		}
	}
}

// combined is a + times b; both are in descending order.
func combined(a, b vector, times uint64) vector {
	out := make(vector, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].at > b[0].at:
			out, a = append(out, a[0]), a[1:]
		case len(a) == 0 || b[0].at > a[0].at:
			out, b = append(out, entry{b[0].at, mul(b[0].by, times)}), b[1:]
		default:
			if by := add(a[0].by, mul(b[0].by, times)); by != 0 {
				out = append(out, entry{a[0].at, by})
			}
			a, b = a[1:], b[1:]
		}
	}
	return out
}

// eliminate publishes cells in an order, and returns which are left out.
func (p *Problem) eliminate(ctx context.Context, order []int32) ([]bool, error) {
	e, hidden := p.newElimination(p.Unsafe), slices.Clone(p.Unsafe)
	for n, c := range order {
		if n%1_024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		rest := e.reduce(e.vector(p.inner(int(c))))
		hidden[c] = len(rest) > 0 && !e.publish(rest)
	}
	return hidden, nil
}
