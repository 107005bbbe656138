package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/dither-data/dither/cmd/dither/internal/supervise"
)

// Go ends a program that gets no more memory with a dump of its state and the exit status of a wrong call, which nothing can catch. So the program watches
// what it uses, and ends itself, in one line, shortly before the limit. One allocation may still jump from below the mark over the limit; where a parent
// supervises the work, it says the line then.

// gauge says how many bytes are in use, of how many there are; 0 for no limit. What is left at the mark is spare.
type gauge struct{ used, limit, spare uint64 }

// full reports whether little is left.
func (g gauge) full() bool { return g.limit > 0 && g.used+g.spare > g.limit }

// errMemory is the error for a request that takes more memory than there is.
var errMemory = errors.New("out of memory")

const (
	memoryPeriod = 20 * time.Millisecond // between two looks
	memoryGrace  = 2 * time.Second       // that a request has to end and clean up
)

// withinMemory returns a context that ends when memory runs out. A request that does not end then is ended by exit, which is told what to say. The collector
// of garbage works harder near the limit.
func withinMemory(ctx context.Context, gauges func() []gauge, exit func(complaint string)) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	least := uint64(0)
	for _, g := range gauges() {
		if g.limit > 0 && (least == 0 || g.limit < least) {
			least = g.limit
		}
	}
	if least > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(min(least-least/8, 1<<62)))
	}
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
					err := fmt.Errorf("%w: it takes more than the %.1f GB there are; %s", errMemory, float64(g.limit)/1e9, supervise.Advice)
					cancel(err)
					time.Sleep(memoryGrace)
					exit("dither: " + err.Error())
				}
			}
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}

// end ends the program with a complaint.
func end(w io.Writer) func(string) {
	return func(complaint string) {
		fmt.Fprintln(w, complaint)
		os.Exit(exitFailed)
	}
}
