package report

import (
	"io"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
)

// BenchmarkHTML writes the internal report of 30,000 records and 15 columns: 0.04 times the yardstick,
// and 73 kB.
func BenchmarkHTML(b *testing.B) {
	o := sample(b, 30000, 7, 7, same)
	var size counter
	for b.Loop() {
		size = 0
		must.NoError(b, HTML(&size, o, Options{}))
	}
	yardstick.Report(b)
	b.ReportMetric(float64(size)/1000, "kB")
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return io.Discard.Write(p)
}

// BenchmarkCompareHTML writes the report of 30 settings, 10 data sets and 4 measures: 0.2 times the yardstick,
// and 900 kB.
func BenchmarkCompareHTML(b *testing.B) {
	c := compared(gridTrials(30), 10, 10, 1)
	var size counter
	for b.Loop() {
		size = 0
		must.NoError(b, CompareHTML(&size, c, CompareOptions{}))
	}
	yardstick.Report(b)
	b.ReportMetric(float64(size)/1000, "kB")
}
