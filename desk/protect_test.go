package desk

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// release makes a release of people with a fixed seed, with all outputs.
func release(t *testing.T, f folder, change func(*ProtectRequest)) (*Protection, *listener) {
	t.Helper()
	q := ProtectRequest{
		Source:    Source{Path: f.people(t, 60), Said: policy.Policy{Limits: "none", Class: "y"}},
		Release:   f.path("out.csv"),
		SeedFile:  f.fixedSeed(t),
		PlanOut:   f.path("plan.json"),
		Overwrite: true,
	}
	if change != nil {
		change(&q)
	}
	l := newListener()
	p, err := l.Protect(ctx, q)
	if p == nil || !errors.Is(err, refusal(p.Broken)) {
		t.Fatal(err)
	}
	return p, l
}

func TestProtect(t *testing.T) {
	f := newFolder(t)
	p, _ := release(t, f, nil)
	o := p.Outcome
	if p.Broken != nil || p.Measured || len(o.Measures) != 2 || o.Measures[0].Name != "constraintviolations" ||
		o.Measures[0].Value.Score != 0 || o.Measures[1].Name != "segments" || o.Measures[1].Value.Score != 1 {
		t.Errorf("without a report what became of relations and the certificate alone are taken, and hold: %+v", o.Measures)
	}
	if p.Files != (Files{Release: f.path("out.csv"), Plan: f.path("plan.json")}) || o.ReleasedFile.Rows != 60 ||
		o.ReleasedFile.Columns != 4 {
		t.Errorf("%+v, %+v", p.Files, o.ReleasedFile)
	}
	first := f.read(t, "out.csv")
	if strings.Contains(first, "person1") || strings.Count(first, "\n") != 61 {
		t.Error("an identifier is released, or records are lost")
	}
	again := load(t, Source{Path: f.path("out.csv")})
	if again.File.SHA256 != o.ReleasedFile.SHA256 || o.Version != "dither test" || o.Commitment == "" {
		t.Errorf("the outcome does not tell of the release: %+v", o.ReleasedFile)
	}
	if release(t, f, nil); f.read(t, "out.csv") != first {
		t.Error("one seed gives two releases")
	}
	release(t, f, func(q *ProtectRequest) { q.Plan, q.PlanOut = f.path("plan.json"), "" })
	if f.read(t, "out.csv") != first {
		t.Error("a plan gives another release than fitting")
	}
	release(t, f, func(q *ProtectRequest) { q.SeedFile = "" })
	if f.read(t, "out.csv") == first {
		t.Error("a fresh seed gives the same release")
	}
}

// TestProtectPolicy: the policy names technique and parameters unless the request does; its pseudonyms and kept columns
// count.
func TestProtectPolicy(t *testing.T) {
	f := newFolder(t)
	pol := f.put(t, "p.yaml", "version: 1\nclass: y\ncolumns:\n  name: {identifier: pseudonymise}\n  city: {keep: "+
		"true}\nmethod: {name: framework, set: {spread: 20}}\n")
	param := func(p *Protection, name string) any {
		for _, v := range p.Outcome.Params {
			if v.Name == name {
				return v.Value
			}
		}
		return nil
	}
	with := func(change func(*ProtectRequest)) *Protection {
		p, _ := release(t, f, func(q *ProtectRequest) {
			q.Policy = pol
			if change != nil {
				change(q)
			}
		})
		return p
	}
	p := with(nil)
	if p.Outcome.Method.Name != "framework" || param(p, "spread") != 20.0 || p.Outcome.ReleasedFile.Columns != 5 {
		t.Errorf("%s, spread %v, %d columns", p.Outcome.Method.Name, param(p, "spread"), p.Outcome.ReleasedFile.Columns)
	}
	for _, c := range p.Outcome.Changes {
		if c.Column == "city" && c.Changed != 0 {
			t.Error("a column that is to be kept is changed")
		}
	}
	if p = with(func(q *ProtectRequest) { q.Said.Method.Set = map[string]policy.Text{"spread": "30"} }); param(p,
		"spread") != 30.0 {
		t.Errorf("the request's spread does not win: %v", param(p, "spread"))
	}
	if p = with(func(q *ProtectRequest) { q.Said.Method.Name = "rpt" }); p.Outcome.Method.Name != "rpt" {
		t.Error("the request's technique does not win")
	}
	noisy := func(q *ProtectRequest) { q.Said.Method.Name = "kim" }
	if p = with(noisy); p.Outcome.Params == nil || p.Outcome.Corrections == nil {
		t.Error("an internal outcome does not tell how to correct for the noise")
	}
	if p = with(func(q *ProtectRequest) { noisy(q); q.Said.Public = true }); p.Outcome.Params != nil ||
		p.Outcome.Corrections != nil {
		t.Error("a public outcome tells the noise")
	}
}

// TestWithheld: a broken threshold withholds the release and its plan; the report is written and says what was
// measured.
func TestWithheld(t *testing.T) {
	f := newFolder(t)
	pol := f.put(t, "p.yaml", "version: 1\nclass: y\nthresholds:\n  - {measure: bias, max: 0}\n")
	p, _ := release(t, f, func(q *ProtectRequest) { q.Policy, q.Report = pol, f.path("r.html") })
	if p.Broken == nil || !strings.HasPrefix(p.Broken.Error(), "the release is withheld: Change of correlations, and "+
		"bias by type is ") || !p.Measured {
		t.Fatalf("%v", p.Broken)
	}
	if got := f.names(t); got != "p.yaml people.csv r.html seed" {
		t.Errorf("there are %s", got)
	}
	if p.Files != (Files{Report: f.path("r.html")}) || p.Outcome.ReleasedFile.SHA256 != "" {
		t.Errorf("%+v", p.Files)
	}
	if doc := p.Document(); doc.Written || doc.Files != (FilesDocument{Report: f.path("r.html")}) {
		t.Errorf("the document tells of a release: %+v", doc.Files)
	}
}

func TestProtectRefused(t *testing.T) {
	f := newFolder(t)
	in, out := f.people(t, 30), f.path("out.csv")
	old := f.put(t, "old.csv", "x")
	src := Source{Path: in, Said: policy.Policy{Class: "y"}}
	for _, c := range []struct {
		name string
		q    ProtectRequest
		says string
	}{
		{"no name", ProtectRequest{Source: src}, "no name"},
		{"a plan and a technique", ProtectRequest{Source: src.Saying(policy.Policy{Method: policy.Method{Name: "rpt"}}),
			Release: out, Plan: "p"}, "a plan brings its technique"},
		{"a plan and parameters", ProtectRequest{
			Source:  src.Saying(policy.Policy{Method: policy.Method{Set: map[string]policy.Text{"p": "1"}}}),
			Release: out, Plan: "p"}, "a plan brings its technique"},
		{"an old release", ProtectRequest{Source: src, Release: old}, "old.csv exists"},
		{"an old report", ProtectRequest{Source: src, Release: out, Report: old}, "old.csv exists"},
		{"an old plan", ProtectRequest{Source: src, Release: out, PlanOut: old}, "old.csv exists"},
		{"the input", ProtectRequest{Source: src, Release: in, Overwrite: true}, "is an input"},
		{"the plan it applies", ProtectRequest{Source: src, Release: out, Plan: old, Report: old, Overwrite: true},
			"is an input"},
		{"one file twice", ProtectRequest{Source: src, Release: out, PlanOut: out}, "named for two outputs"},
		{"an unknown technique", ProtectRequest{
			Source: src.Saying(policy.Policy{Method: policy.Method{Name: "framwork"}}), Release: out}, `did you mean "framework"`},
		{"an unknown parameter", ProtectRequest{
			Source: src.Saying(policy.Policy{Method: policy.Method{Set: map[string]policy.Text{"sprad": "3"}}}), Release: out}, `segmentsynthesis: unknown parameter "sprad"`},
		{"the columns of what does not work by column", ProtectRequest{
			Source: src.Saying(policy.Policy{Method: policy.Method{Name: "rpt",
				Set: map[string]policy.Text{"columns": "age"}}}),
			Release: out}, `rpt: unknown parameter "columns"; RPT does not work by column; it changes: the class`},
		{"columns that are misspelt", ProtectRequest{
			Source: src.Saying(policy.Policy{Method: policy.Method{Name: "sadp",
				Set: map[string]policy.Text{"columns": "agee"}}}),
			Release: out}, `has no column "agee"`},
		{"a parameter out of range", ProtectRequest{
			Source:  src.Saying(policy.Policy{Method: policy.Method{Set: map[string]policy.Text{"leaf": "-3"}}}),
			Release: out}, "leaf"},
		{"an intruder who knows no column", ProtectRequest{Source: Source{Path: in,
			Policy: f.put(t, "i.yaml", "version: 1\nintruders: [{name: n, knows: [gone]}]\n"), Said: policy.Policy{Class: "y"}},
			Release: out}, "gone"},
	} {
		_, err := (&Desk{}).Protect(ctx, c.q)
		refused(t, c.name, err, c.says)
	}
	if got := f.names(t); got != "i.yaml old.csv people.csv" || f.read(t, "old.csv") != "x" {
		t.Errorf("a refused request wrote: %s", got)
	}
}

func TestProtectFailures(t *testing.T) {
	f := newFolder(t)
	src := Source{Path: f.people(t, 30), Said: policy.Policy{Class: "y"}}
	f.put(t, "bad.json", "{}")
	for _, c := range []struct {
		name string
		q    ProtectRequest
		says string
	}{
		{"no table", ProtectRequest{Source: Source{Path: f.path("gone.csv")}, Release: f.path("out.csv")}, "gone.csv"},
		{"no plan", ProtectRequest{Source: src, Release: f.path("out.csv"), Plan: f.path("gone.json")}, "gone.json"},
		{"one class", ProtectRequest{Source: Source{Path: f.put(t, "one.csv", "a,y\n1,no\n2,no\n"),
			Said: policy.Policy{Class: "y"}}, Release: f.path("out.csv")}, "one.csv"},
		{"no folder", ProtectRequest{Source: src, Release: f.path("nowhere/out.csv")}, "nowhere"},
	} {
		_, err := (&Desk{}).Protect(ctx, c.q)
		failed(t, c.name, err, c.says)
	}
	for what, q := range map[string]ProtectRequest{
		"a wrong plan": {Source: src, Release: f.path("out.csv"), Plan: f.path("bad.json")},
		"a bad seed":   {Source: src, Release: f.path("out.csv"), SeedFile: f.path("bad.json")},
	} {
		_, err := (&Desk{}).Protect(ctx, q)
		refused(t, what, err, "bad.json")
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := (&Desk{}).Protect(stopped, ProtectRequest{Source: src, Release: f.path("out.csv")}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("an interrupted request ends with %v", err)
	}
	if strings.Contains(f.names(t), "out.csv") {
		t.Error("a failed request wrote a release")
	}
}

func TestProtectDocument(t *testing.T) {
	f := newFolder(t)
	p, _ := release(t, f, nil)
	data := must.Get(json.Marshal(p.Document()))(t)
	var got struct {
		Schema, Version, Method, SeedCommitment string
		Original, Released                      study.File
		Columns                                 []struct {
			Column, Kind, Role, Action string
			Changed                    *float64
		}
		Measures []struct {
			Name          string
			Score, Lo, Hi *float64
		}
		NotProtected []message.Sentence
		Parameters   []struct{ Name string }
		Files        Files
	}
	must.NoError(t, json.Unmarshal(data, &got))
	if got.Schema != "dither/protect/4" || got.Version != "dither test" || got.Method != DefaultMethod ||
		len(got.SeedCommitment) != 64 ||
		got.Files.Release != f.path("out.csv") {
		t.Errorf("%s", data)
	}
	if got.Original.Name != "people.csv" || got.Released.Name != "out.csv" || got.Released.SHA256 == "" ||
		len(got.NotProtected) == 0 ||
		len(got.Parameters) == 0 {
		t.Errorf("%+v", got)
	}
	if len(got.Columns) != 5 || got.Columns[0].Action != "dropped" || got.Columns[0].Changed != nil ||
		got.Columns[1].Changed == nil ||
		got.Columns[1].Kind != "numeric" {
		t.Errorf("columns %+v", got.Columns)
	}
	if len(got.Measures) != 2 || got.Measures[0].Score == nil || *got.Measures[0].Score != 0 ||
		got.Measures[1].Score == nil || *got.Measures[1].Score != 1 {
		t.Errorf("measures %+v", got.Measures)
	}
}

// TestWithin: a policy's segments hold for its technique; another technique is not quietly let loose on the whole
// table.
func TestWithin(t *testing.T) {
	f := newFolder(t)
	file := f.put(t, "within.yaml", "version: 1\nclass: y\nmethod: {name: rankswap, within: {tree: {minLeaf: 10}}}\n")
	ask := func(method, within string) error {
		m := policy.Method{Name: method}
		if within != "" {
			m.Within = &policy.Within{By: within}
		}
		_, err := newListener().Protect(
			ctx,
			ProtectRequest{
				Source:    Source{Path: f.people(t, 60), Policy: file, Said: policy.Policy{Limits: "none", Class: "y", Method: m}},
				Release:   f.path("out.csv"),
				Overwrite: true,
			},
		)
		return err
	}
	for _, c := range []struct {
		method, within string
		refused        bool
	}{{"", "", false}, {"rankswap", "", true}, {"rankswap", "tree", false}, {"rankswap-within", "", false}} {
		err := ask(c.method, c.within)
		var wrong *Usage
		if errors.As(err, &wrong) != c.refused || (err != nil) != c.refused {
			t.Errorf("method %q within %q: %v", c.method, c.within, err)
		}
	}
}
