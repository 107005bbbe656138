package rank

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

var missing = math.NaN()

// Each calls work for 0..n-1, on all cores.
func Each(n int, work func(k int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
				work(k)
			}
		})
	}
	wg.Wait()
}

// Rows calls work for blocks lo..hi-1 of n records, on all cores, and returns the error of the first block that has one.
func Rows(n int, work func(lo, hi int) error) error {
	const block = 4096
	errs := make([]error, (n+block-1)/block)
	Each(len(errs), func(k int) { errs[k] = work(k*block, min(k*block+block, n)) })
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Cut returns the records lo..hi-1 of columns.
func Cut(cols [][]float64, lo, hi int) [][]float64 {
	out := make([][]float64, len(cols))
	for k, c := range cols {
		out[k] = c[lo:hi]
	}
	return out
}
