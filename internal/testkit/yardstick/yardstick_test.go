package yardstick

import (
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/long"
)

func TestRatioIsOfOneIteration(t *testing.T) {
	if got := ratio(6*time.Second, 3, 4*time.Second); got != 0.5 {
		t.Errorf("three iterations in six seconds are %v sorts of four seconds; expected 0.5", got)
	}
}

// A benchmark that does nothing but sleep for a tenth of a sort reports that, and what the computer sleeps longer.
func TestReport(t *testing.T) {
	long.Only(t, "a benchmark")
	nap, most := Sort()/10, 0.0
	r := testing.Benchmark(func(b *testing.B) {
		for range b.N {
			time.Sleep(nap)
		}
		Report(b)
		most = ratio(b.Elapsed(), b.N, Sort())
	})
	if got := r.Extra["sorts"]; got < 0.1 || got > most {
		t.Errorf("a tenth of a sort is reported as %v, it took %v", got, most)
	}
}

func TestSortIsMeasuredOnce(t *testing.T) {
	if first, again := Sort(), Sort(); first <= 0 || first != again {
		t.Errorf("the yardstick is %v, then %v", first, again)
	}
	if Best() <= 0 || Best() > Sort() {
		t.Errorf("the best of the sorts takes %v, the median %v", Best(), Sort())
	}
}
