package neighbour

import "math"

// Farthest returns the record farthest from the query, of several the one of the lowest index. The record is -1 when
// the index has none. Cost: all nodes at worst. Where the index knows radii (About), asking a million records of six
// correlated attributes for the farthest from an outer one takes some 15 µs, and without them more than three times
// that.
func (s *Search) Farthest(query []float64) Hit {
	x := s.x
	best := Hit{Record: -1, Squared: -1}
	if x.Len() == 0 {
		return best
	}
	query = query[:x.dims]
	s.slope.set(x, query)
	s.stack = append(s.stack[:0], waiting{0, math.Inf(1)})
	for len(s.stack) > 0 {
		w := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		nd := &x.nodes[w.node]
		if nd.size == 0 || w.bound < best.Squared || w.bound == best.Squared && int(nd.lowest) > best.Record {
			continue
		}
		if nd.right > 0 {
			a, b := waiting{w.node + 1, s.reach(w.node+1, query)}, waiting{w.node + nd.right, s.reach(w.node+nd.right, query)}
			if a.bound > b.bound {
				a, b = b, a
			}
			s.stack = append(s.stack, a, b)
			continue
		}
		for at := nd.start; at < nd.start+nd.size; at++ {
			d, r := Squared(x.points[int(at)*x.dims:][:x.dims], query), int(x.record[at])
			if d > best.Squared || d == best.Squared && r < best.Record {
				best = Hit{r, d}
			}
			if nd.right == identical {
				break
			}
		}
	}
	return best
}

// reach returns a squared distance from the query that no record of node n exceeds.
func (s *Search) reach(n int32, query []float64) float64 {
	x := s.x
	if x.about == nil {
		return x.far(n, query)
	}
	return x.radii[n] + s.slope.most(x.boxes[2*x.dims*int(n):][:2*x.dims])
}

// About tells the index a point. With radii about it Farthest looks at fewer records, the fewer the nearer it is to the
// middle of them all. Cost: O(n dims), and O(dims) more for every record that is removed.
func (x *Index) About(point []float64) {
	x.about, x.radii = point[:x.dims], make([]float64, len(x.nodes))
	for n := len(x.nodes) - 1; n >= 0; n-- {
		x.measure(int32(n))
	}
}

// measure sets the radius of node n: the largest squared distance of its records from the point that all radii are
// about.
func (x *Index) measure(n int32) {
	nd := &x.nodes[n]
	if nd.right > 0 {
		x.radii[n] = max(x.radii[n+1], x.radii[n+nd.right])
		return
	}
	size := nd.size
	if nd.right == identical {
		size = min(size, 1)
	}
	radius := math.Inf(-1)
	for at := nd.start; at < nd.start+size; at++ {
		radius = max(radius, Squared(x.points[int(at)*x.dims:][:x.dims], x.about))
	}
	x.radii[n] = radius
}

// slope bounds the distances of records x from a query q by those from a point c: |x-q|² = |x-c|² + |q-c|² +
// 2(c-q)(x-c). The first part is a radius, and the last is linear, so it is largest at a corner of a box, the same one
// of every box.
type slope struct {
	by       []float64 // 2(c-q)
	corner   []int32   // by attribute: where its value stands in a box
	constant float64   // the parts that are the same for all x, and more than what rounding takes from the sum
}

func (l *slope) set(x *Index, query []float64) {
	l.by, l.corner, l.constant = l.by[:0], l.corner[:0], 0
	if x.about == nil {
		return
	}
	size := 0.0
	for d, c := range x.about {
		by, corner := 2*(c-query[d]), d
		if by > 0 {
			corner += x.dims
		}
		l.by, l.corner = append(l.by, by), append(l.corner, int32(corner))
		l.constant -= float64(by * c)
		size = max(size, math.Abs(c), math.Abs(query[d]))
	}
	own := Squared(query, x.about)
	radius := max(x.radii[0], own)
	// every part, and what it was made of, is off by some units in the last place
	slack := float64(1e-14 * float64(x.dims) * (radius + float64(math.Sqrt(radius)*size)))
	l.constant += own + slack + 1e-300
}

// most returns the largest value in a box.
func (l *slope) most(box []float64) float64 {
	sum := l.constant
	corner := l.corner[:len(l.by)]
	for d, by := range l.by {
		sum += float64(by * box[corner[d]])
	}
	return sum
}
