package neighbour

import "math"

// Farthest returns the record farthest from the query, of several the one of the lowest index. The record is -1 when the index has none.
func (s *Search) Farthest(query []float64) Hit { return s.farthest(query, nil) }

// farthest is Farthest for an index of which a ball may be known that holds all records.
func (s *Search) farthest(query []float64, in *ball) Hit {
	x := s.x
	best := Hit{Record: -1, Squared: -1}
	if x.Len() == 0 {
		return best
	}
	query = query[:x.dims]
	s.stack = append(s.stack[:0], waiting{0, x.far(0, query)})
	for len(s.stack) > 0 {
		w := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		nd := &x.nodes[w.node]
		if nd.size == 0 || w.bound < best.Squared || w.bound == best.Squared && int(nd.lowest) > best.Record {
			continue
		}
		if nd.right > 0 {
			a, b := waiting{w.node + 1, 0}, waiting{w.node + nd.right, 0}
			a.bound, b.bound = x.reach(a.node, query, in, best.Squared), x.reach(b.node, query, in, best.Squared)
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

// reach returns a squared distance from the query that no record of node n exceeds, no closer to theirs than to learn that it is below best.
func (x *Index) reach(n int32, query []float64, in *ball, best float64) float64 {
	far := x.far(n, query)
	if in == nil || far < best {
		return far
	}
	return min(far, in.most-x.near(n, in.antipode))
}

// FarthestInBall is Farthest for an index whose records are all at a squared distance of at most the given one from a centre. The nearer the
// farthest is to the opposite end of the ball, the fewer others are looked at.
func (s *Search) FarthestInBall(query, centre []float64, squared float64) Hit {
	s.ball.set(query, centre, squared)
	return s.farthest(query, &s.ball)
}

// ball bounds the distances from a query q of the records x of a ball with centre c. With q's antipode a = 2c-q they make a parallelogram,
// so |x-q|² + |x-a|² = 2|x-c|² + 2|q-c|²: who is far from q is near to a.
type ball struct {
	antipode []float64
	most     float64 // the right-hand side at its largest, and more than what rounding takes from it
}

func (b *ball) set(query, centre []float64, squared float64) {
	b.antipode = b.antipode[:0]
	size := 0.0
	for d, c := range centre {
		b.antipode = append(b.antipode, 2*c-query[d])
		size = max(size, math.Abs(c), math.Abs(query[d]))
	}
	own := Squared(query, centre)
	radius := max(squared, own)
	slack := 1e-14 * float64(len(centre)) * (radius + math.Sqrt(radius)*size) // distances and the antipode are off by some units in the last place
	b.most = 2*squared + 2*own + slack + 1e-300
}
