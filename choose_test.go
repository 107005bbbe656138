package dither_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/dither-data/dither"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/trial"
	"github.com/dither-data/dither/table"
)

// The same table, policy and seed have the same choice in memory and by the command: the technique, its parameters,
// what they lose, what is out, the verdict, and the release byte by byte.
func TestMemoryIsChosenForAsFiles(t *testing.T) {
	long.Only(t, "a choice among three techniques, twice")
	ctx, dir := t.Context(), t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	people, seed := generate.Patients(300, rng.New([32]byte{1})), rng.SeedOf([32]byte{7})
	path := filepath.Join(dir, "patients.csv")
	must.Get(format.Write(ctx, path, people, format.Options{}))(t)
	read, _, err := format.Read(ctx, path, format.Options{})
	must.NoError(t, err)
	// The technique that the policy names is not among the candidates.
	limits := put("limits.yaml", "name: few\nlimits:\n- {measure: found, max: 0.26}\n")
	rules := "version: 1\nclass: readmitted\nmethod: {name: framework}\nblank-lookups: true\nlimits: " + limits + "\n"
	pol := must.Get(policy.Parse("policy.yaml", []byte(rules)))(t)
	methods := []string{"rankswap", "mdav", "rpt"}
	const purpose = "accuracy=3,correlations=1"

	d := must.Get(dither.Open(ctx, dither.Memory("patients.csv", read), pol))(t)
	c := must.Get(dither.Choose(ctx, d, dither.Purpose{For: purpose, Methods: methods}, dither.Seed(seed)))(t)
	var own bytes.Buffer
	must.NoError(t, dither.WriteTo(ctx, c.Release, &own, "release.csv"))

	out := filepath.Join(dir, "release.csv")
	q := desk.ChooseRequest{Methods: methods, For: purpose, ProtectRequest: desk.ProtectRequest{Release: out,
		Source: desk.Source{Path: path, Policy: put("policy.yaml", rules)}, SeedFile: put("seed", seed.Reveal())}}
	by := must.Get((&desk.Desk{}).Choose(ctx, q))(t)
	of := by.Candidates[by.Chosen.Candidate]
	if set := of.Params(by.Chosen.Setting); c.Technique != of.Method.Name || !maps.Equal(c.Set, set) || len(set) == 0 {
		t.Errorf("%s %v is chosen, by the command %s %v", c.Technique, c.Set, of.Method.Name, set)
	}
	if !slices.Equal(c.Chosen.Losses, by.Chosen.Losses) || c.Trials != by.Trials || len(c.Rejected) == 0 ||
		len(c.Rejected) != len(by.Rejected) {
		t.Errorf("%+v\nby the command\n%+v", c.Choice, by.Choice)
	}
	if a, b := figures(t, c.Release.Verdict()), figures(t, by.Outcome.Verdict); a != b {
		t.Errorf("%s\nby the command\n%s", a, b)
	}
	if written, err := os.ReadFile(out); err != nil || !bytes.Equal(written, own.Bytes()) {
		t.Errorf("the release is another one than the command's (%v)", err)
	}
}

// Where no candidate keeps the limits nothing is released, and the error says so.
func TestNothingIsChosen(t *testing.T) {
	d := opened(t, 60, &policy.Policy{})
	c, err := dither.Choose(t.Context(), d, dither.Purpose{Methods: []string{"rpt"}})
	var withheld *dither.Withheld
	if !errors.As(err, &withheld) || withheld.Verdict.State != study.Withheld {
		t.Fatalf("%v", err)
	}
	if c.Chosen != nil || c.Release != nil || c.Technique != "" || len(c.Rejected) != 1 || c.Rejected[0].Demand == nil {
		t.Errorf("%+v", c)
	}
}

// Only the release that is made anew counts: where it breaks a limit the next best is made, and where all do nothing
// goes out.
func TestChoiceIsConfirmed(t *testing.T) {
	long.Only(t, "a dozen choices")
	if testing.Short() {
		return // the race detector takes long for each
	}
	limits := filepath.Join(t.TempDir(), "limits.yaml")
	must.NoError(t, os.WriteFile(limits, []byte("name: one\nlimits:\n- {measure: found, max: 0.2}\n"), 0o600))
	p := dither.Purpose{For: "accuracy=1,correlations=1", Methods: []string{"rankswap", "mdav"}}
	next, none := 0, 0
	for k := byte(3); k < 60 && (next == 0 || none == 0); k += 4 { // one confirmation in seven or so fails: 3 and 7 do
		d := opened(t, 150, &policy.Policy{Limits: limits})
		c, err := dither.Choose(t.Context(), d, p, dither.Seed(rng.SeedOf([32]byte{k})))
		var withheld *dither.Withheld
		if c == nil || err != nil && !errors.As(err, &withheld) || (err == nil) != (c.Chosen != nil) {
			t.Fatalf("seed %d: %v %+v", k, err, c)
		}
		n := len(c.Confirmed)
		if n == 0 {
			continue
		}
		if keeps := c.Release.Verdict().State != study.Withheld; keeps != (err == nil) || keeps != c.Confirmed[n-1].Keeps {
			t.Errorf("seed %d: %v, and the release is %v", k, err, c.Release.Verdict().State)
		}
		if _, leaves := c.Release.Table(); (leaves == nil) != (err == nil) {
			t.Errorf("seed %d: %v, and the table is handed out: %v", k, err, leaves)
		}
		switch {
		case err != nil:
			none++
		case n > 1:
			next++
		}
	}
	if next == 0 || none == 0 {
		t.Errorf("%d choices were of the next best and %d of nothing; expected some of both", next, none)
	}
}

// A choice takes its limits from the policy, and names what it could not go by.
func TestChoiceSaysWhatItWentBy(t *testing.T) {
	ctx := t.Context()
	tab := opened(t, 150, &policy.Policy{}).Table()
	var categories []int
	for j, a := range tab.Attrs() {
		if a.Kind == table.Categorical {
			categories = append(categories, j)
		}
	}
	pol := &policy.Policy{Version: 1, Class: "readmitted", Limits: "none"}
	d := must.Get(dither.Open(ctx, dither.Memory("texts", tab.Select(categories...)), pol))(t)
	told := 0
	c, err := dither.Choose(ctx, d, dither.Purpose{For: "detail=1,correlations=5", Methods: []string{"rpt"}},
		dither.Progress(func(string, int, int) { told++ }))
	if err != nil || c.Technique != "rpt" || !slices.Equal(c.Unmeasured, []string{"correlations"}) || told == 0 {
		t.Fatalf("%v %+v", err, c)
	}
	if c.Release.Verdict().State != study.Unjudged {
		t.Errorf("%v", c.Release.Verdict().State)
	}
	var usage *judge.Usage
	for _, p := range []dither.Purpose{{For: "beauty"}, {For: "iqm"}, {Methods: []string{"nothing"}},
		{For: "correlations=1"}} {
		if c, err := dither.Choose(ctx, d, p); !errors.As(err, &usage) || c != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
	if _, err := dither.Choose(ctx, d, dither.Purpose{For: "iqm"}); !errors.Is(err, trial.ErrNoModel) {
		t.Errorf("for a quality model that is not there: %v", err)
	}
	if _, err := dither.Choose(ctx, d, dither.Purpose{}, dither.Technique(protect.Method{}, nil)); err == nil {
		t.Error("a choice by a technique that is given")
	}
}
