//go:build !race

// The verbs that the demo calls have scripts of their own, which is enough for the race detector.

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestDemoVerb: the README's main job, in a folder where an earlier one left its files.
func TestDemoVerb(t *testing.T) {
	long.Only(t, "the whole pipeline on the table of the README")
	dir := filepath.Join(t.TempDir(), "dither-demo")
	e := must.Get(desk.NewExample(t.Context(), dir))(t)
	files := []string{e.Holdout, e.Release, e.Report, e.Plan, e.Map}
	for _, path := range files {
		must.NoError(t, os.WriteFile(path, []byte("left"), 0o600))
	}
	out, notes := done(t, "demo", "--dir", dir)
	says(t, out, "1. ", "invented patients", "2. dither inspect ", "3. dither protect ", "4. dither evaluate ",
		"5. dither compare ")
	if end := opener() + " " + e.Report + "\n  " + opener() + " " + e.Map + "\n"; !strings.HasSuffix(out, end) {
		t.Errorf("it does not end with how the report and the map are opened: %q", end)
	}
	if page, err := os.ReadFile(e.Map); err != nil || !strings.Contains(string(page), `id="map-t"`) {
		t.Errorf("the map is not drawn: %v", err)
	}
	// where a machine takes minutes it is told how far the work is, and nothing else
	for line := range strings.Lines(notes) {
		if !strings.HasSuffix(line, " %\n") {
			t.Error(line)
		}
	}
	for _, path := range files {
		if got, err := os.ReadFile(path); err != nil || string(got) == "left" {
			t.Errorf("%s is not written: %v", path, err)
		}
	}
}
