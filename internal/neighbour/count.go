package neighbour

// Count returns the number of records at a squared distance of at most the given one from the query. It may stop at the limit, so it costs
// little to learn whether there are so many; math.MaxInt is no limit. A record of the index that is asked about counts itself.
func (s *Search) Count(query []float64, squared float64, limit int) int {
	x := s.x
	if x.Len() == 0 || limit <= 0 {
		return 0
	}
	query = query[:x.dims]
	count := 0
	s.stack = append(s.stack[:0], waiting{0, x.near(0, query)})
	for len(s.stack) > 0 && count < limit {
		w := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		for n, bound := w.node, w.bound; bound <= squared; {
			nd := &x.nodes[n]
			if nd.right > 0 && x.far(n, query) > squared {
				n, bound = s.nearer(n+1, n+nd.right, query, squared)
				continue
			}
			if nd.right == 0 {
				count += x.within(nd, query, squared)
			} else {
				count += int(nd.size) // all of them: identical records are as far as their box
			}
			break
		}
	}
	return min(count, limit)
}

// within returns the number of records of a leaf at a squared distance of at most the given one.
func (x *Index) within(nd *node, query []float64, squared float64) int {
	count, p := 0, x.dims
	for rows := x.points[int(nd.start)*p : int(nd.start+nd.size)*p]; len(rows) > 0; rows = rows[p:] {
		if Squared(rows[:p], query) <= squared {
			count++
		}
	}
	return count
}

// Farthest returns the record farthest from the query, of several the one of the lowest index. The record is -1 when the index has none.
func (s *Search) Farthest(query []float64) Hit {
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
			a.bound, b.bound = s.reach(a.node, query, best.Squared), s.reach(b.node, query, best.Squared)
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

// reach returns a squared distance from the query that no record of node n exceeds, as close to it as is worth it where it is not below best.
func (s *Search) reach(n int32, query []float64, best float64) float64 {
	far := s.x.far(n, query)
	if s.ball != nil && far >= best {
		return min(far, s.ball.reach(s.x, n))
	}
	return far
}
