//go:build !race

// The scripts run every verb on smaller tables, which is enough for the race detector.

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/chance"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestGuide runs every command of docs/guide.md, in order, with the policies that the guide shows. A quick run parses
// them only.
func TestGuide(t *testing.T) {
	page := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", "guide.md")))(t)
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	policy, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("the guide shows no policy")
	}
	t.Chdir(t.TempDir())
	must.NoError(t, os.WriteFile("policy.yaml", []byte(policy), 0o600))
	for k, name := range []string{"example.seed", "run.seed"} { // what is judged is the same in every run
		must.NoError(t, os.WriteFile(name, fmt.Appendf(nil, "%064x\n", k+1), 0o600))
	}
	for block := range strings.SplitSeq(string(page), "```") {
		head, text, _ := strings.Cut(block, "\n")
		if kind, name, ok := strings.Cut(head, " "); ok && (kind == "yaml" || kind == "text") { // a file that the guide shows
			must.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		}
	}
	n := 0
	for line := range strings.Lines(string(page)) {
		command, ok := strings.CutPrefix(line, "    dither ")
		if !ok {
			continue
		}
		n++
		args := strings.Fields(command)
		if !long.Enabled() {
			parses(t, args)
			continue
		}
		var out, complaint bytes.Buffer
		ctx := t.Context()
		if args[0] == "workbench" { // serves until somebody ends it
			soon, stop := context.WithTimeout(ctx, 100*time.Millisecond)
			defer stop()
			ctx = soon
		}
		chance.Begin(t)
		code := run(ctx, args, strings.NewReader(""), &out, &complaint)
		if code != exitDone {
			t.Fatalf("dither %s: exit %d: %s", strings.Join(args, " "), code, complaint.String())
		}
	}
	if n < 8 {
		t.Errorf("only %d commands were found in the guide", n)
	}
}

// parses checks that the program has a command that a page shows, with its flags and arguments.
func parses(t *testing.T, args []string) {
	t.Helper()
	root := (&app{out: &strings.Builder{}, err: &strings.Builder{}}).root(nil)
	c, rest, err := root.Find(args)
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err == nil {
		err = c.ValidateArgs(c.Flags().Args())
	}
	if err != nil || c == root {
		t.Errorf("dither %s: %v", strings.Join(args, " "), err)
	}
}
