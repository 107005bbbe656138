// Package parallel spreads independent work over the cores.
//
// What a piece of work writes belongs to that piece alone, so results do not depend on the number of cores or on the order in
// which pieces are taken. Cost: a goroutine per core and an atomic addition per piece.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers returns how many goroutines share n pieces of work: asked for, or one per core where asked is 0 or less, and never more than
// there are pieces.
func Workers(asked, n int) int {
	if asked <= 0 {
		asked = runtime.GOMAXPROCS(0)
	}
	return max(1, min(asked, n))
}

// Each calls f for every i in [0, n), on all cores. A context that ends stops it between two pieces, and its error is returned; so is
// the error of a piece, that of the lowest i among those that failed before work stopped.
func Each(ctx context.Context, n int, f func(i int) error) error {
	return Ranges(ctx, n, 1, func(lo, _ int) error { return f(lo) })
}

// Ranges calls f for the ranges [lo, hi) of at most grain numbers that [0, n) divides into, on all cores, under the terms of Each. The
// division depends on n and grain alone.
func Ranges(ctx context.Context, n, grain int, f func(lo, hi int) error) error {
	pieces := (n + grain - 1) / grain
	workers := Workers(0, pieces)
	var next atomic.Int64
	var stop atomic.Bool
	failed, errs := make([]int, workers), make([]error, workers)
	work := func(w int) {
		for k := int(next.Add(1)) - 1; k < pieces && !stop.Load(); k = int(next.Add(1)) - 1 {
			err := ctx.Err()
			if err == nil {
				err = f(k*grain, min(n, (k+1)*grain))
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
	at := pieces
	for w, err := range errs {
		if err != nil && failed[w] < at {
			first, at = err, failed[w]
		}
	}
	return first
}
