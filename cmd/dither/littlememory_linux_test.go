//go:build !race

// The race detector needs an address space of its own.

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
)

// TestLittleMemory runs the command in address spaces that are too small for its table: one line and status 1, however
// the memory runs out. Between 1.2 and 1.3 GB Go cannot start any program, and elsewhere it ended before main in 2 of
// 198 starts on a quiet machine, where nothing can be caught; on a busy one it does so more often. A start that cgo
// ends for want of a thread was seen once. Such a start is tried again, up to ten times: if it were one of ten, the
// test would fail by that alone in three of 10^10 runs.
func TestLittleMemory(t *testing.T) {
	long.Only(t, "a table of 400,000 people")
	in := filepath.Join(t.TempDir(), "in.csv")
	done(t, "generate", "patients", "-n", "400000", "-o", in)
	for _, kilobytes := range []string{"900000", "1100000", "1500000"} {
		for try := 1; ; try++ {
			c := process(t, "protect", in, "--class", "readmitted", "-o", in+".out.csv")
			c.Args = append([]string{"bash", "-c", `ulimit -v "$0"; exec -a dither "$@"`, kilobytes, c.Path}, c.Args[1:]...)
			c.Path = "/bin/bash"
			msg, err := c.CombinedOutput()
			s := string(msg)
			thrown := strings.Contains(s, "runtime.throw") || strings.Contains(s, "pthread_create failed") // as cgo ends
			if try < 10 && thrown && !strings.Contains(s, "main.main()") {
				t.Logf("in %s kB Go did not reach main", kilobytes)
				continue
			}
			if c.ProcessState.ExitCode() != exitFailed || !strings.HasPrefix(s, "dither: out of memory") ||
				strings.Count(s, "\n") != 1 {
				t.Errorf("in %s kB: %v, %.300q", kilobytes, err, s)
			}
			break
		}
	}
}
