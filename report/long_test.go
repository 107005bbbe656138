package report

import (
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/long"
)

// TestLongNames: sixteen times as long a name takes about sixteen times as long to show, not 256 times. The best of
// many counts, as the machine may be busy, and of more where it seems to take too long.
func TestLongNames(t *testing.T) {
	long.Only(t, "every page with long names")
	best := map[int]time.Duration{}
	show := func(n int) time.Duration {
		for range 5 {
			name := strings.Repeat("x", n)
			began := time.Now()
			f := fitter{Screen{}, shortener([]string{name})}
			if lines := f.say("", "the column "+name+" is dropped"); len(lines) > 1 || len(lines[0]) > 200 {
				t.Fatal("the name is not shortened")
			}
			if lines := wrapped(name, 80); len(lines) != (n+79)/80 {
				t.Fatalf("%d lines", len(lines))
			}
			if took := time.Since(began); best[n] == 0 || took < best[n] {
				best[n] = took
			}
		}
		return best[n]
	}
	for try := 0; show(1_600_000) > 100*show(100_000); try++ {
		if try == 20 {
			t.Fatalf("a name of 100,000 letters takes %v, one of 1,600,000 %v", best[100_000], best[1_600_000])
		}
	}
}
