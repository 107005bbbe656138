package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRecordPage: the programs on the page of the record, which were written from its text alone, work out the chain
// and the digests of records that the command wrote, signed and not, and refuse changed ones.
func TestRecordPage(t *testing.T) {
	python := interpreter(t, "Python", exec.Command("python3", "--version"))
	chain := filepath.Join(t.TempDir(), "chain.py")
	digests := filepath.Join(t.TempDir(), "digests.py")
	write(t, chain, pieces(t, "record.md", "python"))
	write(t, digests, pieces(t, "record.md", "python")+pieces(t, "record.md", "python digests"))

	t.Chdir(t.TempDir())
	write(t, "run.seed", strings.Repeat("0123456789abcdef", 4)+"\n")
	run := func(args ...string) {
		t.Helper()
		if out, err := process(t, args...).CombinedOutput(); err != nil {
			t.Fatalf("dither %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	if err := writeKey("key"); err != nil {
		t.Fatal(err)
	}
	write(t, "limits.yaml", "limits: [{measure: text, max: 0}]\n")
	run("generate", "patients", "-n", "90", "-o", "patients.csv", "--seed-file", "run.seed")
	run(
		"protect",
		"patients.csv",
		"--class",
		"readmitted",
		"-o",
		"release.csv",
		"--plan-out",
		"plan.json",
		"--seed-file",
		"run.seed",
		"--limits",
		"limits.yaml",
		"--record",
		"run.json",
		"--sign-key",
		"key",
	)
	run(
		"evaluate",
		"patients.csv",
		"release.csv",
		"--class",
		"readmitted",
		"--plan",
		"plan.json",
		"--measure",
		"kanonymity",
		"--limits",
		"none",
		"--record",
		"evaluate.json",
	)

	for _, c := range [][]string{{chain, "evaluate.json", "run.json"}, {digests, "run.json"}} {
		if out, err := exec.Command(python, c...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", filepath.Base(c[0]), err, out)
		}
	}
	data, err := os.ReadFile("evaluate.json")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "changed.json", strings.Replace(string(data), `"kind":"judge"`, `"kind":"write"`, 1))
	if out, err := exec.Command(python, chain, "changed.json").CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "does not hold: step 3") {
		t.Errorf("a changed step: %v\n%s", err, out)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
