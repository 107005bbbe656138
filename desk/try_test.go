package desk

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/search"
	"github.com/dither-data/dither/table"
)

// TestTry: the figures of a trial on all are those of the release that the same policy and seed make, and nothing is
// written but the seed.
func TestTry(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	text := "age,town,ill\n"
	for i := range 120 {
		text += string(
			'1'+rune(i%7),
		) + string('0'+rune(i*3%10)) + []string{",Ulm", ",Bonn", ",Kiel"}[i%3] + []string{",yes\n", ",no\n"}[i/3%2]
	}
	for name, data := range map[string]string{"t.csv": text, "p.yaml": "version: 1\nclass: ill\nlimits: none\nmethod: " +
		"{name: rpt}\n"} {
		must.NoError(t, os.WriteFile(in(name), []byte(data), 0o600))
	}
	d := &Desk{}
	s := Source{Path: in("t.csv"), Policy: in("p.yaml")}
	tried := must.Get(d.Try(t.Context(), TryRequest{Source: s, SeedFile: in("seed")}))(t)
	if names, _ := os.ReadDir(dir); len(names) != 3 {
		t.Errorf("a trial writes files: %v", names)
	}
	made := must.Get(d.Protect(t.Context(),
		ProtectRequest{Source: s, SeedFile: in("seed"), Release: in("out.csv"), Report: in("r.html")}))(t)
	for j := range made.Outcome.Released.Width() {
		a, b := tried.Outcome.Released.Column(j), made.Outcome.Released.Column(j)
		if !a.Equal(&b) {
			t.Errorf("column %s of the trial is another one", a.Name)
		}
	}
	if len(tried.Outcome.Measures) != len(made.Outcome.Measures) {
		t.Errorf("%d measures are taken, of the release %d", len(tried.Outcome.Measures), len(made.Outcome.Measures))
	}
	for k, m := range tried.Outcome.Measures {
		if o := made.Outcome.Measures[k]; m.Name != o.Name ||
			m.Value.Score != o.Value.Score && m.Value.Score == m.Value.Score {
			t.Errorf("%s: %v, of the release %v", m.Name, m.Value.Score, o.Value.Score)
		}
	}
	some, err := d.Try(t.Context(), TryRequest{Source: s, SeedFile: in("seed"), Sample: 50})
	if err != nil || some.Outcome.Original.Rows() != 50 || some.Outcome.OriginalFile.Rows != 50 {
		t.Errorf("%v", err)
	}
}

// TestThin takes people with all their records, spread evenly, and all where there are not more.
func TestThin(t *testing.T) {
	who := table.NumColumn("who", 1, []float64{1, 1, 2, 3, 3, 4, 5, 1})
	who.Role = table.Person | table.Identifier
	tab := must.Get(table.New(who))(t)
	for n, want := range map[int][]float64{0: who.Num, 5: who.Num, 9: who.Num, 2: {3, 3, 5}} {
		l := &Loaded{Subject: judge.Subject{Table: tab, File: study.File{Rows: 8}}}
		if l.thin(n); !slices.Equal(l.Table.Num(0), want) || l.File.Rows != len(want) {
			t.Errorf("%d people: %v", n, l.Table.Num(0))
		}
	}
}

// TestWritten: what a choice writes into a policy is read back as the same technique with the same parameters, whatever
// the policy named before.
func TestWritten(t *testing.T) {
	for _, hiding := range []bool{false, true} {
		c := &Chosen{Candidates: search.Candidates(hiding)}
		for k, of := range c.Candidates {
			s := search.Setting{Candidate: k}
			for range of.Dials {
				s.Levels = append(s.Levels, search.Levels/3)
			}
			for _, before := range []string{"", "method: {name: rpt, set: {amount: 1}}\n", "method:\n  name: mdav\n  within: " +
				"tree\n", "stages:\n  - {name: mdav}\n  - {name: rpt}\n"} {
				text, err := c.Written("p.yaml", []byte("version: 1 # ours\n"+before+"class: ill\n"), s)
				if err != nil {
					t.Fatalf("%s: %v", of.Name, err)
				}
				p, err := policy.Parse("p.yaml", text)
				if err != nil {
					t.Fatalf("%s: %v\n%s", of.Name, err, text)
				}
				m, err := catalog.Method(p.Technique())
				if err != nil || m.Name != of.Method.Name || !maps.Equal(p.Settings(), of.Params(s)) || p.Class != "ill" {
					t.Errorf("%s: %v\n%s", of.Name, err, text)
				}
			}
		}
	}
}

// TestTryChoice: the release that confirms a choice is the one that the policy gives in which it is written.
func TestTryChoice(t *testing.T) {
	long.Only(t, "a choice and its confirmation")
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	text := "age,town,ill\n"
	for i := range 300 {
		text += string(
			'1'+rune(i*7%8),
		) + string('0'+rune(i*3%10)) + []string{",Ulm", ",Bonn", ",Kiel"}[i*i%3] + []string{",yes\n", ",no\n"}[i*7%8/4]
	}
	before := "version: 1\nclass: ill\nthresholds:\n  - {measure: found, max: 0.6}\nlimits: none\nmethod: {name: mdav, " +
		"within: tree}\n"
	for name, data := range map[string]string{"t.csv": text, "p.yaml": before} {
		must.NoError(t, os.WriteFile(in(name), []byte(data), 0o600))
	}
	d := &Desk{}
	s := Source{Path: in("t.csv"), Policy: in("p.yaml")}
	c, err := d.TryChoice(t.Context(),
		TryChoiceRequest{TryRequest: TryRequest{Source: s, SeedFile: in("seed")}, Methods: []string{"rankswap", "rpt"}})
	if err != nil || c.Chosen == nil {
		t.Fatal(c, err)
	}
	if names, _ := os.ReadDir(dir); len(names) != 3 {
		t.Errorf("a choice writes files: %v", names)
	}
	after, err := c.Written("p.yaml", []byte(before), c.Chosen.Setting)
	if err == nil {
		err = os.WriteFile(in("p.yaml"), after, 0o600)
	}
	must.NoError(t, err)
	again := must.Get(d.Try(t.Context(), TryRequest{Source: s, SeedFile: in("seed")}))(t)
	for j := range again.Outcome.Released.Width() {
		a, b := c.Outcome.Released.Column(j), again.Outcome.Released.Column(j)
		if !a.Equal(&b) {
			t.Errorf("column %s is another one", a.Name)
		}
	}
	if len(c.Outcome.Measures) != len(again.Outcome.Measures) {
		t.Errorf("%d measures are taken, of a trial %d", len(c.Outcome.Measures), len(again.Outcome.Measures))
	}
}
