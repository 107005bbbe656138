package main

import (
	"bytes"
	"errors"
	"os/exec"
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
