package parallel

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// Every number is visited once, whatever the grain and the number of cores.
func TestRangesVisitsEachNumberOnce(t *testing.T) {
	for _, cores := range []int{1, 2, 7} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		for _, n := range []int{0, 1, 2, 9, 1000} {
			for _, grain := range []int{1, 3, 1000, 5000} {
				seen := make([]int, n)
				must.NoError(t, Ranges(context.Background(), n, grain, func(lo, hi int) error {
					if hi-lo > grain || lo%grain != 0 {
						t.Errorf("range [%d, %d) with grain %d", lo, hi, grain)
					}
					for i := lo; i < hi; i++ {
						seen[i]++
					}
					return nil
				}))
				for i, k := range seen {
					if k != 1 {
						t.Fatalf("n %d, grain %d: %d was visited %d times", n, grain, i, k)
					}
				}
			}
		}
	}
}

func TestEachStops(t *testing.T) {
	broken := errors.New("broken")
	if err := Each(context.Background(), 100, func(i int) error {
		if i >= 10 {
			return broken
		}
		return nil
	}); err != broken {
		t.Errorf("a piece failed, and Each says %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Each(ctx, 100, func(int) error { t.Error("work after the end of the context"); return nil }); !errors.Is(
		err, context.Canceled) {
		t.Errorf("a cancelled context gives %v", err)
	}
}

func TestWorkers(t *testing.T) {
	if Workers(0, 0) != 1 || Workers(5, 3) != 3 || Workers(-1, 1<<30) != runtime.GOMAXPROCS(0) {
		t.Error("wrong number of workers")
	}
}

// Few does every piece once, and never more than so many at a time.
func TestFew(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	var running, most, done atomic.Int32
	err := Few(context.Background(), 2, 500, func(int) error {
		if n := running.Add(1); n > most.Load() {
			most.Store(n)
		}
		runtime.Gosched()
		running.Add(-1)
		done.Add(1)
		return nil
	})
	if err != nil || done.Load() != 500 || most.Load() > 2 {
		t.Errorf("%d of 500 pieces, up to %d at a time, %v", done.Load(), most.Load(), err)
	}
}

// The error is that of the lowest piece that fails, however the pieces are shared, so that a call says the same each
// time: of those before it none is left undone once another has failed. One that is dropped shows in a run of three.
func TestLowestError(t *testing.T) {
	errs := []error{errors.New("first"), errors.New("second"), errors.New("third"), errors.New("fourth")}
	fails := func(i int) error { return errs[i] }
	for try := range 300_000 {
		if err := Each(context.Background(), len(errs), fails); err != errs[0] {
			t.Fatalf("try %d: %v", try, err)
		}
	}
}
