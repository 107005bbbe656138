package desk

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
)

// TestPlanKeepsTheReading: who evaluates or attacks with the plan, or applies it again, reads the original as it was
// read for the release, and hears so.
func TestPlanKeepsTheReading(t *testing.T) {
	long.Only(t, "six plans of one table")
	f := newFolder(t)
	flags := Source{
		Path: f.registered(t),
		Said: policy.Policy{
			Limits:  "none",
			Class:   "y",
			File:    policy.File{Merge: true, MissingBesides: []policy.Text{"n/a"}},
			Columns: registerCodes,
		},
	}
	bare := Source{Path: flags.Path, Said: policy.Policy{Limits: "none", Class: "y"}}
	p, _ := release(t, f, func(q *ProtectRequest) { q.Source = flags })
	evaluate := func(s Source) (*Evaluation, *listener, error) {
		l := newListener()
		e, err := l.Evaluate(
			ctx,
			EvaluateRequest{
				Source:   s.Saying(policy.Policy{Limits: "none"}),
				Released: p.Files.Release,
				Plan:     p.Files.Plan,
				Measures: []string{"bias", "found"},
				SeedFile: f.fixedSeed(t),
			},
		)
		return e, l, err
	}
	const told = "read as the plan says that its original was: marks of missing values, merged variants, missing values " +
		"of \"age\", missing values of \"born\", missing values of \"score\""
	want, quiet, err := evaluate(flags)
	if err != nil || strings.Contains(quiet.heard(), "read as the plan says") {
		t.Fatal(err, quiet.heard())
	}
	got, heard, err := evaluate(bare)
	if err != nil || !strings.Contains(heard.heard(), told) {
		t.Fatal(err, heard.heard())
	}
	for k, m := range want.Outcome.Measures {
		if got.Outcome.Measures[k].Value.Score != m.Value.Score {
			t.Errorf("%s is %v, with the flags %v", m.Name, got.Outcome.Measures[k].Value.Score, m.Value.Score)
		}
	}
	first := f.read(t, "out.csv")
	if _, heard := release(t, f, func(q *ProtectRequest) {
		q.Source, q.Plan, q.PlanOut = bare, f.path("plan.json"),
			""
	}); f.read(t, "out.csv") != first || !strings.Contains(heard.heard(), told) {
		t.Error("the plan is applied to another reading", heard.heard())
	}
	_, _, err = evaluate(
		Source{
			Path: flags.Path,
			Said: policy.Policy{Class: "y", Columns: map[string]policy.Column{"age": {Missing: []policy.Text{"95"}}}},
		},
	)
	refused(t, "other codes", err, `the plan was made from a table that was read differently: missing values of "age"`)
	if err != nil && strings.Contains(err.Error(), "999") {
		t.Error("a message holds a code")
	}
	other := bare // another file may be written otherwise
	other.Path = f.put(t, "other.csv", strings.ReplaceAll(f.read(t, "register.csv"), "999,9999", "998,9999"))
	other.Said.Columns = map[string]policy.Column{"age": {Missing: []policy.Text{"998"}}}
	if _, heard, err := evaluate(other); err != nil || !strings.Contains(heard.heard(), "; it is read as the request "+
		"says") {
		t.Error(err, heard.heard())
	}
}

// TestPlanWithoutReading: a plan file of an earlier version says nothing of the reading, and nothing is taken from it.
func TestPlanWithoutReading(t *testing.T) {
	f := newFolder(t)
	s := Source{Path: f.registered(t), Said: policy.Policy{Limits: "none", Class: "y", Columns: registerCodes}}
	p, _ := release(t, f, func(q *ProtectRequest) { q.Source = s })
	var file protect.File
	if err := json.Unmarshal([]byte(f.read(t, "plan.json")), &file); err != nil || file.Reading == nil {
		t.Fatal(err)
	}
	file.Reading = nil
	old, err := json.Marshal(file)
	if err != nil || slices.Contains(strings.Split(string(old), `"`), "reading") {
		t.Fatal(err)
	}
	l := newListener()
	_, err = l.Evaluate(
		ctx,
		EvaluateRequest{
			Source:   s.Saying(policy.Policy{Limits: "none"}),
			Released: p.Files.Release,
			Plan:     f.put(t, "old.json", string(old)),
			Measures: []string{"bias"},
		},
	)
	if err != nil || strings.Contains(l.heard(), "as the plan says") {
		t.Error(err, l.heard())
	}
}
