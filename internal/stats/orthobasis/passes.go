package orthobasis

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/portable/vector"
)

const (
	block  = 1024       // records whose columns meet in cache
	stripe = 16 * block // records whose sums are taken one after the other; the sums of stripes are added in their order
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

// each shows visit the columns as the steps make them, block by block: records lo..hi-1 of a stripe, the blocks of a
// stripe in their order. Stripes are worked on in parallel.
func (b *Basis) each(ctx context.Context, visit func(s int, q [][]float64, lo, hi int)) error {
	stripes := (b.N + stripe - 1) / stripe
	share(runtime.GOMAXPROCS(0), stripes, func(next func() int) {
		flat, q := make([]float64, len(b.cols)*min(block, b.N)), make([][]float64, len(b.cols))
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
				visit(s, q, lo, hi)
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

// gram returns the Gram matrix, p x p, of the columns as the steps make them, taken about their means, and the means.
// Only its upper triangle is set.
func (b *Basis) gram(ctx context.Context) (g, mean []float64, err error) {
	p := len(b.cols)
	parts := make([][]float64, (b.N+stripe-1)/stripe)
	err = b.each(ctx, func(s int, q [][]float64, lo, hi int) {
		if parts[s] == nil {
			parts[s] = make([]float64, p*p+p)
		}
		sums := parts[s]
		for i, c := range q {
			if !b.Kept[i] {
				continue
			}
			sums[p*p+i] += vector.Sum(c)
			for j := i; j < p; j++ {
				sums[i*p+j] += vector.Dot(c, q[j])
			}
		}
	})
	if err != nil {
		return nil, nil, err
	}
	all := make([]float64, p*p+p)
	for _, sums := range parts {
		floats.Add(all, sums)
	}
	g, mean = all[:p*p], all[p*p:]
	n := math.Max(1, float64(b.N))
	floats.Scale(1/n, mean)
	for i := range p {
		for j := i; j < p; j++ {
			g[i*p+j] -= float64(n * mean[i] * mean[j])
		}
	}
	return g, mean, nil
}
