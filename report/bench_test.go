package report

import (
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// BenchmarkHTML writes the internal report of 30,000 records and 15 columns: 0.04 times the time of sorting a million random numbers,
// and 73 kB.
func BenchmarkHTML(b *testing.B) {
	o := sample(b, 30000, 7, 7, same)
	var size counter
	for b.Loop() {
		size = 0
		if err := HTML(&size, o, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	per := b.Elapsed() / time.Duration(b.N)
	b.ReportMetric(per.Seconds()/sorting().Seconds(), "sorts")
	b.ReportMetric(float64(size)/1000, "kB")
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return io.Discard.Write(p)
}

// sorting times slices.Sort on a million random numbers, the fastest of three.
func sorting() time.Duration {
	best := time.Duration(1 << 62)
	r := rand.New(rand.NewPCG(1, 1))
	for range 3 {
		v := make([]float64, 1_000_000)
		for i := range v {
			v[i] = r.Float64()
		}
		start := time.Now()
		slices.Sort(v)
		best = min(best, time.Since(start))
	}
	return best
}

// BenchmarkCompareHTML writes the report of 30 settings, 10 data sets and 4 measures: 0.2 times the time of sorting a million random numbers,
// and 900 kB.
func BenchmarkCompareHTML(b *testing.B) {
	c := compared(gridTrials(30), 10, 10, 1)
	var size counter
	for b.Loop() {
		size = 0
		if err := CompareHTML(&size, c, CompareOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	per := b.Elapsed() / time.Duration(b.N)
	b.ReportMetric(per.Seconds()/sorting().Seconds(), "sorts")
	b.ReportMetric(float64(size)/1000, "kB")
}
