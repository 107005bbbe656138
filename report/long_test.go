package report

import (
	"strings"
	"testing"
	"time"
)

// TestLongNames: sixteen times as long a name takes about sixteen times as long to show, not 256 times. The best of
// five counts, as the machine may be busy.
func TestLongNames(t *testing.T) {
	show := func(n int) time.Duration {
		best := time.Hour
		for range 5 {
			name := strings.Repeat("x", n)
			began := time.Now()
			f := fitter{Screen{}, shortener([]string{name})}
			if lines := f.say("", "the column "+name+" is dropped", 3); len(lines) > 3 || len(lines[0]) > 200 {
				t.Fatal("the name is not shortened")
			}
			if lines := wrapped(name, 80); len(lines) != (n+79)/80 {
				t.Fatalf("%d lines", len(lines))
			}
			best = min(best, time.Since(began))
		}
		return best
	}
	if short, long := show(100_000), show(1_600_000); long > 100*short {
		t.Errorf("a name of 100,000 letters takes %v, one of 1,600,000 %v", short, long)
	}
}
