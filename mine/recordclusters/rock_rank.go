package recordclusters

// rank is the goodness of a cluster's best pair, with the first records of the two, the lower first.
type rank struct {
	goodness float64
	lo, hi   int32
}

func (r *rank) before(s *rank) bool {
	if r.goodness != s.goodness {
		return r.goodness > s.goodness
	}
	return r.lo < s.lo || r.lo == s.lo && r.hi < s.hi
}

// ranking is the heap of all clusters that have a partner, that with the best pair first: ROCK's global heap.
type ranking struct {
	order []int32 // clusters
	at    []int32 // by cluster, where it is in order; -1 for nowhere
	rank  []rank  // by cluster
}

// newRanking returns a ranking of ids below n.
func newRanking(n int) ranking {
	r := ranking{at: make([]int32, n), rank: make([]rank, n)}
	for i := range r.at {
		r.at[i] = -1
	}
	return r
}

// put gives a cluster a rank.
func (r *ranking) put(x int32, k rank) {
	if r.at[x] < 0 {
		r.at[x] = int32(len(r.order))
		r.order = append(r.order, x)
	} else if r.rank[x] == k {
		return
	}
	r.rank[x] = k
	r.settle(x)
}

// remove takes a cluster out, if it is there.
func (r *ranking) remove(x int32) {
	i, last := r.at[x], len(r.order)-1
	if i < 0 {
		return
	}
	y := r.order[last]
	r.order, r.at[x] = r.order[:last], -1
	if y != x {
		r.order[i], r.at[y] = y, i
		r.settle(y)
	}
}

// settle moves a cluster up or down to where it belongs.
func (r *ranking) settle(x int32) {
	i, own := int(r.at[x]), &r.rank[x]
	for i > 0 && own.before(&r.rank[r.order[(i-1)/2]]) {
		r.set(i, r.order[(i-1)/2])
		i = (i - 1) / 2
	}
	for {
		k := 2*i + 1
		if k+1 < len(r.order) && r.rank[r.order[k+1]].before(&r.rank[r.order[k]]) {
			k++
		}
		if k >= len(r.order) || !r.rank[r.order[k]].before(own) {
			break
		}
		r.set(i, r.order[k])
		i = k
	}
	r.set(i, x)
}

func (r *ranking) set(i int, x int32) { r.order[i], r.at[x] = x, int32(i) }
