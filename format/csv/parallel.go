package csv

import (
	"slices"
	"sync"
)

// parallel calls f(0) to f(n-1) from at most workers goroutines.
func parallel(n, workers int, f func(k int)) {
	if n == 1 {
		f(0)
		return
	}
	var wg sync.WaitGroup
	for w := range min(n, workers) {
		wg.Go(func() {
			for k := w; k < n; k += workers {
				f(k)
			}
		})
	}
	wg.Wait()
}

// progress adds up what the shards have read.
type progress struct {
	mu          sync.Mutex
	done, total int64
	tell        func(done, total int64)
}

func newProgress(tell func(done, total int64), total int) *progress {
	return &progress{total: int64(total), tell: tell}
}

func (p *progress) add(n int64) {
	if p.tell == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = min(p.done+n, p.total)
	p.tell(p.done, p.total)
}

func hasError(errs []error) bool {
	return slices.ContainsFunc(errs, func(err error) bool { return err != nil })
}
