package supervise

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// TestMain lets this binary be a program that looks at a mapped file of which nothing is left.
func TestMain(m *testing.M) {
	if path := os.Getenv("DITHER_LOST_PAGES"); path != "" {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			panic(err)
		}
		data, err := syscall.Mmap(int(f.Fd()), 0, os.Getpagesize(), syscall.PROT_READ, syscall.MAP_SHARED)
		if err == nil {
			err = f.Truncate(0)
		}
		if err != nil {
			panic(err)
		}
		os.Exit(int(data[0]))
	}
	os.Exit(m.Run())
}

// lost is how that program ends, and what it says.
func lost(t *testing.T) (syscall.WaitStatus, string) {
	path := filepath.Join(t.TempDir(), "file")
	must.NoError(t, os.WriteFile(path, []byte("x"), 0o600))
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "DITHER_LOST_PAGES="+path)
	said, _ := c.CombinedOutput()
	return c.ProcessState.Sys().(syscall.WaitStatus), string(said)
}

// TestSupervised: a child that is killed, as the system does when memory runs out, or that Go ends for want of memory
// or of a page of a temporary file, is one line and status 1. Any other crash keeps its text and its status.
func TestSupervised(t *testing.T) {
	shell := func(script string) syscall.WaitStatus {
		c := exec.Command("/bin/sh", "-c", script)
		c.Run()
		return c.ProcessState.Sys().(syscall.WaitStatus)
	}
	bus, fault := lost(t)
	for name, c := range map[string]struct {
		state syscall.WaitStatus
		crash string
		says  string
		want  int
	}{
		"done":      {shell("exit 0"), "", "", 0},
		"failed":    {shell("exit 1"), "", "", failed},
		"threshold": {shell("exit 3"), "", "", 3},
		"killed": {shell("kill -9 $$"), "", "dither: killed, as the system does when memory runs out; no release was " +
			"written; ", failed},
		"early":  {shell("kill -15 $$"), "", "dither: interrupted; no release was written\n", failed},
		"unread": {shell("kill -13 $$"), "", "", 141},
		"memory": {shell("exit 2"), "fatal error: runtime: out of memory\n\nruntime stack:\n", "dither: out of memory; " +
			"no release was written; ", failed},
		"threads": {shell("exit 2"), "runtime: may need to increase max user processes (ulimit -u)\nfatal error: " +
			"newosproc\n", "dither: out of memory; ", failed},
		"metadata": {shell("exit 2"), "fatal error: failed to reserve page summary memory\n", "dither: out of memory; ",
			failed},
		"pages": {bus, fault, "dither: a file in " + os.TempDir() + ", the folder for temporary files, cannot", failed},
		"said": {shell("exit 2"), "fatal error: " + said + "dither: out of memory: it\nruntime: out of memory\n",
			"dither: out of memory: it\n", failed},
		"panic": {shell("exit 2"), "panic: index out of range\n", "panic: index out of range\n", 2},
	} {
		var w bytes.Buffer
		got := outcome(c.state, []byte(c.crash), &w)
		if got != c.want || !strings.HasPrefix(w.String(), c.says) || (c.says == "") != (w.Len() == 0) ||
			strings.Count(w.String(), "\n") > 1 {
			t.Errorf("%s: status %d, %q", name, got, w.String())
		}
	}
}
