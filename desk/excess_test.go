package desk

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// A plan that suppresses more of next month's records than its limit says so in the verdict, and so does one whose
// first stage does.
func TestPlanSuppressesBeyondItsLimit(t *testing.T) {
	own := map[string]policy.Text{"k": "5", "suppression": "0.01"}
	t.Run("alone", func(t *testing.T) { suppressesBeyond(t, policy.Method{Name: "kanonymise", Set: own}) })
	staged := map[string]policy.Text{"1.k": "5", "1.suppression": "0.01", "2.columns": "dx"}
	t.Run("stage", func(t *testing.T) { suppressesBeyond(t, policy.Method{Name: "kanonymise+pram", Set: staged}) })
}

func suppressesBeyond(t *testing.T, by policy.Method) {
	f := newFolder(t)
	month := func(name string, alone int) string {
		var b strings.Builder
		b.WriteString("sex,region,dx\n")
		for i := range 100 {
			sex, region := "fm"[i%2:i%2+1], i/2%2
			if i < alone {
				sex, region = "x", i
			}
			fmt.Fprintf(&b, "%s,r%d,d%d\n", sex, region, i%3)
		}
		fmt.Fprintf(&b, "x,r2,d1\nx,r3,d1\nx,r2,d1\nx,r3,d1\nx,r2,d1\nx,r3,d1\nx,r2,d1\nx,r3,d1\nx,r2,d1\nx,r3,d1\n")
		return f.put(t, name, b.String())
	}
	said := policy.Policy{Limits: "none", Columns: map[string]policy.Column{
		"sex":    {Role: policy.Roles{"quasi-identifier"}},
		"region": {Role: policy.Roles{"quasi-identifier"}}, "dx": {Role: policy.Roles{"confidential"}}}}
	q := ProtectRequest{Source: Source{Path: month("jan.csv", 0), Said: said}, Release: f.path("jan.out.csv"),
		PlanOut: f.path("plan.json"), SeedFile: f.fixedSeed(t)}
	q.Said.Method = by
	first := must.Get(newListener().Protect(ctx, q))(t)
	if s := first.Document().Solution.Value; s == nil || len(s.Columns) != 2 || len(s.Nodes) < 2 || !s.Nodes[0].Meets {
		t.Errorf("the document has the solutions %+v", s)
	}
	for alone, want := range map[int]*study.Excess{0: nil, 2: {Lost: 5, Most: 1, Records: 110}} {
		name := fmt.Sprintf("feb%d.csv", alone)
		p := must.Get(newListener().Protect(ctx, ProtectRequest{Source: Source{Path: month(name, alone), Said: said},
			Release: f.path("out." + name), Plan: f.path("plan.json"), SeedFile: f.fixedSeed(t)}))(t)
		if got := p.Outcome.Excess; (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%d alone: %+v, want %+v", alone, got, want)
		}
		says := false
		for _, r := range p.Outcome.Verdict.Reasons {
			says = says || strings.Contains(r.Says.String(), "5 of 110 records lose their quasi-identifiers")
		}
		if says != (want != nil) {
			t.Errorf("%d alone: %+v", alone, p.Outcome.Verdict.Reasons)
		}
	}
	// Where there are limits it is one, until so much is accepted.
	limits := f.put(t, "limits.yaml", "limits: [{measure: discernibility, min: 0}]\n")
	for accepted, want := range map[string]study.State{"": study.Withheld, "suppressed=0.05": study.WithCare} {
		own := said
		if own.Limits = limits; accepted != "" {
			own.Accept = []string{accepted}
		}
		p, err := newListener().Protect(ctx, ProtectRequest{Source: Source{Path: month("mar.csv", 2), Said: own},
			Release: f.path(fmt.Sprint("mar.", want, ".csv")), Plan: f.path("plan.json"), SeedFile: f.fixedSeed(t)})
		if p == nil || p.Outcome.Verdict.State != want || errors.As(err, new(*Broken)) != (want == study.Withheld) {
			t.Errorf("accepted %q: %+v, error %v; want %s", accepted, p, err, want)
		}
	}
}
