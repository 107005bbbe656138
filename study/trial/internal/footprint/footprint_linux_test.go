//go:build !race

// The race detector keeps notes of what memory is used, in more memory.

package footprint_test

import (
	"os"
	"testing"

	"github.com/dither-data/dither/study/trial/internal/footprint"
)

var kept []byte

// TestPeak: what a piece of work holds at once counts, also where it is garbage at its end, and what was held before
// does not.
func TestPeak(t *testing.T) {
	const size = 64 << 20
	fill := func() []byte {
		b := make([]byte, size)
		for i := range b { // a page counts from where it is written
			b[i] = 1
		}
		return b
	}
	kept = fill()
	for range 2 { // the second time the largest before is as large
		more, ok := footprint.Peak(func() { kept[0] += fill()[size-1] })
		if !ok {
			if os.Getenv("CI") == "true" {
				t.Fatal("the system does not tell")
			}
			t.Skip("the system does not tell")
		}
		if more < size*0.95 || more > size*1.5 {
			t.Errorf("%.0f bytes for %d", more, size)
		}
	}
	if more, ok := footprint.Peak(func() {}); ok && more > size/4 {
		t.Errorf("%.0f bytes for nothing", more)
	}
}
