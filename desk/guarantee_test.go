package desk

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// guaranteeOf is what is said of the guarantee of a release: in general, and the notes that state an epsilon.
func guaranteeOf(o *study.Outcome) []string {
	said := slices.DeleteFunc(message.Written(study.Texts(o.NotProtected)),
		func(s string) bool { return !strings.Contains(s, "guarantee") })
	return append(
		said,
		slices.DeleteFunc(message.Written(o.Notes), func(s string) bool { return !strings.Contains(s, "epsilon") })...)
}

// TestGuaranteeFollowsTheNoise: techniques of one noise say the same of what it guarantees, whatever they are called,
// where they make a release and where that is evaluated by its plan; noise without a bound says that it has none.
func TestGuaranteeFollowsTheNoise(t *testing.T) {
	f := newFolder(t)
	src := Source{Path: f.people(t, 60), Said: policy.Policy{Class: "y"}}
	said := func(method, name, value string) []string {
		set := map[string]policy.Text{name: policy.Text(value)}
		from := src.Saying(policy.Policy{Limits: "none", Method: policy.Method{Name: method, Set: set}})
		q := ProtectRequest{
			Source:  from,
			Release: f.path(method + name + value + ".csv"),
			PlanOut: f.path(method + name + value + ".json"),
		}
		made := must.Get((&Desk{}).Protect(ctx, q))(t)
		e := must.Get((&Desk{}).Evaluate(
			ctx,
			EvaluateRequest{Source: src.Saying(policy.Policy{Limits: "none"}), Released: q.Release, Plan: q.PlanOut,
				Measures: []string{"bias"}},
		))(t)
		defer e.Close()
		of := guaranteeOf(made.Outcome)
		if by := guaranteeOf(e.Outcome); !slices.Equal(of, by) {
			t.Errorf("%s: where it is made %q is said, where it is evaluated by its plan %q", method, of, by)
		}
		return of
	}
	warner := said("warner", "p", "0.9")
	if len(warner) != 2 || !strings.Contains(warner[0], "but what its notes state") {
		t.Errorf("of randomised response it is said %q", warner)
	}
	for method, set := range map[string][2]string{"randomcategorical": {"p", "0.1"}, "pram": {"keep", "0.9"}} {
		if other := said(method, set[0], set[1]); !slices.Equal(warner, other) {
			t.Errorf("of one noise %q is said as warner and %q as %s", warner, other, method)
		}
	}
	for _, c := range [][3]string{{"warner", "p", "1"}, {"pram", "keep", "1"}, {"pram", "invariant", "true"},
		{"rpt", "minLeaf", "5"}} {
		if none := said(c[0], c[1], c[2]); !strings.Contains(none[0], "not differentially private") {
			t.Errorf("of %s with %s=%s it is said %q", c[0], c[1], c[2], none)
		}
	}
}
