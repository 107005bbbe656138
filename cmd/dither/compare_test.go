package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCompareInterrupted ends a comparison as Ctrl-C does once its checkpoint has some runs: it says where they are,
// and that the same call goes on.
func TestCompareInterrupted(t *testing.T) {
	in := put(t, "in.csv", "n,y\n"+strings.Repeat("1,no\n2,no\n3,yes\n4,yes\n", 20))
	keep := filepath.Join(filepath.Dir(in), "checkpoint")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if st, err := os.Stat(keep); err == nil && st.Size() > 5000 {
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
}
