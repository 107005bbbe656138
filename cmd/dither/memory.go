package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/dither-data/dither/cmd/dither/internal/supervise"
)

// Go ends a program that gets no more memory with a dump of its state and the exit status of a wrong call, which
// nothing can catch. So the program watches what it uses, and ends itself, in one line, shortly before the limit. One
// allocation may still jump from below the mark over the limit; where a parent supervises the work, it says the line
// then.

// gauge says how many bytes are in use, of how many there are; 0 for no limit. What is left at the mark is spare.
type gauge struct{ used, limit, spare uint64 }

// full reports whether little is left.
func (g gauge) full() bool { return g.limit > 0 && g.used+g.spare > g.limit }

// errMemory is the error for a request that takes more memory than there is.
var errMemory = errors.New("out of memory")

// memoryPeriod is the time between two looks.
const memoryPeriod = 20 * time.Millisecond

// withinMemory returns a context that ends when memory runs out, which is its cause then.
func withinMemory(ctx context.Context, gauges func() []gauge) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		for tick := time.NewTicker(memoryPeriod); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
			}
			for _, g := range gauges() {
				if g.full() {
					cancel(fmt.Errorf("%w: it takes more than the %.1f GB there are; %s", errMemory, float64(g.limit)/1e9,
						supervise.Advice))
				}
			}
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}

// young is how many bytes the program may have from the system before garbage is collected: most calls end before that.
const young = 64 << 20

// collectLate lets garbage lie until the program is no longer young. From then on it is collected as ever, and harder
// near the limits. Users who set the variables of the collector keep their settings.
func collectLate(gauges func() []gauge) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(young)
	runtime.AddCleanup(new(struct{ pointer *int }), func(struct{}) { // runs after the first collection
		debug.SetMemoryLimit(most(gauges()))
		debug.SetGCPercent(100)
	}, struct{}{})
}

// most returns how many bytes the program should stay below.
func most(gauges []gauge) int64 {
	least := uint64(1 << 62)
	for _, g := range gauges {
		if g.limit > 0 {
			least = min(least, g.limit-g.limit/8)
		}
	}
	if a := allowed.Load(); a > 0 {
		return min(a, int64(least))
	}
	return int64(least)
}
