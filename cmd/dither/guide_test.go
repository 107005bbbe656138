//go:build !race

// The scripts run every verb on smaller tables, which is enough for the race detector.

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/chance"
)

// TestGuide runs every command of docs/guide.md, in order, with the policies that the guide shows. A long test does so
// as the guide does; otherwise there are fewer patients, so limits may break, and what the guide releases under them is
// released without.
func TestGuide(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "guide.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	policy, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("the guide shows no policy")
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("policy.yaml", []byte(policy), 0o600); err != nil {
		t.Fatal(err)
	}
	for k, name := range []string{"example.seed", "run.seed"} { // what is judged is the same in every run
		if err := os.WriteFile(name, fmt.Appendf(nil, "%064x\n", k+1), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for block := range strings.SplitSeq(string(page), "```") {
		head, text, _ := strings.Cut(block, "\n")
		if kind, name, ok := strings.Cut(head, " "); ok && (kind == "yaml" || kind == "text") { // a file that the guide shows
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	n, long := 0, os.Getenv("DITHER_LONG") != ""
	for line := range strings.Lines(string(page)) {
		command, ok := strings.CutPrefix(line, "    dither ")
		if !ok {
			continue
		}
		n++
		args := strings.Fields(command)
		if !long {
			args = onFewer(args)
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
		if code != exitDone && (long || code != exitThreshold && code != exitUnproven) {
			t.Fatalf("dither %s: exit %d: %s", strings.Join(args, " "), code, complaint.String())
		}
	}
	if n < 8 {
		t.Errorf("only %d commands were found in the guide", n)
	}
}

// onFewer is a command of the guide on a tenth of its records, and without limits where it releases them.
func onFewer(args []string) []string {
	if k := slices.Index(args, "-n"); k >= 0 {
		args[k+1] = strings.TrimSuffix(args[k+1], "0")
	} else if args[0] == "generate" {
		args = append(args, "-n", "2000")
	}
	judged := slices.Contains(args, "--accept") || slices.Contains(args, "--plan")
	whole := slices.Contains(args, "patients.csv") || slices.Contains(args, "export.yaml")
	if args[0] == "protect" && whole && !judged {
		args = append(args, "--limits", "none")
	}
	return args
}
