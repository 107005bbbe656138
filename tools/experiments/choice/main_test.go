package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// TestSets: every data set of the page has a class where it names one, and those that are held against a grid are among
// them.
func TestSets(t *testing.T) {
	var names []string
	for _, s := range sets {
		names = append(names, s.name)
		text, err := os.ReadFile(dataset.File(t, s.file))
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(text), "\n")
		if s.class != "" && !strings.Contains(","+strings.TrimSpace(head)+",", ","+s.class+",") {
			t.Errorf("%s has no column %s: %s", s.name, s.class, head)
		}
	}
	for _, g := range strings.Split(*grid, ",") {
		if !strings.Contains(strings.Join(names, ","), g) {
			t.Errorf("no data set %s for a grid", g)
		}
	}
}

// TestChoices makes a choice among few techniques that all can and one that nobody can, and prints them.
func TestChoices(t *testing.T) {
	w := work{dir: t.TempDir()}
	var err error
	if w.seed, err = w.secret(1); err != nil {
		t.Fatal(err)
	}
	in := filepath.Join(w.dir, "patients.csv")
	if _, err := (&desk.Desk{}).Generate(t.Context(),
		desk.GenerateRequest{Name: "patients", Rows: 300, Output: in, SeedFile: w.seed}); err != nil {
		t.Fatal(err)
	}
	limits := filepath.Join(w.dir, "limits.yaml")
	if err := os.WriteFile(limits, []byte("name: own\nlimits: [{measure: found, max: 0.6}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var all []result
	for name, methods := range map[string][]string{"Both": {"rankswap", "dataswap"}, "Neither": {"rpt"}} {
		q := w.ask(in, "readmitted", nil)
		q.Methods, q.Said.Limits = methods, limits
		c, err := (&desk.Desk{}).Choose(t.Context(), q)
		if c == nil {
			t.Fatal(err)
		}
		all = append(all, result{set: set{name: name}, Chosen: c, seconds: 1})
	}
	var p rerun.Page
	printChoices(&p, all)
	printRankings(&p, all)
	for _, r := range all {
		steps(&p, r.Chosen)
	}
	finish(&p)
	text := strings.Join(strings.Fields(p.String()), " ")
	for _, want := range []string{"| Neither | 300 | none |", "| Both | 300 | ", "Nothing is chosen.",
		"Chosen and confirmed: ", "- altered: rpt by 1",
		"**2. Data like yours.** Trials are made on 300 of the table's 300 records."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, p.String())
		}
	}
	for _, r := range all {
		if r.name == "Both" && (proven(r.Ranking) < r.Ranking[0].Total || found(r) == "" || settings(r, r.Ranking[0]) == "") {
			t.Errorf("%v loses %v", r.Ranking[0], proven(r.Ranking))
		}
	}
	if strings.Contains(text, "%!") {
		t.Error("a figure has no verb")
	}
}
