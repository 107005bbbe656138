package desk

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/policy"
)

// A parameter that names sensitive columns is not taken for a list of patterns, and a list of patterns not for columns:
// what a parameter takes is declared, whatever it is called.
func TestSensitiveIsTakenByWhatTakesIt(t *testing.T) {
	f := newFolder(t)
	pol := f.put(t, "p.yaml", "version: 1\nclass: y\ncolumns:\n  age: {role: quasi-identifier}\n  city: {role: "+
		"confidential}\n  y: {role: quasi-identifier}\nmethod: {name: kanonymise, set: {k: 5, l: 2, sensitive: city}}\n"+
		"sensitive: ['city=Ulm=>y=no']\nthresholds: [{measure: hidingfailure, max: 1}]\n")
	p, _ := release(t, f, func(q *ProtectRequest) { q.Policy, q.Said.Limits = pol, "none" })
	for _, v := range p.Outcome.Params {
		if v.Name == "sensitive" && v.Value != "city" {
			t.Errorf("the sensitive column is %v", v.Value)
		}
	}
	counted := false
	for _, m := range p.Outcome.Measures {
		if m.Name == "hidingfailure" {
			counted = m.Err.Empty() && !m.Skip
		}
	}
	if !counted {
		t.Error("the patterns of the policy are not counted beside a sensitive column")
	}

	q := comparison(t, f)
	q.Methods, q.Measures, q.Repeats = []string{"kanonymise", "hide2b"}, []string{"hidingfailure"}, 1
	q.Tables[0].Said.Sensitive = []policy.Text{"city=Ulm,y=no"}
	c, err := newListener().Compare(ctx, q)
	if err != nil || c.Failed != 0 {
		t.Fatalf("%v, %d runs failed", err, c.Failed)
	}
	for _, v := range c.Comparison.Settings[1].Params {
		if v.Name == "sensitive" && v.Value != "" {
			t.Errorf("kanonymise takes the patterns for columns: %v", v.Value)
		}
	}
	if hides := c.Comparison.Settings[2].Params[0]; hides.Name != "sensitive" || hides.Value != "city=Ulm,y=no" {
		t.Errorf("hide2b hides %v", hides)
	}
}

// An option without a stage goes to the only stage that has it, and one that several have must name its stage.
func TestOptionsReachTheirStage(t *testing.T) {
	f := newFolder(t)
	list := f.put(t, "list.txt", "\"age in [46, 57)\"=>y=yes\n") // cut where the original is, which the first stage moves
	set := func(set map[string]policy.Text) func(*ProtectRequest) {
		return func(q *ProtectRequest) {
			q.Said.Method = policy.Method{Name: "forestframework+hide2a", Set: set}
			q.Said.SensitiveFile = list
		}
	}
	p, _ := release(t, f, set(map[string]policy.Text{"confidence": "0.1", "spread": "7"}))
	got := map[string]any{}
	for _, v := range p.Outcome.Params {
		got[v.Name] = v.Value
	}
	if got["2.sensitive"] != "\"age in [46, 57)\"=>y=yes\n" || got["2.confidence"] != 0.1 || got["1.spread"] != 7.0 {
		t.Errorf("the stages have %v", got)
	}
	if p.Outcome.Patterns == nil || p.Outcome.Patterns.Listed != 1 || p.Outcome.Patterns.Found != 0 {
		t.Errorf("what became of the patterns is not counted: %+v", p.Outcome.Patterns)
	}
	for own, want := range map[string]string{"2.confidence": "2.confidence says it, too", "nodes": "it takes"} {
		q := ProtectRequest{Source: Source{Path: f.people(t, 60), Said: policy.Policy{Limits: "none", Class: "y"}},
			Release: f.path("other.csv")}
		set(map[string]policy.Text{"confidence": "0.1", own: "0.2"})(&q)
		if _, err := newListener().Protect(ctx, q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", own, err)
		}
	}
	q := ProtectRequest{Source: Source{Path: f.people(t, 60), Said: policy.Policy{Limits: "none", Class: "y",
		Method: policy.Method{Name: "pram+rpt+pram", Set: map[string]policy.Text{"keep": "0.5"}}}},
		Release: f.path("other.csv")}
	_, err := newListener().Protect(ctx, q)
	if err == nil || !strings.Contains(err.Error(), "say 1.keep or 3.keep") {
		t.Error(err)
	}
}
