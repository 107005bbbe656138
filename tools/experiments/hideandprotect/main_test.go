package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// TestWays: each is made of techniques of the catalogue, and takes a list of rules where one of them hides.
func TestWays(t *testing.T) {
	for _, w := range ways[1:] {
		m, err := catalog.Method(w.method)
		if err != nil {
			t.Fatal(err)
		}
		if hides := strings.Contains(w.method, "hide2a"); hides != w.hides || w.method != "hide2a" &&
			m.Purpose == protect.Hides {
			t.Errorf("%s hides: %t, its purpose is %s", w.name, w.hides, m.Purpose)
		}
	}
}

// TestRun: of the hospital table, the original and what hides alone or protects alone are withheld or show the rules,
// and a release that protects and then hides meets the limits.
func TestRun(t *testing.T) {
	hospital, err := patients(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := &set{title: "patients", file: "patients", class: "readmitted", support: 0.05, confidence: 0.6,
		Table: rerun.Select(hospital, func(a *table.Attribute) bool { return a.Name != "bmi" })}
	if err := s.run(t.Context(), t.TempDir(), 1); err != nil {
		t.Fatal(err)
	}
	state := func(name string) (string, result) {
		k := slices.IndexFunc(ways, func(w way) bool { return w.name == name })
		return s.results[k].verdicts[0], s.results[k]
	}
	if v, r := state("the original"); v != string(study.Withheld) || r.failure[0] != 1 || r.misses[0] != 0 {
		t.Errorf("the original: %s, %+v", v, r)
	}
	if v, r := state("hiding alone"); v != string(study.Withheld) || r.failure[0] != 0 || r.found[0] < 0.1 {
		t.Errorf("hiding alone: %s, %+v", v, r)
	}
	if v, r := state("segment synthesis, then hiding"); v != string(study.Meets) || r.failure[0] != 0 ||
		r.found[0] > 0.09 {
		t.Errorf("both: %s, %+v", v, r)
	}
	if _, r := state("segment synthesis alone"); r.failure[0] < 0.5 || r.found[0] > 0.09 {
		t.Errorf("protecting alone: %+v", r)
	}
	var b strings.Builder
	s.write(&b)
	if text := b.String(); strings.Contains(text, "NaN") || strings.Count(text, "\n| ") != len(ways)+1 {
		t.Error(text)
	}
}
