//go:build !race

// Under the race detector a process takes seconds to begin, so each kill would come before any work.

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestCompareKilled kills a comparison again and again, each time as its checkpoint has grown by so many bytes more,
// until it ends: its results have the bytes of an undisturbed run.
func TestCompareKilled(t *testing.T) {
	long.Only(t, "a comparison that is killed many times")
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	people := "600"
	if code, _, msg := try(t, "generate", "patients", "-n", people, "-o", path("in.csv")); code != exitDone {
		t.Fatal(msg)
	}
	folds, repeats := "5", "6"
	args := func(name string, more ...string) []string {
		return append([]string{"compare", path("in.csv"), "--class", "readmitted", "--method", "framework,randomframework",
			"--measure", "accuracy,bias", "--folds", folds, "--repeats", repeats, "--seed-file", path("seed"),
			"-o", path(name + ".json"), "--csv", path(name + ".csv"), "--report", path(name + ".html")}, more...)
	}
	if msg, err := process(t, args("whole")...).CombinedOutput(); err != nil {
		t.Fatalf("%s", msg)
	}
	grown := func() int64 {
		st, err := os.Stat(path("checkpoint"))
		if err != nil {
			return 0
		}
		return st.Size()
	}
	r := rand.New(rand.NewPCG(3, 3))
	kills := 0
	for {
		c := process(t, args("killed", "--resume", path("checkpoint"))...)
		var said bytes.Buffer
		c.Stderr = &said
		must.NoError(t, c.Start())
		most, ended := grown()+r.Int64N(2000), make(chan struct{})
		go func() {
			for grown() <= most {
				select {
				case <-ended:
					return
				case <-time.After(time.Millisecond):
				}
			}
			_ = c.Process.Kill()
		}()
		err := c.Wait()
		close(ended)
		if status, ok := c.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signal() == syscall.SIGKILL {
			kills++
			os.Remove(path("killed.json")) // a run killed between its outputs leaves the first, whole
			os.Remove(path("killed.csv"))
			os.Remove(path("killed.html"))
			continue
		}
		if err != nil {
			t.Fatalf("%v: %s", err, said.Bytes())
		}
		break
	}
	if kills == 0 {
		t.Error("the run was never killed")
	}
	for _, ext := range []string{".json", ".csv", ".html"} {
		want, got := must.Get(os.ReadFile(path("whole"+ext)))(t), must.Get(os.ReadFile(path("killed"+ext)))(t)
		if !bytes.Equal(want, got) {
			t.Errorf("%s: %d bytes after %d kills, %d without, and not the same", ext, len(got), kills, len(want))
		}
	}
}
