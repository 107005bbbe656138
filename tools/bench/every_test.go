package main

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What is finished is not run again, an entry that was stopped is not tried on more records, and the page says both.
func TestEveryGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "every.jsonl")
	synctest.Test(t, func(t *testing.T) { goesOn(t, path) })
}

// goesOn is TestEveryGoesOn by a clock of its own, by which what does not wait takes no time.
func goesOn(t *testing.T, path string) {
	e := &every{sizes: []int{10, 100, 1000}, limit: 20 * time.Millisecond}
	f, err := e.resume(path)
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	quick := func(context.Context) (string, error) { ran++; return "Adult", nil }
	slow := func(ctx context.Context) (string, error) { ran++; <-ctx.Done(); return "", ctx.Err() }
	never := func(context.Context) (string, error) { ran++; return "", errors.New("it wants a class") }
	all := func() {
		for _, n := range e.sizes {
			for name, work := range map[string]func(context.Context) (string, error){"rpt": quick, "mdav": slow, "capt": never} {
				if err := e.once(t.Context(), key{"technique", name, n}, work); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	all()
	if ran != 5 {
		t.Errorf("%d runs, expected three of the quick one and one of each other", ran)
	}
	f.Close()
	if f, err = e.resume(path); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if all(); ran != 5 {
		t.Errorf("%d runs after going on", ran)
	}
	var page bytes.Buffer
	e.print(&page)
	for _, want := range []string{"| mdav |  | over 0 |  |  | |\n", "- capt: it wants a class\n", "| rpt | Adult |"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%q is not in the page", want)
		}
	}
	if err := os.WriteFile(path, []byte(`{"kind":"technique","name":"rpt","records":10,"wall":1}`+"\n"+`{"kind":"tech`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (&every{}).resume(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("half a line: %v", err)
	}
}

func TestSlope(t *testing.T) {
	e := &every{sizes: []int{10, 100, 1000}, runs: map[key]timed{
		{"measure", "dcr", 10}: {
			Processor: 7,
		}, {"measure", "dcr", 100}: {Processor: 0.01}, {"measure", "dcr", 1000}: {Processor: 1},
		{"measure", "nndr", 10}: {
			Processor: 0.1,
		}, {"measure", "nndr", 100}: {Processor: 0.15}, {"measure", "nndr", 1000}: {Over: true},
	}}
	if s := e.slope("measure", "dcr"); math.Abs(s-2) > 1e-12 {
		t.Errorf("the slope is %v, expected 2", s)
	}
	if s := e.slope("measure", "nndr"); s == s {
		t.Errorf("a slope of %v of so short a time", s)
	}
}

func TestInto(t *testing.T) {
	page := into("text\n", beginEvery, "one\n")
	if again := into(page, beginEvery, "two\n"); strings.Contains(again, "one") ||
		!strings.Contains(again, beginEvery+"two\n"+end) ||
		!strings.HasPrefix(again, "text\n") {
		t.Errorf("%q", again)
	}
	if page = into(page+"after\n", beginEvery, "two\n"); !strings.HasSuffix(page, "after\n") {
		t.Errorf("%q", page)
	}
}
