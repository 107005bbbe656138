package desk

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/table"
)

// TestOutliersRefusedAndClipped: the refusal of a stretched domain proposes a policy that works as it is pasted, and
// the number of values it changes is told.
func TestOutliersRefusedAndClipped(t *testing.T) {
	f := newFolder(t)
	var b strings.Builder
	b.WriteString("income,y\n")
	for i := range 300 {
		fmt.Fprintf(&b, "%d,%s\n", 1017+i*37%211, []string{"no", "yes"}[i/5%2])
	}
	b.WriteString("7654321,no\n")
	in := f.put(t, "in.csv", b.String())
	q := ProtectRequest{
		Source:   Source{Path: in, Said: policy.Policy{Class: "y", Method: policy.Method{Name: "framework"}}},
		Release:  f.path("out.csv"),
		PlanOut:  f.path("plan.json"),
		SeedFile: f.fixedSeed(t),
	}
	_, err := (&Desk{}).Protect(ctx, q)
	failed(t, "an outlier", err, `in.csv: framework: column "income"`)
	_, rest, _ := strings.Cut(err.Error(), "such as ")
	proposed, _, ok := strings.Cut(rest, ", which sets")
	if !ok {
		t.Fatal(err)
	}
	q.Policy = f.put(t, "p.yaml", "version: 1\nclass: y\n"+proposed+"\n")
	l := newListener()
	p := must.Get(l.Protect(ctx, q))(t)
	if l.heard() != `1 value of "income" was set to the nearer end of its domain` {
		t.Errorf("%q", l.heard())
	}
	if _, hi := table.Range(p.Outcome.Released.Num(0)); hi > 1300 {
		t.Errorf("released is %v", hi)
	}
	if e, _ := evaluate(t, EvaluateRequest{Source: q.Source, Released: q.Release, Plan: q.PlanOut,
		Measures: []string{"segments"}}); e.Outcome.Measures[0].Value.Score != 1 {
		t.Errorf("the certificate is %+v", e.Outcome.Measures[0])
	}
	q.Policy, q.Overwrite = f.put(
		t,
		"whole.yaml",
		"version: 1\nclass: y\ncolumns: {income: {domain: [0, 10000000]}}\n",
	), true
	if _, err := (&Desk{}).Protect(ctx, q); err != nil {
		t.Errorf("a declared domain is meant: %v", err)
	}
}
