package jaccard

// Search looks for the neighbours of one set after another. It is for one goroutine.
type Search struct {
	x     *Index
	row   []int32
	key   []byte
	seen  []int32 // by set, the last round that met it
	round int32
}

// Search returns a new search.
func (x *Index) Search() *Search {
	return &Search{x: x, row: make([]int32, x.width), seen: make([]int32, len(x.all))}
}

// Each calls visit for every set of the index whose similarity to the given codes is at least the threshold, with that
// similarity, in an order that depends on the index and the codes alone. A set of the index that is not empty is its
// own neighbour. Cost: O(p) for each set that agrees with the codes in a block, for p attributes.
func (s *Search) Each(codes []int32, visit func(set int32, similarity float64)) {
	x := s.x
	s.round++
	size := x.arrange(codes, s.row)
	if int(x.reach[size]) >= len(x.blocks) && len(x.blocks[0].attrs) > 0 {
		s.compare(x.all, size, visit) // further than the blocks are made for
		return
	}
	for b := range x.blocks {
		s.key = x.key(&x.blocks[b], s.row, s.key[:0])
		if g, ok := x.blocks[b].group[string(s.key)]; ok {
			s.compare(x.blocks[b].members(g), size, visit)
		}
	}
}

// compare visits those of some sets that are similar and not seen in this round.
func (s *Search) compare(sets []int32, size int32, visit func(int32, float64)) {
	x := s.x
	for _, i := range sets {
		m := size + x.size[i]
		limit := x.limit[m]
		d := difference(s.row, x.row(i), limit)
		if d <= limit && s.seen[i] != s.round {
			s.seen[i] = s.round
			visit(i, float64(m-d)/float64(m+d))
		}
	}
}
