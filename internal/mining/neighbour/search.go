package neighbour

import "slices"

// Search asks an index one question at a time. It keeps its memory from question to question; every goroutine has its
// own.
type Search struct {
	x     *Index
	stack []waiting
	found []Hit // a heap, the last hit at its root
	k     int
	worst Hit // what a record must come before to be among the k
	slope slope
}

// waiting is a node to visit, and the bound of its distance.
type waiting struct {
	node  int32
	bound float64
}

// Search returns a search of the index.
func (x *Index) Search() *Search { return &Search{x: x} }

// Nearest returns the k records nearest to the query, the nearest first, without the record except (-1: none); fewer
// where the index has not as many. They are valid until the next question. Cost: O(log n + k log k) in few dimensions,
// some 3 µs at a million records of six correlated attributes.
func (s *Search) Nearest(query []float64, k, except int) []Hit {
	x := s.x
	s.k, s.found, s.worst = k, s.found[:0], nowhere
	if k <= 0 || x.Len() == 0 {
		return nil
	}
	query = query[:x.dims]
	s.stack = append(s.stack[:0], waiting{0, x.near(0, query)})
	for len(s.stack) > 0 {
		w := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		n, bound := w.node, w.bound
		for {
			nd := &x.nodes[n]
			if !s.promising(nd, bound) {
				break
			}
			if nd.right <= 0 {
				s.compare(nd, query, except)
				break
			}
			n, bound = s.nearer(n+1, n+nd.right, query, s.worst.Squared)
		}
	}
	slices.SortFunc(s.found, Hit.compare)
	return s.found
}

// nearer returns the nearer of two nodes and its bound, and lets the other wait unless it is beyond a distance.
func (s *Search) nearer(a, b int32, query []float64, limit float64) (n int32, bound float64) {
	da, db := s.x.near(a, query), s.x.near(b, query)
	if db < da {
		a, b, da, db = b, a, db, da
	}
	if db <= limit {
		s.stack = append(s.stack, waiting{b, db})
	}
	return a, da
}

// promising reports whether a record of the node may be among the k.
func (s *Search) promising(nd *node, bound float64) bool {
	return bound < s.worst.Squared || bound == s.worst.Squared && int(nd.lowest) < s.worst.Record
}

// compare looks at the records of a leaf.
func (s *Search) compare(nd *node, query []float64, except int) {
	x, p := s.x, len(query)
	size := int(nd.size)
	if nd.right == identical {
		size = min(size, s.k+1) // one may be the exception
	}
	rows := x.points[int(nd.start)*p : (int(nd.start)+size)*p]
	for at := nd.start; len(rows) > 0; at++ {
		d := Squared(rows[:p], query)
		rows = rows[p:]
		if d > s.worst.Squared {
			continue
		}
		if h := (Hit{int(x.record[at]), d}); h.Record != except && h.before(s.worst) {
			s.keep(h)
		}
	}
}

// keep puts a hit among the k.
func (s *Search) keep(h Hit) {
	f := s.found
	if len(f) < s.k {
		f = append(f, h)
		s.found = f
		at := len(f) - 1
		for at > 0 && f[(at-1)/2].before(h) {
			f[at] = f[(at-1)/2]
			at = (at - 1) / 2
		}
		f[at] = h
	} else {
		at := 0
		for {
			kid := 2*at + 1
			if kid+1 < len(f) && f[kid].before(f[kid+1]) {
				kid++
			}
			if kid >= len(f) || f[kid].before(h) {
				break
			}
			f[at] = f[kid]
			at = kid
		}
		f[at] = h
	}
	if len(f) == s.k {
		s.worst = f[0]
	}
}
