package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/long"
)

// TestCompareInterrupted ends a comparison as Ctrl-C does once its checkpoint has some runs: it says where they are,
// and that the same call goes on; and so would a process that ends before the comparison does.
func TestCompareInterrupted(t *testing.T) {
	long.Only(t, "a comparison, interrupted")
	in := put(t, "in.csv", "n,y\n"+strings.Repeat("1,no\n2,no\n3,yes\n4,yes\n", 20))
	keep := filepath.Join(filepath.Dir(in), "checkpoint")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	last := make(chan string, 1)
	go func() {
		for ctx.Err() == nil {
			if st, err := os.Stat(keep); err == nil && st.Size() > 5000 {
				last <- lastWords()
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var out, e bytes.Buffer
	code := run(
		ctx,
		[]string{"compare", in, "--class", "y", "--method", "framework", "--repeats", "100000", "--measure", "accuracy",
			"--resume", keep},
		strings.NewReader(""),
		&out,
		&e,
	)
	if code != exitFailed || out.Len() > 0 || !strings.Contains(e.String(), "checkpoint keeps ") ||
		strings.Count(e.String(), "\n") != 1 {
		t.Errorf("exit %d: %s", code, e.String())
	}
	if s := <-last; !strings.HasPrefix(s, "dither: interrupted; "+keep+" keeps ") ||
		!strings.HasSuffix(s, "and the same call goes on from there\n") || strings.Count(s, "\n") != 1 {
		t.Errorf("a process that ends at once says %q", s)
	}
	if s := lastWords(); s != interrupted {
		t.Errorf("behind the comparison a process that ends at once says %q", s)
	}
}
