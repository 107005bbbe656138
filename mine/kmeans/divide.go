package kmeans

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
)

// result is where a run ended.
type result struct {
	labels     []int32
	centroids  []float64
	start      []int
	sse        float64
	iterations int
	settled    bool
}

// divide returns the best of the restarts, or the run from the start that is given, with what is as long as the records
// in a space.
func (l *Learner) divide(
	ctx context.Context,
	in *mmap.Space,
	points []float64,
	dims int,
	weights []float64,
	src rng.Source,
) (*result, error) {
	if l.K < 1 || l.Restarts < 1 {
		return nil, fmt.Errorf("%d clusters and %d restarts are asked for, expected at least one", l.K, l.Restarts)
	}
	d, err := gather(ctx, in, points, dims, weights)
	if err != nil {
		return nil, err
	}
	defer mmap.Free(in, d.weights)
	if err := l.checkStart(dims, d.n); err != nil {
		return nil, err
	}
	if l.From != nil {
		return l.run(ctx, d, nil)
	}
	if l.Start != nil {
		return l.run(ctx, d, l.Start)
	}
	return l.restarts(ctx, d, src.Fork("k-means++").Stream())
}

// checkStart refuses centroids to begin with, or rows of n, that are none.
func (l *Learner) checkStart(dims, n int) error {
	if l.From != nil {
		return checkFrom(l.From, dims)
	}
	for _, i := range l.Start {
		if i < 0 || i >= n {
			return fmt.Errorf("the start names row %d, expected 0 to %d", i, n-1)
		}
	}
	if l.Start != nil && len(l.Start) == 0 {
		return errors.New("the start names no row")
	}
	return nil
}

func checkFrom(from [][]float64, dims int) error {
	if len(from) == 0 {
		return errors.New("no centroid is given to begin with")
	}
	for c, x := range from {
		if len(x) != dims || slices.ContainsFunc(x, func(v float64) bool { return !(math.Abs(v) <= limit) }) {
			return fmt.Errorf("centroid %d has %d coordinates, expected %d finite ones", c, len(x), dims)
		}
	}
	return nil
}

// restarts returns the best of the runs from drawn starts, the first of those that are equally good.
func (l *Learner) restarts(ctx context.Context, d *records, draws rng.Stream) (*result, error) {
	var mu sync.Mutex
	var best *result
	bestAt := 0
	err := parallel.Each(ctx, l.Restarts, func(r int) error {
		unit := func(c int) float64 { return rng.Unit(draws.At(uint64(r)*uint64(l.K) + uint64(c)).A) }
		start, err := d.draw(ctx, l.K, unit)
		if err != nil {
			return err
		}
		got, err := l.run(ctx, d, start)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if best == nil || got.sse < best.sse || got.sse == best.sse && r < bestAt {
			best, bestAt, got = got, r, best
		}
		if got != nil {
			mmap.Free(d.space, got.labels)
		}
		return nil
	})
	return best, err
}

// run iterates from the records that begin the clusters.
func (l *Learner) run(ctx context.Context, d *records, start []int) (*result, error) {
	r := d.begin(start, l.From)
	defer mmap.Free(d.space, r.gaps)
	out := &result{labels: r.labels, centroids: r.centroids, start: slices.Clone(start)}
	explained := 0.0
	for {
		out.iterations++
		changed, err := r.assign(ctx)
		if err != nil {
			return nil, err
		}
		out.settled = changed == 0
		if out.settled || out.iterations >= l.Iterations {
			break
		}
		refilled := false
		if l.Empty == Farthest {
			if refilled, err = r.refill(ctx); err != nil {
				return nil, err
			}
		}
		if l.Tolerance > 0 {
			now := r.between()
			if out.iterations > 1 && !refilled && now-explained <= l.Tolerance*(d.spread-now) {
				break
			}
			explained = now
		}
		r.update()
	}
	var err error
	out.sse, err = r.remaining(ctx)
	if d.partial {
		for i, c := range out.labels {
			if int(c) == r.k {
				out.labels[i] = -1
			}
		}
	}
	return out, err
}
