// Package yardstick measures the unit of benchmarks: the time of slices.Sort of 1,000,000 random float64 on one core.
// Machines differ; ratios to it hardly do.
package yardstick

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
)

// Sort returns the time of one sort: the median of five, measured once in a process.
func Sort() time.Duration { return sorts()[2] }

// Best returns the time of the quickest of the five, to hold the best of several runs against.
func Best() time.Duration { return sorts()[0] }

// sorts returns the times of five sorts, ascending.
var sorts = sync.OnceValue(func() []time.Duration {
	r := rand.New(rand.NewPCG(1, 2))
	from := make([]float64, 1_000_000)
	for i := range from {
		from[i] = r.Float64()
	}
	times, v := make([]time.Duration, 5), make([]float64, len(from))
	for k := range times {
		copy(v, from)
		start := time.Now()
		slices.Sort(v)
		times[k] = time.Since(start)
	}
	slices.Sort(times)
	return times
})

// Report adds to a benchmark, after its loop, the time of an iteration in sorts.
func Report(b *testing.B) { b.ReportMetric(ratio(b.Elapsed(), b.N, Sort()), "sorts") }

func ratio(elapsed time.Duration, n int, sort time.Duration) float64 {
	return elapsed.Seconds() / float64(n) / sort.Seconds()
}
