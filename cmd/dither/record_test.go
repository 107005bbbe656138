package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/study"
)

// TestRecordPage: the programs on the page of the record, which were written from its text alone, work out the chain
// and the digests of records that the command wrote, signed and not, and refuse changed ones.
func TestRecordPage(t *testing.T) {
	python := interpreter(t, "Python", exec.Command("python3", "--version"))
	chain := filepath.Join(t.TempDir(), "chain.py")
	digests := filepath.Join(t.TempDir(), "digests.py")
	write(t, chain, pieces(t, "record.md", "python"))
	signed := filepath.Join(t.TempDir(), "signed.py")
	write(t, signed, pieces(t, "record.md", "python")+pieces(t, "record.md", "python signed"))
	write(t, digests, pieces(t, "record.md", "python")+pieces(t, "record.md", "python digests"))

	t.Chdir(t.TempDir())
	write(t, "run.seed", strings.Repeat("0123456789abcdef", 4)+"\n")
	run := func(args ...string) {
		t.Helper()
		if out, err := process(t, args...).CombinedOutput(); err != nil {
			t.Fatalf("dither %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	must.NoError(t, writeKey("key"))
	write(t, "limits.yaml", "limits: [{measure: text, max: 0}]\n")
	run("generate", "patients", "-n", "90", "-o", "patients.csv", "--seed-file", "run.seed")
	run("protect", "patients.csv", "--class", "readmitted", "-o", "release.csv", "--plan-out", "plan.json",
		"--seed-file", "run.seed", "--limits", "limits.yaml", "--record", "run.json", "--sign-key", "key")
	run("evaluate", "patients.csv", "release.csv", "--class", "readmitted", "--plan", "plan.json", "--measure",
		"kanonymity", "--limits", "none", "--record", "evaluate.json")

	for _, c := range [][]string{{chain, "evaluate.json", "run.json"}, {digests, "run.json"}} {
		if out, err := exec.Command(python, c...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", filepath.Base(c[0]), err, out)
		}
	}
	signedRecord(t, python, chain, signed)
	data := must.Get(os.ReadFile("evaluate.json"))(t)
	write(t, "changed.json", strings.Replace(string(data), `"kind":"judge"`, `"kind":"write"`, 1))
	if out, err := exec.Command(python, chain, "changed.json").CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "does not hold: step 3") {
		t.Errorf("a changed step: %v\n%s", err, out)
	}
}

// signedRecord makes a release that somebody answers for, as the workbench does: both programs accept its record, and
// the second says who it was and finds another verdict and another release in it.
func signedRecord(t *testing.T, python, chain, signed string) {
	t.Helper()
	q := desk.ProtectRequest{
		Source:  desk.Source{Path: "patients.csv"},
		Release: "signed.csv",
		PlanOut: "signed.plan",
		Record:  "signed.json",
		SignKey: "key",
		Signed:  &desk.Signing{Name: "Zoë O.", Reason: "100 % of a study", State: study.Unjudged, Time: time.Now()},
	}
	q.Said.Class, q.Said.Limits = "readmitted", "none"
	must.Get((&desk.Desk{}).Protect(t.Context(), q))(t)
	if out, err := exec.Command(python, chain, "signed.json").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	const who = "signed by Zoë O. because: 100 % of a study"
	c := exec.Command(python, signed, "signed.json")
	c.Env = append(os.Environ(), "PYTHONUTF8=1")
	if out, err := c.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != who {
		t.Errorf("%v\n%s", err, out)
	}
	for what, forge := range map[string]func(s *record.Step){
		"the verdict": func(s *record.Step) { s.Facts["state"] = string(study.Meets) },
		"the release": func(s *record.Step) { s.In["release"] = record.Plain(strings.Repeat("0", 64)) },
	} {
		data, err := os.ReadFile("signed.json")
		must.NoError(t, err)
		r := record.Open(data).Record
		forge(&r.Steps[len(r.Steps)-1])
		if data, err = r.Write(nil); err != nil {
			t.Fatal(err)
		}
		write(t, "forged.json", string(data))
		if out, err := exec.Command(python, signed, "forged.json").CombinedOutput(); err == nil ||
			!strings.Contains(string(out), what+" that was signed") {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}
