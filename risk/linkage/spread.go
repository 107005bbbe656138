package linkage

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// spread calls work for 0..n-1 on all cores. Every goroutine has its own state; all are returned.
func spread[S any](ctx context.Context, n int, fresh func() S, work func(state S, k int)) ([]S, error) {
	states := make([]S, min(runtime.GOMAXPROCS(0), n))
	var next atomic.Int64
	var wg sync.WaitGroup
	for g := range states {
		states[g] = fresh()
		wg.Go(func() {
			for k := int(next.Add(1)) - 1; k < n && ctx.Err() == nil; k = int(next.Add(1)) - 1 {
				work(states[g], k)
			}
		})
	}
	wg.Wait()
	return states, ctx.Err()
}
