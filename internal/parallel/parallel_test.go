package parallel

import (
	"context"
	"errors"
	"runtime"
	"testing"
)

// Every number is visited once, whatever the grain and the number of cores.
func TestRangesVisitsEachNumberOnce(t *testing.T) {
	for _, cores := range []int{1, 2, 7} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		for _, n := range []int{0, 1, 2, 9, 1000} {
			for _, grain := range []int{1, 3, 1000, 5000} {
				seen := make([]int, n)
				err := Ranges(context.Background(), n, grain, func(lo, hi int) error {
					if hi-lo > grain || lo%grain != 0 {
						t.Errorf("range [%d, %d) with grain %d", lo, hi, grain)
					}
					for i := lo; i < hi; i++ {
						seen[i]++
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
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
	if err := Each(ctx, 100, func(int) error { t.Error("work after the end of the context"); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gives %v", err)
	}
}

func TestWorkers(t *testing.T) {
	if Workers(0, 0) != 1 || Workers(5, 3) != 3 || Workers(-1, 1<<30) != runtime.GOMAXPROCS(0) {
		t.Error("wrong number of workers")
	}
}
