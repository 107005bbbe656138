package orthobasis

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/portable/vector"
)

const (
	block  = 1024       // records whose columns meet in cache
	stripe = 16 * block // records that a core works on at a time
)

// step makes columns more orthogonal: q_j becomes (q_j - shift_j - sum over i < j of r_ij q_i) inv_j, with the q_i as
// they become. The diagonal of r is 1/inv, and 1 where inv is 0.
type step struct {
	shift, inv []float64
	r          []float64 // p x p, upper triangular, row by row
}

func (s *step) apply(q [][]float64) {
	p := len(q)
	for j, c := range q {
		if s.inv[j] == 0 {
			clear(c)
			continue
		}
		if s.shift[j] != 0 {
			floats.AddConst(-s.shift[j], c)
		}
		for i := range j {
			if r := s.r[i*p+j]; r != 0 {
				vector.AddScaled(c, -r, q[i])
			}
		}
		if s.inv[j] != 1 {
			floats.Scale(s.inv[j], c)
		}
	}
}

// each shows the columns as the steps make them, block by block: records lo..hi-1. Every core has a visitor of its own,
// which fresh makes.
func (b *Basis) each(ctx context.Context, fresh func() (visit func(q [][]float64, lo, hi int))) error {
	stripes := (b.N + stripe - 1) / stripe
	share(runtime.GOMAXPROCS(0), stripes, func(next func() int) {
		flat, q := make([]float64, len(b.cols)*min(block, b.N)), make([][]float64, len(b.cols))
		visit := fresh()
		for s := next(); s < stripes && ctx.Err() == nil; s = next() {
			for lo := s * stripe; lo < min((s+1)*stripe, b.N); lo += block {
				hi := min(lo+block, b.N)
				for j, col := range b.cols {
					q[j] = flat[j*(hi-lo) : (j+1)*(hi-lo)]
					copy(q[j], col[lo:hi])
				}
				for k := range b.steps {
					b.steps[k].apply(q)
				}
				visit(q, lo, hi)
			}
		}
	})
	return ctx.Err()
}

// share calls work on so many cores, at most one per task; next gives each call the tasks 0, 1, ... that no other has
// taken, and tasks or more when none is left.
func share(workers, tasks int, work func(next func() int)) {
	var taken atomic.Int64
	next := func() int { return int(taken.Add(1)) - 1 }
	if workers = min(workers, tasks); workers <= 1 {
		work(next)
		return
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { work(next) })
	}
	wg.Wait()
}

// products are the sums of p columns, and of the products of columns i <= j at i p + j.
type products struct{ sums, squares []exact.Sum }

func newProducts(p int) *products { return &products{make([]exact.Sum, p), make([]exact.Sum, p*p)} }

// gram returns the Gram matrix, p x p, of the columns as the steps make them, taken about their means, and the means.
// Only its upper triangle is set.
func (b *Basis) gram(ctx context.Context) (g, mean []float64, err error) {
	p := len(b.cols)
	all := newProducts(p)
	var one sync.Mutex
	var parts []*products
	err = b.each(ctx, func() func(q [][]float64, lo, hi int) {
		part := newProducts(p)
		one.Lock()
		parts = append(parts, part)
		one.Unlock()
		return func(q [][]float64, _, _ int) { part.add(q, b.Kept) }
	})
	if err != nil {
		return nil, nil, err
	}
	g, mean = make([]float64, p*p), make([]float64, p)
	n := max(1, b.N)
	for i := range p {
		for _, part := range parts {
			all.sums[i].Merge(&part.sums[i])
		}
		mean[i] = all.sums[i].Mean(n)
	}
	for i := range p {
		for j := i; j < p; j++ {
			for _, part := range parts {
				all.squares[i*p+j].Merge(&part.squares[i*p+j])
			}
			g[i*p+j] = all.squares[i*p+j].Float64() - float64(float64(n)*mean[i]*mean[j])
		}
	}
	return g, mean, nil
}

// add adds the records of a block; columns that are not kept are zeros.
func (s *products) add(q [][]float64, kept []bool) {
	p := len(q)
	for i, c := range q {
		if !kept[i] {
			continue
		}
		s.sums[i].AddAll(c)
		for j := i; j < p; j++ {
			s.squares[i*p+j].AddProducts(c, q[j])
		}
	}
}
