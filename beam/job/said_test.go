package job

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A delimiter has the names that dither knows, whether the job says it, its policy or the plan.
func TestDelimiter(t *testing.T) {
	var lines []string
	for _, l := range invented(300) {
		lines = append(lines, strings.ReplaceAll(l, ",", "|"))
	}
	want, plan, seedFile := laptop(t, t.TempDir(), lines, "pram", nil)
	for _, name := range []string{"pipe", "|", ""} {
		output := filepath.Join(t.TempDir(), "out")
		q := &Job{Shards: cut(t, t.TempDir(), lines, 3), Plan: plan, SeedFile: seedFile, Said: unlimited, Delimiter: name}
		if _, err := run(t.Context(), q, output, "", rand.New(rand.NewPCG(1, 1))); err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		if got := joined(t, output); got != want {
			t.Errorf("%q: %s", name, differs(want, got))
		}
	}
	q := &Job{Delimiter: "", Inspect: true, Shards: []string{"a.csv"}}
	q.Said.File.Delimiter = "Tab"
	if err := q.Check(); err != nil {
		t.Fatal(err)
	}
	if opt, err := q.options(""); err != nil || opt.Delimiter != '\t' {
		t.Errorf("the policy's delimiter is %q, %v", opt.Delimiter, err)
	}
}

// Of stages that fail at once one error is kept, and stays; a stage that was ended because of it has nothing to tell.
func TestFailed(t *testing.T) {
	for range 50 {
		folder := t.TempDir()
		if err := Failed(folder, fmt.Errorf("ended: %w", context.Canceled)); err == nil || Failure(folder) != nil {
			t.Fatalf("%v is kept: %v", err, Failure(folder))
		}
		var stages sync.WaitGroup
		begin, seen := make(chan bool), make([]error, 8)
		for k := range seen {
			stages.Go(func() {
				<-begin
				_ = Failed(folder, fmt.Errorf("stage %d", k))
				seen[k] = Failure(folder)
			})
		}
		close(begin)
		stages.Wait()
		for k, err := range seen {
			if err == nil || err.Error() != seen[0].Error() {
				t.Fatalf("after stage %d the first error was %v, after stage 0 %v", k, err, seen[0])
			}
		}
	}
}
