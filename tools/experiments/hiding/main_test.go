package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/protect"
)

// TestEveryTechnique: the page leaves out no technique that hides listed patterns in any table.
func TestEveryTechnique(t *testing.T) {
	var want, have []string
	for _, m := range catalog.Methods() {
		if m.Purpose == protect.Hides && m.Sets {
			want = append(want, m.Name)
		}
	}
	for _, e := range techniques {
		if !slices.Contains(have, e.name) {
			have = append(have, e.name)
		}
	}
	slices.Sort(want)
	if slices.Sort(have); !slices.Equal(want, have) {
		t.Errorf("the page has %q, the catalogue %q", have, want)
	}
}

// TestRun hides rules of a few transactions by every technique: who hides all itemsets loses no fewer than the optimum,
// which is proved here.
func TestRun(t *testing.T) {
	quest, err := generator(t.Context(), "quest", 2000)
	if err != nil {
		t.Fatal(err)
	}
	s := set{title: "Quest", support: 0.005, confidence: 0.4, Table: quest}
	if err := s.mine(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.run(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.results {
		for n, o := range s.optima {
			if !o.proved {
				t.Fatalf("draw %d is not proved: %+v", n, o)
			}
			if r.visible[n] == 0 && int(r.lost[n]) < o.least {
				t.Errorf("%s loses %v itemsets, and no release fewer than %d", r.name, r.lost[n], o.least)
			}
			if r.failure[n] < 0 || r.failure[n] > 1 || r.misses[n] < 0 || r.misses[n] > 1 || r.time[n] <= 0 {
				t.Errorf("%s: %+v", r.name, r)
			}
		}
		if r.name == "exacthiding" && (r.failure[0] > 0 || int(r.lost[0]) != s.optima[0].least) {
			t.Errorf("exacthiding: %+v beside %+v", r, s.optima[0])
		}
	}
	var b bytes.Buffer
	if err := page(&b, []set{s}, 2); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "{{") || !strings.Contains(strings.Join(strings.Fields(text), " "), "proved for 2 of 2 draws") || !regexp.MustCompile(`(?m)^\| hide2b \| 0 % \|`).MatchString(text) {
		t.Error(text)
	}
}
