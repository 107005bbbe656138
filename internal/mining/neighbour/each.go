package neighbour

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// batch is how many neighbouring queries a core takes at a time.
const batch = 256

// Nobody is the hit in place of a neighbour that an index is too small for.
var Nobody = Hit{Record: -1, Squared: nowhere.Squared}

// Each calls ask for every query, on all cores, those that fall into one leaf after one another: i is the number of the
// query, query its values, s the search of the calling goroutine. What ask writes must belong to query i alone. Queries
// hold one record after another, as for Build.
func (x *Index) Each(ctx context.Context, queries []float64, ask func(s *Search, i int, query []float64)) error {
	p := x.dims
	n := len(queries) / p
	order := make([]uint64, n) // the leaf's position, then the query
	err := spread(ctx, n, x.Search, func(_ *Search, i int) {
		order[i] = uint64(x.leaf(queries[i*p:i*p+p]))<<32 | uint64(i)
	})
	if err != nil {
		return err
	}
	slices.Sort(order)
	return spread(ctx, n, x.Search, func(s *Search, k int) {
		i := int(uint32(order[k]))
		ask(s, i, queries[i*p:i*p+p])
	})
}

// Own calls ask for every record of the index, as Each does for queries: i is the record's index.
func (x *Index) Own(ctx context.Context, ask func(s *Search, i int, query []float64)) error {
	return spread(ctx, len(x.record), x.Search, func(s *Search, at int) {
		i := int(x.record[at])
		if x.where == nil || x.where[i] == int32(at) {
			ask(s, i, x.points[at*x.dims:][:x.dims])
		}
	})
}

// All returns the k records nearest to every query: those of query i from position i*k on, the nearest first. Places
// that the index has too few records for hold Nobody. Cost: that of as many searches, on all cores.
func (x *Index) All(ctx context.Context, queries []float64, k int) ([]Hit, error) {
	out := make([]Hit, len(queries)/x.dims*k)
	return out, x.Each(ctx, queries, func(s *Search, i int, query []float64) {
		s.fill(out[i*k:i*k+k], query, -1)
	})
}

// Others returns the k other records nearest to every record of the index, as All does for queries. A removed record
// has no neighbours. A million records of six attributes like Adult's, k = 1, take 4.5 times a slices.Sort of as many
// random float64, normal ones 27 times it.
func (x *Index) Others(ctx context.Context, k int) ([]Hit, error) {
	out := make([]Hit, len(x.record)*k)
	if x.where != nil {
		for i := range out {
			out[i] = Nobody
		}
	}
	return out, x.Own(ctx, func(s *Search, i int, query []float64) {
		s.fill(out[i*k:i*k+k], query, i)
	})
}

// fill writes the nearest records to dst, as many as it is long.
func (s *Search) fill(dst []Hit, query []float64, except int) {
	n := copy(dst, s.Nearest(query, len(dst), except))
	for ; n < len(dst); n++ {
		dst[n] = Nobody
	}
}

// leaf returns the position where the leaf starts that is nearest to a query, or next to the nearest.
func (x *Index) leaf(query []float64) int32 {
	if len(x.nodes) == 0 {
		return 0
	}
	n := int32(0)
	for x.nodes[n].right > 0 {
		a, b := n+1, n+x.nodes[n].right
		n = a
		if x.near(b, query) < x.near(a, query) {
			n = b
		}
	}
	return x.nodes[n].start
}

// spread calls work for 0..n-1 on all cores, in batches; every goroutine has its own search.
func spread[S any](ctx context.Context, n int, search func() S, work func(s S, k int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+batch-1)/batch) {
		wg.Go(func() {
			s := search()
			for ctx.Err() == nil {
				lo := int(next.Add(batch)) - batch
				if lo >= n {
					return
				}
				for k := lo; k < min(lo+batch, n); k++ {
					work(s, k)
				}
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
