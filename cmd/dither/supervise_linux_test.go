package main

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSupervised: a child that is killed, as the system does when memory runs out, or that Go ends for want of memory, is one line and status 1. Any other crash
// keeps its text and its status.
func TestSupervised(t *testing.T) {
	shell := func(script string) error { return exec.Command("/bin/sh", "-c", script).Run() }
	for name, c := range map[string]struct {
		err   error
		crash string
		says  string
		want  int
	}{
		"done":      {nil, "", "", exitDone},
		"failed":    {shell("exit 1"), "", "", exitFailed},
		"threshold": {shell("exit 3"), "", "", exitThreshold},
		"killed":    {shell("kill -9 $$"), "", "dither: killed, as the system does when memory runs out; no release was written; ", exitFailed},
		"early":     {shell("kill -15 $$"), "", "dither: interrupted; no release was written\n", exitFailed},
		"memory":    {shell("exit 2"), "fatal error: runtime: out of memory\n\nruntime stack:\n", "dither: out of memory; no release was written; ", exitFailed},
		"threads":   {shell("exit 2"), "runtime: may need to increase max user processes (ulimit -u)\nfatal error: newosproc\n", "dither: out of memory; ", exitFailed},
		"metadata":  {shell("exit 2"), "fatal error: failed to reserve page summary memory\n", "dither: out of memory; ", exitFailed},
		"panic":     {shell("exit 2"), "panic: index out of range\n", "panic: index out of range\n", exitUsage},
		"not begun": {errors.New("wait: no child"), "", "dither: wait: no child\n", exitFailed},
	} {
		var w bytes.Buffer
		got := outcome(c.err, []byte(c.crash), &w)
		if got != c.want || !strings.HasPrefix(w.String(), c.says) || (c.says == "") != (w.Len() == 0) || strings.Count(w.String(), "\n") > 1 {
			t.Errorf("%s: status %d, %q", name, got, w.String())
		}
	}
}

// TestLittleMemory runs the command in address spaces that are too small for its table: one line and status 1, however the memory runs out. Between 1.2 and 1.3 GB
// Go cannot start any program.
func TestLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector needs an address space of its own")
	}
	in := filepath.Join(t.TempDir(), "in.csv")
	done(t, "generate", "patients", "-n", "400000", "-o", in)
	for _, kilobytes := range []string{"900000", "1100000", "1500000"} {
		c := process(t, "protect", in, "--class", "readmitted", "-o", in+".out.csv")
		c.Args = append([]string{"bash", "-c", `ulimit -v "$0"; exec -a dither "$@"`, kilobytes, c.Path}, c.Args[1:]...)
		c.Path = "/bin/bash"
		msg, err := c.CombinedOutput()
		if s := string(msg); c.ProcessState.ExitCode() != exitFailed || !strings.HasPrefix(s, "dither: out of memory") || strings.Count(s, "\n") != 1 {
			t.Errorf("in %s kB: %v, %.300q", kilobytes, err, s)
		}
	}
}
