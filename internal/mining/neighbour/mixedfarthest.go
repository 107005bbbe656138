package neighbour

import "math"

// Farthest returns the record farthest from what is known, of several the one of the lowest index. The record is -1
// when the index has none. Many records that differ from the question in the same categories are at one distance, of
// which all nodes must be looked at that hold a lower index.
func (s *MixedSearch) Farthest(known []float64) Hit {
	best := Hit{Record: -1, Squared: -1}
	x, p := s.m.x, s.m.x.dims
	if x.Len() == 0 {
		return best
	}
	s.ask(known)
	s.stack = append(s.stack[:0], waiting{0, s.far(0)})
	for len(s.stack) > 0 {
		w := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		nd := &x.nodes[w.node]
		switch {
		case nd.size == 0 || w.bound < best.Squared || w.bound == best.Squared && int(nd.lowest) > best.Record:
		case nd.right > 0:
			a, b := waiting{w.node + 1, s.far(w.node + 1)}, waiting{w.node + nd.right, s.far(w.node + nd.right)}
			if a.bound > b.bound {
				a, b = b, a
			}
			s.stack = append(s.stack, a, b)
		default:
			size := int(nd.size)
			if nd.right == identical {
				size = 1
			}
			for at := int(nd.start); at < int(nd.start)+size; at++ {
				s.Compared++
				d, r := s.distance(x.points[at*p:at*p+p], math.Inf(1)), int(x.record[at])
				if d > best.Squared || d == best.Squared && r < best.Record {
					best = Hit{r, d}
				}
			}
		}
	}
	return best
}

// far returns a squared distance that no record of node n exceeds.
func (s *MixedSearch) far(n int32) float64 {
	low, high := s.m.x.box(n)
	p := len(s.lo)
	low, high, hi, nominal := low[:p], high[:p], s.hi[:p], s.m.nominal[:p]
	sum := s.unknown
	for d, lo := range s.lo {
		if high[d] == gone && low[d] < gone && !nominal[d] && lo > -anything {
			return math.Inf(1) // the largest number is hidden
		}
		sum += max(s.m.part(lo, hi[d], low[d], low[d], nominal[d]), s.m.part(lo, hi[d], high[d], high[d], nominal[d]))
	}
	return sum
}
