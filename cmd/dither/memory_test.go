package main

import (
	"bytes"
	"context"
	"errors"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestOutOfMemory: a request that runs out of memory ends with status 1 and one line.
func TestOutOfMemory(t *testing.T) {
	var used atomic.Uint64
	gauges := func() []gauge { return []gauge{{0, 0, 0}, {used.Load(), 1 << 50, 1 << 46}} }
	ctx, rest := withinMemory(t.Context(), gauges)
	defer rest()
	time.Sleep(3 * memoryPeriod)
	if ctx.Err() != nil {
		t.Fatal("it ends with memory enough")
	}
	used.Store(1<<50 - 1<<45)
	<-ctx.Done()
	if !errors.Is(context.Cause(ctx), errMemory) {
		t.Fatalf("the cause is %v", context.Cause(ctx))
	}
	in := put(t, "in.csv", "a,y\n1,no\n2,yes\n3,no\n4,yes\n")
	var out, complaint bytes.Buffer
	code := run(ctx, []string{"protect", in, "--class", "y", "-o", in + ".out.csv", "--limits", "none"},
		strings.NewReader(""), &out, &complaint)
	if s := complaint.String(); code != exitFailed || !strings.Contains(s, "dither: out of memory: ") ||
		strings.Count(s, "\n") != 1 {
		t.Errorf("status %d, %q", code, s)
	}
}

// TestGauges: what bounds the memory is more than what is used, and the mark is below the bound.
func TestGauges(t *testing.T) {
	for _, g := range memory() {
		if g.used == 0 || g.used >= g.limit || g.full() {
			t.Errorf("%+v", g)
		}
	}
	if !(gauge{99, 100, 6}).full() || (gauge{90, 100, 6}).full() || (gauge{1, 0, 6}).full() {
		t.Error("the mark is not just below the limit")
	}
}

// TestCollectLate: garbage lies as long as there is little of it; then it is collected as ever.
func TestCollectLate(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	defer debug.SetGCPercent(percent)
	defer debug.SetMemoryLimit(limit)
	defer allowed.Store(allowed.Swap(0)) // what the calls of other tests allow is nothing here
	collectLate(func() []gauge { return []gauge{{1, 0, 0}, {1, 1 << 40, 1}, {1, 1 << 41, 1}} })
	for deadline := time.Now().Add(time.Minute); debug.SetMemoryLimit(-1) == young; {
		garbage = make([]byte, 1<<20)
		if time.Now().After(deadline) {
			t.Fatal("garbage is never collected")
		}
	}
	if got := debug.SetMemoryLimit(-1); got != 1<<40-1<<37 {
		t.Errorf("the limit is %d", got)
	}
	for deadline := time.Now().Add(time.Minute); debug.SetGCPercent(100) != 100; {
		if time.Now().After(deadline) {
			t.Fatal("garbage is not collected as ever")
		}
	}
}

var garbage []byte
