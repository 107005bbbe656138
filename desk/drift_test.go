package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// agedTable writes a table of so many records whose ages begin at some age, with a ward of every fifth.
func agedTable(t *testing.T, path string, n, from, span int, ward string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("age,ward,ill\n")
	for i := range n {
		w, ill := "er", "no"
		if i%5 == 0 {
			w = ward
		}
		if (i*7)%11 < 5 {
			ill = "yes"
		}
		fmt.Fprintf(&b, "%d,%s,%s\n", from+(i*13)%span, w, ill)
	}
	must.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
}

// TestDrift: a plan that is applied to a table like the one that it was made of passes, says how far that is, and keeps
// the first baseline; one to a table of other people breaks a limit, with the column; values that the plan does not
// know, and values outside its ranges, are told apart and refused.
func TestDrift(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	agedTable(t, at("old.csv"), 1000, 20, 60, "icu")
	agedTable(t, at("same.csv"), 800, 20, 60, "icu")
	agedTable(t, at("aged.csv"), 800, 50, 30, "icu")
	agedTable(t, at("wider.csv"), 800, 20, 70, "icu")
	agedTable(t, at("ward.csv"), 800, 20, 60, "spa 7")
	limits := at("limits.yaml")
	if err := os.WriteFile(limits, []byte("limits:\n  - {measure: drift, max: 0.25}\n  - {measure: outside, max: 0.05}\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	d := &Desk{}
	q := ProtectRequest{
		Source: Source{
			Path: at("old.csv"),
			Said: policy.Policy{Limits: "none", Class: "ill", Method: policy.Method{Name: "framework"}},
		},
		Release: at("old.out.csv"),
		PlanOut: at("plan.json"),
	}
	p, err := d.Protect(context.Background(), q)
	must.NoError(t, err)
	if p.Outcome.Drift != nil || p.Outcome.Verdict.Gate.Limits != 0 {
		t.Errorf("a plan that was made here drifts: %+v", p.Outcome.Verdict.Gate)
	}
	for _, c := range []struct {
		name, counts, says string
		accept             []string
	}{
		{"same", "2 of 2 limits kept", "", nil},
		{"aged", "1 of 2 limits broken", "in age", nil},
		{"aged", "2 of 2 limits kept", "", []string{"drift=20"}},
		{"wider", "1 of 2 limits broken", "of the values of age are outside the range of the plan", []string{"drift=20"}},
	} {
		p, err := d.Protect(
			context.Background(),
			ProtectRequest{
				Source:    Source{Path: at(c.name + ".csv"), Said: policy.Policy{Limits: limits, Accept: c.accept, Class: "ill"}},
				Release:   at(c.name + ".out.csv"),
				Plan:      at("plan.json"),
				PlanOut:   at(c.name + ".plan"),
				Overwrite: true,
			},
		)
		if p == nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := p.Outcome.Verdict.Counts().String()
		if got != c.counts || (p.Broken != nil) != strings.Contains(c.counts, "broken") ||
			p.Broken != nil && !strings.Contains(p.Broken.Error(), c.says) {
			t.Errorf("%s: %s, %v", c.name, got, p.Broken)
		}
		doc := p.Document().Drift.Value
		if doc == nil || doc.Planned != 1000 || len(doc.Columns) != 3 || doc.Leaves == nil ||
			!strings.HasPrefix(p.Outcome.Notes[0].String(), "against the 1,000 records") {
			t.Errorf("%s: %+v, %q", c.name, doc, p.Outcome.Notes)
		}
		if study.Published(p.Outcome).Drift != nil {
			t.Error("drift is published")
		}
		if p.Broken == nil {
			how, err := readPlan(at(c.name + ".plan"))
			if err != nil || how.file.Baseline.Records != 1000 {
				t.Errorf("%s: the baseline is not the first one: %v", c.name, err)
			}
		}
	}
	_, err = d.Protect(
		context.Background(),
		ProtectRequest{
			Source:  Source{Path: at("ward.csv"), Said: policy.Policy{Limits: limits, Class: "ill"}},
			Release: at("ward.out.csv"),
			Plan:    at("plan.json"),
		},
	)
	var broken *Broken
	if !errors.As(err, &broken) || !strings.Contains(err.Error(), "ward has 1 value unknown to the plan, in 20 "+
		"% of the records") || strings.Contains(err.Error(), "spa") {
		t.Errorf("a new ward: %v", err)
	}
}

// A policy has limits on drift among its thresholds, and a bound that no share has is refused in its place.
func TestDriftInThePolicy(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	agedTable(t, at("old.csv"), long.Of(300, 1000), 20, 60, "icu")
	agedTable(t, at("wider.csv"), long.Of(200, 800), 20, 70, "icu")
	d := &Desk{}
	must.Get(d.Protect(context.Background(),
		ProtectRequest{Source: Source{Path: at("old.csv"),
			Said: policy.Policy{Limits: "none", Class: "ill", Method: policy.Method{Name: "framework"}}},
			Release: at("old.out.csv"), PlanOut: at("plan.json")}))(t)
	for _, c := range []struct{ thresholds, counts, err string }{
		{"{measure: outside, max: 0.5}, {measure: drift, max: 40}", "2 of 2 limits kept", ""},
		{"{measure: outside, max: 0.01}, {measure: drift, max: 40}", "1 of 2 limits broken", ""},
		{"{measure: outside, max: 1.5}", "", "policy.yaml:3:"},
	} {
		must.NoError(t, os.WriteFile(at("policy.yaml"), []byte("version: 1\nclass: ill\nthresholds: ["+c.thresholds+"]\n"),
			0o600))
		p, err := d.Protect(
			context.Background(),
			ProtectRequest{
				Source:    Source{Path: at("wider.csv"), Policy: at("policy.yaml"), Said: policy.Policy{Limits: "none"}},
				Release:   at("wider.out.csv"),
				Plan:      at("plan.json"),
				Overwrite: true,
			},
		)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v", c.thresholds, err)
			}
		case p == nil:
			t.Errorf("%s: %v", c.thresholds, err)
		case p.Outcome.Verdict.Counts().String() != c.counts:
			t.Errorf("%s: %s", c.thresholds, p.Outcome.Verdict.Counts())
		}
	}
}

// TestDriftOfRestatedTables: the leaves of a plan that sees a table without its computed columns are compared, too; a
// table is like itself.
func TestDriftOfRestatedTables(t *testing.T) {
	f := newFolder(t)
	var b strings.Builder
	b.WriteString("ward,clinic,age,ill\n")
	for i := range 1000 {
		w, age := i%7%4, 20+(i*13)%60
		fmt.Fprintf(&b, "%d,%s,%d,%t\n", 10+w, []string{"Surgery", "Eyes", "Heart", "Skin"}[w], age,
			age > 45 != (w == 1) != (i%11 == 0))
	}
	path := f.put(t, "wards.csv", b.String())
	d := &Desk{}
	said := policy.Policy{Limits: "none", Class: "ill", Method: policy.Method{Name: "framework"}}
	must.Get(d.Protect(t.Context(), ProtectRequest{Source: Source{Path: path, Said: said}, Release: f.path("out.csv"),
		PlanOut: f.path("plan.json")}))(t)
	p := must.Get(d.Protect(t.Context(), ProtectRequest{Source: Source{Path: path, Said: policy.Policy{Limits: "none"}},
		Release: f.path("again.csv"), Plan: f.path("plan.json")}))(t)
	how, err := readPlan(f.path("plan.json"))
	if err != nil || how.file.Restated == nil || len(how.file.Baseline.Leaves) < 2 {
		t.Fatalf("%v: the plan keeps no relation, or has one leaf", err)
	}
	if r := p.Outcome.Drift; r == nil || r.Leaves == nil || r.Leaves.PSI != 0 {
		t.Errorf("a table drifts from itself: %+v", r)
	}
}
