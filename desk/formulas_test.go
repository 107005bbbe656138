package desk

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
)

// risky is a table with categories that a spreadsheet would run, some that only look like it, and one that already has
// an apostrophe.
func (f folder) risky(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("note,code,=age(),y\n")
	notes := []string{"=HYPERLINK(\"\"http://x\"\")", "+49 89", "@SUM(A1)", "-lisinopril", "＝1+1", "'quoted"}
	for i := range 60 {
		fmt.Fprintf(
			&b,
			"\"%s\",%s,%d,%s\n",
			notes[i%6],
			[]string{"-1", "a", "+2.5"}[i%3],
			20+i%30,
			[]string{"no", "yes"}[i%2],
		)
	}
	return f.put(t, "risky.csv", b.String())
}

// TestFormulas: categories that a spreadsheet would run are told, and on request go out with an apostrophe; the release
// is then measured as without.
func TestFormulas(t *testing.T) {
	f := newFolder(t)
	q := ProtectRequest{
		Source: Source{
			Path: f.risky(t),
			Said: policy.Policy{Limits: "none", KeepOrder: true, Class: "y", Method: policy.Method{Name: "rnat"}},
		},
		SeedFile: f.fixedSeed(t),
		Release:  f.path("plain.csv"),
		PlanOut:  f.path("plan.json"),
	}
	l := newListener()
	must.Get(l.Protect(ctx, q))(t)
	if !strings.Contains(l.heard(), "the headings =age() begin with") {
		t.Errorf("the note on the heading: %s", l.heard())
	}
	at := slices.IndexFunc(l.notes, func(n Note) bool { return n.Says.Key() == "told.formulas" })
	if at < 0 || !strings.Contains(l.notes[at].Says.String(), "in note with =") ||
		strings.Contains(l.notes[at].Says.String(), "code") ||
		strings.Contains(l.notes[at].Says.String(), "lisinopril") {
		t.Errorf("the note: %s", l.heard())
	}
	q.Release, q.PlanOut, q.Said.GuardFormulas = f.path("safe.csv"), f.path("safe.json"), true
	l = newListener()
	if _, err := l.Protect(ctx, q); err != nil || strings.Contains(l.heard(), "spreadsheet") {
		t.Fatalf("%v, %s", err, l.heard())
	}
	plain, safe := f.read(t, "plain.csv"), f.read(t, "safe.csv")
	for line := range strings.Lines(safe) {
		for cell := range strings.SplitSeq(line, ",") {
			bare, numeric := strings.Trim(cell, "\"\n"), regexp.MustCompile(`^[+-][0-9.]+$`)
			if strings.HasPrefix(bare, "＝") || strings.ContainsAny(bare[:1], "=+-@") && !numeric.MatchString(bare) {
				t.Errorf("a cell begins with a formula: %q", line)
			}
		}
	}
	if want := strings.NewReplacer(",=age()", ",'=age()", "\n＝", "\n'＝", `"=`, `"'=`, "\n=", "\n'=", "\n+4", "\n'+4", "\n@", "\n'@", "\n-l", "\n'-l").Replace(plain); safe != want {
		t.Errorf("guarded, the release is\n%.300s\nwant\n%.300s", safe, want)
	}
	var scores []string
	for _, name := range []string{"plain", "safe"} {
		v := EvaluateRequest{
			Source:   q.Source.Saying(policy.Policy{Limits: "none"}),
			Released: f.path(name + ".csv"),
			Plan:     f.path(map[string]string{"plain": "plan", "safe": "safe"}[name] + ".json"),
			SeedFile: q.SeedFile,
			Measures: []string{"linkage", "accuracy"},
		}
		e := must.Get(newListener().Evaluate(ctx, v))(t)
		told := ""
		for _, m := range MeasureDocuments(e.Outcome.Measures) {
			told += fmt.Sprintln(m.Name, m.Score, m.Parts)
		}
		if !strings.Contains(told, "linkage") || !strings.Contains(told, "accuracy") {
			t.Errorf("measured was %q", told)
		}
		scores = append(scores, told)
	}
	if scores[0] != scores[1] {
		t.Errorf("measured with apostrophes it is another release: %s and %s", scores[0], scores[1])
	}
}
