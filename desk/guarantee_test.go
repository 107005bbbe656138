package desk

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// TestGuaranteeFollowsTheNoise: two techniques of one noise say the same of what it guarantees, whatever they are called, and noise without a bound says that it has
// none.
func TestGuaranteeFollowsTheNoise(t *testing.T) {
	f := newFolder(t)
	src := Source{Path: f.people(t, 60), Said: policy.Policy{Class: "y"}}
	said := func(method, name, value string) (first string, notes []string) {
		q := ProtectRequest{Source: src.Saying(policy.Policy{Limits: "none", Method: policy.Method{Name: method, Set: map[string]policy.Text{name: policy.Text(value)}}}), Release: f.path(method + value + ".csv")}
		made, err := (&Desk{}).Protect(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		open := message.Written(study.Texts(made.Outcome.NotProtected))
		k := slices.IndexFunc(open, func(s string) bool { return strings.Contains(s, "guarantee") })
		return open[k], slices.DeleteFunc(message.Written(made.Outcome.Notes), func(s string) bool { return !strings.Contains(s, "epsilon") })
	}
	warner, own := said("warner", "p", "0.9")
	other, notes := said("randomcategorical", "p", "0.1")
	if warner != other || !strings.Contains(warner, "but what its notes state") || !slices.Equal(own, notes) || len(own) != 1 {
		t.Errorf("of one noise it is said\n%s %q\n%s %q", warner, own, other, notes)
	}
	if none, _ := said("warner", "p", "1"); none == warner {
		t.Errorf("of noise that changes nothing it is said %q", none)
	}
	if none, _ := said("rpt", "minLeaf", "5"); !strings.Contains(none, "not differentially private") {
		t.Errorf("of a swap it is said %q", none)
	}
}
