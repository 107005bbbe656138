package desk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// TestTry: the figures of a trial on all are those of the release that the same policy and seed make, and nothing is written but the seed.
func TestTry(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	text := "age,town,ill\n"
	for i := range 120 {
		text += string('1'+rune(i%7)) + string('0'+rune(i*3%10)) + []string{",Ulm", ",Bonn", ",Kiel"}[i%3] + []string{",yes\n", ",no\n"}[i/3%2]
	}
	for name, data := range map[string]string{"t.csv": text, "p.yaml": "version: 1\nclass: ill\nlimits: none\nmethod: {name: rpt}\n"} {
		if err := os.WriteFile(in(name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := &Desk{}
	s := Source{Path: in("t.csv"), Policy: in("p.yaml")}
	tried, err := d.Try(t.Context(), TryRequest{Source: s, SeedFile: in("seed")})
	if err != nil {
		t.Fatal(err)
	}
	if names, _ := os.ReadDir(dir); len(names) != 3 {
		t.Errorf("a trial writes files: %v", names)
	}
	made, err := d.Protect(t.Context(), ProtectRequest{Source: s, SeedFile: in("seed"), Release: in("out.csv"), Report: in("r.html")})
	if err != nil {
		t.Fatal(err)
	}
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
		if o := made.Outcome.Measures[k]; m.Name != o.Name || m.Value.Score != o.Value.Score && m.Value.Score == m.Value.Score {
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
	tab, err := table.New(who)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int][]float64{0: who.Num, 5: who.Num, 9: who.Num, 2: {3, 3, 5}} {
		l := &Loaded{Table: tab, File: study.File{Rows: 8}}
		if l.thin(n); !slices.Equal(l.Table.Num(0), want) || l.File.Rows != len(want) {
			t.Errorf("%d people: %v", n, l.Table.Num(0))
		}
	}
}
