package neighbour

import (
	"math"
	"slices"
)

// MixedSearch asks a mixed index one question at a time. It keeps its memory from question to question; every goroutine
// has its own.
//
// A question is what is known of a record: the lower ends of the intervals, then the upper ones. Both are the value
// where it is known, NaN where nothing is, and Missing where it is known to be missing.
type MixedSearch struct {
	Compared int // how many records were looked at one by one since the search was made

	m       *Mixed
	lo, hi  []float64
	unknown float64 // what the attributes of which nothing is known add to every distance
	asked   asked   // the question as its codes and numbers are compared
	record  []float64
	stack   []waiting
	nearest Search // holds the nearest found
	close   []Hit  // and those that may be as near
}

// Search returns a search of the index.
func (m *Mixed) Search() *MixedSearch {
	p := len(m.nominal)
	room := make([]float64, 3*p)
	return &MixedSearch{m: m, lo: room[:p], hi: room[p : 2*p], record: room[2*p:]}
}

// Distance returns the squared distance of a record from what is known, as searches compute it.
func (s *MixedSearch) Distance(known, record []float64) float64 {
	s.ask(known)
	for d, v := range record[:len(s.record)] {
		if v != v {
			v = gone
		}
		s.record[d] = v
	}
	return s.distance(s.record, math.Inf(1))
}

// ask sets the question.
func (s *MixedSearch) ask(known []float64) {
	p := len(s.lo)
	copy(s.lo, known[:p])
	copy(s.hi, known[p:2*p])
	s.unknown = 0
	for d, v := range s.lo {
		if v != v {
			s.lo[d], s.hi[d] = -anything, anything
			s.unknown++
		}
	}
	s.asked.set(s.m, s.lo, s.hi)
}

// Nearest returns the k records nearest to what is known, the nearest first and of several at one distance that of the
// lowest index first, without the record except (-1: none). They are valid until the next question. Cost: O(log n + k
// log k) in few dimensions.
func (s *MixedSearch) Nearest(known []float64, k, except int) []Hit {
	h := &s.nearest
	h.k, h.found, h.worst = k, h.found[:0], nowhere
	if k <= 0 || s.m.Len() == 0 {
		return nil
	}
	s.ask(known)
	s.start()
	for n, bound, ok := s.next(); ok; n, bound, ok = s.next() {
		for nd := &s.m.x.nodes[n]; h.promising(nd, bound); nd = &s.m.x.nodes[n] {
			if nd.right <= 0 {
				s.compare(nd, except)
				break
			}
			n, bound = s.nearer(n+1, n+nd.right, h.worst.Squared)
		}
	}
	slices.SortFunc(h.found, Hit.compare)
	return h.found
}

// start makes the root the only node to visit.
func (s *MixedSearch) start() { s.stack = append(s.stack[:0], waiting{0, s.near(0, math.Inf(1))}) }

// next takes a node that waits.
func (s *MixedSearch) next() (n int32, bound float64, ok bool) {
	last := len(s.stack) - 1
	if last < 0 {
		return 0, 0, false
	}
	w := s.stack[last]
	s.stack = s.stack[:last]
	return w.node, w.bound, true
}

// nearer returns the nearer of two nodes and its bound, and lets the other wait unless it is beyond a distance.
func (s *MixedSearch) nearer(a, b int32, limit float64) (n int32, bound float64) {
	da, db := s.near(a, limit), s.near(b, limit)
	if db < da {
		a, b, da, db = b, a, db, da
	}
	if db <= limit {
		s.stack = append(s.stack, waiting{b, db})
	}
	return a, da
}

// compare looks at the records of a leaf.
func (s *MixedSearch) compare(nd *node, except int) {
	x, h := s.m.x, &s.nearest
	p, size := x.dims, int(nd.size)
	if nd.right == identical {
		size = min(size, h.k+1) // one may be the exception
	}
	s.Compared += size
	rows := x.points[int(nd.start)*p : (int(nd.start)+size)*p]
	for at := nd.start; len(rows) > 0; at++ {
		row := rows[:p]
		rows = rows[p:]
		if s.beyond(int(at), row, h.worst.Squared) {
			continue
		}
		d := s.distance(row, h.worst.Squared)
		if d > h.worst.Squared {
			continue
		}
		if hit := (Hit{int(x.record[at]), d}); hit.Record != except && hit.before(h.worst) {
			h.keep(hit)
		}
	}
}

// Rank returns how many records are nearer to what is known than a squared distance, and how many are at it. It may
// stop at the limit of nearer ones, so it costs little to learn whether a record is among the nearest; then the number
// of ties means nothing.
func (s *MixedSearch) Rank(known []float64, squared float64, limit int) (nearer, ties int) {
	s.runs(known, func() float64 { return squared }, func(_, size int, d float64) bool {
		if d < squared {
			nearer += size
		} else {
			ties += size
		}
		return nearer < limit
	})
	return min(nearer, limit), ties
}

// Ties appends to dst the k records nearest to what is known and all that are as near as the last of them, in no
// particular order.
func (s *MixedSearch) Ties(dst []int, known []float64, k int) []int {
	h := &s.nearest
	h.k, h.found, h.worst = k, h.found[:0], nowhere
	s.close = s.close[:0]
	s.runs(known, func() float64 { return h.worst.Squared }, func(at, size int, d float64) bool {
		for n := range size {
			s.close = append(s.close, Hit{int(s.m.x.record[at+n]), d})
			if n < k && d < h.worst.Squared {
				h.keep(Hit{0, d})
			}
		}
		s.Compared += size - 1
		return true
	})
	for _, c := range s.close {
		if c.Squared <= h.worst.Squared {
			dst = append(dst, c.Record)
		}
	}
	return dst
}

// runs calls visit for the records at a squared distance of at most the limit, which may fall: for runs of positions at
// one distance, until it returns false.
func (s *MixedSearch) runs(known []float64, limit func() float64, visit func(at, size int, d float64) bool) {
	if s.m.Len() == 0 {
		return
	}
	s.ask(known)
	s.start()
	x, p := s.m.x, s.m.x.dims
	for n, bound, ok := s.next(); ok; n, bound, ok = s.next() {
		for bound <= limit() && x.nodes[n].right > 0 {
			n, bound = s.nearer(n+1, n+x.nodes[n].right, limit())
		}
		nd := &x.nodes[n]
		run := 1
		switch {
		case bound > limit() || nd.size == 0:
			continue
		case nd.right == identical:
			run = int(nd.size)
		}
		s.Compared += int(nd.size) / run
		for at := int(nd.start); at < int(nd.start+nd.size); at += run {
			row := x.points[at*p : at*p+p]
			if s.beyond(at, row, limit()) {
				continue
			}
			if d := s.distance(row, limit()); d <= limit() && !visit(at, run, d) {
				return
			}
		}
	}
}

// leaf returns the position where the leaf starts that is nearest to what is known, or next to the nearest.
func (s *MixedSearch) leaf(known []float64) int32 {
	x := s.m.x
	if len(x.nodes) == 0 {
		return 0
	}
	s.ask(known)
	n := int32(0)
	for x.nodes[n].right > 0 {
		a, b := n+1, n+x.nodes[n].right
		n = a
		if da := s.near(a, math.Inf(1)); s.near(b, da) < da {
			n = b
		}
	}
	return x.nodes[n].start
}
