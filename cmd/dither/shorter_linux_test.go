//go:build !race

// Under the race detector a process takes seconds to begin.

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// accessed returns a channel that is closed when the file is read after it was closed so many times.
func accessed(t *testing.T, path string, closed int) <-chan struct{} {
	t.Helper()
	fd := must.Get(syscall.InotifyInit1(syscall.IN_CLOEXEC))(t)
	wait := func(event uint32) {
		_, err := syscall.InotifyAddWatch(fd, path, event)
		for err == nil {
			if _, err := syscall.Read(fd, make([]byte, 4096)); err != syscall.EINTR {
				return
			}
		}
	}
	read := make(chan struct{})
	go func() {
		defer syscall.Close(fd)
		for range closed {
			wait(syscall.IN_CLOSE_NOWRITE)
		}
		wait(syscall.IN_ACCESS)
		close(read)
	}()
	return read
}

// cut runs the command on a table of which most of the records are cut off while it is read after so many looks at it,
// and returns what the command says and its status.
func cut(t *testing.T, dir, temporary string, looks int) (said string, status int) {
	t.Helper()
	in := filepath.Join(dir, "in.csv")
	const head, records = "a,b,y\n", "1,x,no\n2,y,yes\n"
	must.NoError(t, os.WriteFile(in, []byte(head+strings.Repeat(records, 1<<18)), 0o600))
	read := accessed(t, in, looks)
	c := process(t, "protect", in, "--class", "y", "--method", "framework", "--limits", "none", "--memory", "1MB",
		"-o", filepath.Join(dir, "out.csv"), "--report", filepath.Join(dir, "report.html"),
		"--plan-out", filepath.Join(dir, "plan.json"))
	var complaint strings.Builder
	c.Stderr, c.Env = &complaint, append(c.Env, "TMPDIR="+temporary)
	must.NoError(t, c.Start())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = c.Wait()
	}()
	select {
	case <-read:
		if err := os.Truncate(in, int64(len(head)+len(records)<<10)); err != nil {
			t.Error(err)
		}
		<-ended
	case <-ended:
	}
	return complaint.String(), c.ProcessState.ExitCode()
}

// TestShorterInput cuts a table that is larger than the memory while it is read: one line that names it, status 1, and
// nothing is written or left behind. A call that has read nothing of the records by then, or all of them, is tried
// again and cut later, and at all looks again where the machine is too busy to cut in time.
func TestShorterInput(t *testing.T) {
	long.Only(t, "a file that is cut at nine places")
	dir, temporary, said, status := "", "", "", exitDone
	const looks = 9
	for try := 0; try < 4*looks && status == exitDone; try++ {
		dir, temporary = t.TempDir(), t.TempDir()
		said, status = cut(t, dir, temporary, try%looks)
	}
	want := "dither: " + filepath.Join(dir, "in.csv") + ": the file became shorter while it was read; "
	if status != exitFailed || !strings.HasPrefix(said, want) || strings.Count(said, "\n") != 1 {
		t.Errorf("status %d, %.300q", status, said)
	}
	for folder, left := range map[string]int{dir: 1, temporary: 0} {
		if entries, err := os.ReadDir(folder); err != nil || len(entries) != left {
			t.Errorf("%v, %v", entries, err)
		}
	}
}
