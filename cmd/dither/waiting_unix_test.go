//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestInterruptedWhileItWaits: a signal ends the process within a second where it waits for standard input, for a pipe
// that nobody opens, for the rest of one, for a reader of the release or of its messages. Nothing is left behind. The
// process may take a minute here, as the machine may be busy; one that waits never ends. A quick run tries the first
// and the last.
func TestInterruptedWhileItWaits(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if code, _, msg := try(t, "generate", "patients", "-n", "3000", "-o", path("in.csv")); code != exitDone {
		t.Fatal(msg)
	}
	must.NoError(t, syscall.Mkfifo(path("fifo.csv"), 0o600))
	for at, c := range []struct {
		name string
		args []string
		set  func(t *testing.T, c *exec.Cmd)
	}{
		{"standard input", []string{"protect", "-", "--class", "readmitted", "-o", path("out.csv")},
			func(t *testing.T, c *exec.Cmd) { c.Stdin, _ = pipe(t) }},
		{"a pipe that nobody opens", []string{"protect", path("fifo.csv"), "--class", "readmitted", "-o", path("out.csv")},
			func(*testing.T, *exec.Cmd) {}},
		{"the rest of a pipe", []string{"inspect", path("fifo.csv")}, func(t *testing.T, _ *exec.Cmd) {
			f := must.Get(os.OpenFile(path("fifo.csv"), os.O_RDWR, 0))(t)
			t.Cleanup(func() { f.Close() })
			must.Get(f.WriteString("a,b\n1,2\n"))(t)
		}},
		{"a reader of the release",
			[]string{"protect", path("in.csv"), "--class", "readmitted", "--limits", "none", "-o", "-"},
			func(t *testing.T, c *exec.Cmd) { _, c.Stdout = pipe(t) }},
		{"a reader of its messages", []string{"inspect", path("in.csv"), "--verbose"}, func(t *testing.T, c *exec.Cmd) {
			_, w := pipe(t)
			fill(t, w)
			c.Stderr = w
		}},
	} {
		for k, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
			if (k > 0 || at%4 > 0) && !long.Enabled() {
				break
			}
			t.Run(c.name+" "+sig.String(), func(t *testing.T) {
				p := process(t, c.args...)
				var said bytes.Buffer
				p.Stderr = &said
				c.set(t, p)
				interrupts(t, p, sig)
				if p.Stderr == &said && p.ProcessState.ExitCode() == exitFailed && !strings.HasSuffix(said.String(), interrupted) {
					t.Errorf("it says %q", said.String())
				}
				for _, e := range must.Get(os.ReadDir(dir))(t) {
					if e.Name() != "in.csv" && e.Name() != "fifo.csv" {
						t.Errorf("it leaves %s", e.Name())
					}
				}
			})
		}
	}
}

// interrupts starts a process and ends it by a signal once it has had time to begin to wait.
func interrupts(t *testing.T, p *exec.Cmd, sig os.Signal) {
	t.Helper()
	must.NoError(t, p.Start())
	ended := make(chan error, 1)
	go func() { ended <- p.Wait() }()
	select {
	case <-ended:
		t.Fatal("it does not wait")
	case <-time.After(500 * time.Millisecond):
		_ = p.Process.Signal(sig)
	}
	select {
	case <-ended:
		if code := p.ProcessState.ExitCode(); code != exitFailed && code != -1 { // -1: it had not begun to listen
			t.Errorf("exit %d", code)
		}
	case <-time.After(time.Minute):
		_ = p.Process.Kill()
		t.Error("it does not end")
	}
}

// pipe returns the ends of a pipe, which stay open until the test ends.
func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	must.NoError(t, err)
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// fill writes to a pipe until it takes no more.
func fill(t *testing.T, w *os.File) {
	t.Helper()
	c := must.Get(w.SyscallConn())(t)
	full := false
	must.NoError(t, c.Write(func(fd uintptr) bool {
		for !full {
			_, err := syscall.Write(int(fd), make([]byte, 4096))
			full = err != nil
		}
		return true
	}))
}
