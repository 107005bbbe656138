// Package parallel spreads independent work over the cores.
//
// What a piece of work writes belongs to that piece alone, so results do not depend on the number of cores or on the
// order in which pieces are taken. Cost: a goroutine per core and an atomic addition per piece.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers returns how many goroutines share n pieces of work: asked for, or one per core where asked is 0 or less, and
// never more than there are pieces.
func Workers(asked, n int) int {
	if asked <= 0 {
		asked = runtime.GOMAXPROCS(0)
	}
	return max(1, min(asked, n))
}

// Each calls f for every i in [0, n), on all cores. A context that ends stops it between two pieces, and its error is
// returned; so is the error of a piece, that of the lowest i that fails.
func Each(ctx context.Context, n int, f func(i int) error) error {
	return Ranges(ctx, n, 1, func(lo, _ int) error { return f(lo) })
}

// Do is Each for work that neither fails nor takes long.
func Do(n int, f func(i int)) {
	_ = Each(context.Background(), n, func(i int) error { f(i); return nil })
}

// Ranges calls f for the ranges [lo, hi) of at most grain numbers that [0, n) divides into, on all cores, under the
// terms of Each. The division depends on n and grain alone.
func Ranges(ctx context.Context, n, grain int, f func(lo, hi int) error) error {
	_, err := With(ctx, (n+grain-1)/grain, func() struct{} { return struct{}{} }, func(_ struct{}, k int) error {
		return f(k*grain, min(n, (k+1)*grain))
	})
	return err
}

// With calls f for every i in [0, n), on all cores, under the terms of Each. Every core has a state of its own, which
// fresh makes: memory that pieces of work use again, or sums. All states are returned, in no meaningful order; sums of
// floating-point numbers depend on which core took which piece, so they belong to the piece.
func With[S any](ctx context.Context, n int, fresh func() S, f func(state S, i int) error) ([]S, error) {
	return share(ctx, Workers(0, n), n, fresh, f)
}

// Few calls f for every i in [0, n), in order but so many at a time, under the terms of Each: for work that itself uses
// all cores, with stretches in which it does not.
func Few(ctx context.Context, most, n int, f func(i int) error) error {
	_, err := share(ctx, min(most, Workers(0, n)), n, func() struct{} { return struct{}{} },
		func(_ struct{}, i int) error { return f(i) })
	return err
}

// share is With for so many workers.
func share[S any](ctx context.Context, workers, n int, fresh func() S, f func(state S, i int) error) ([]S, error) {
	var next atomic.Int64
	var stop atomic.Bool
	states, failed, errs := make([]S, workers), make([]int, workers), make([]error, workers)
	for w := range states {
		states[w] = fresh()
	}
	work := func(w int) {
		for !stop.Load() {
			k := int(next.Add(1)) - 1 // pieces are taken in order, and each that is taken is done: the lowest that fails, too
			if k >= n {
				return
			}
			err := ctx.Err()
			if err == nil {
				err = f(states[w], k)
			}
			if err != nil {
				failed[w], errs[w] = k, err
				stop.Store(true)
				return
			}
		}
	}
	var group sync.WaitGroup
	for w := range workers - 1 {
		group.Go(func() { work(w + 1) })
	}
	work(0)
	group.Wait()
	var first error
	at := n
	for w, err := range errs {
		if err != nil && failed[w] < at {
			first, at = err, failed[w]
		}
	}
	return states, first
}
