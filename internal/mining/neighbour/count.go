package neighbour

// Count returns the number of records at a squared distance of at most the given one from the query. It may stop at the
// limit, so it costs little to learn whether there are so many; math.MaxInt is no limit. A record of the index that is
// asked about counts itself.
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
