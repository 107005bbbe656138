package trial

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/search"
)

// named returns the candidate of a name.
func named(t *testing.T, all []search.Candidate, name string) *search.Candidate {
	t.Helper()
	k := slices.IndexFunc(all, func(c search.Candidate) bool { return c.Name == name })
	if k < 0 {
		t.Fatalf("no candidate is %q", name)
	}
	return &all[k]
}

// turns reports whether a parameter is searched.
func turns(c *search.Candidate, name string) bool {
	return slices.ContainsFunc(c.Dials, func(d search.Dial) bool { return d.Param == name })
}

// TestCandidatesOfStages: the composite of a policy is among the candidates with what the policy sets, which is not
// searched; what hides goes by its thresholds; nothing else is fixed, and what is named is not added to.
func TestCandidatesOfStages(t *testing.T) {
	of := func(name string, set map[string]policy.Text) policy.Method {
		return policy.Method{Name: name, Set: set}
	}
	hide := of("hide2a", map[string]policy.Text{"support": "0.03", "confidence": "0.4"})
	p := &policy.Policy{Stages: []policy.Method{of("segmentsynthesis", map[string]policy.Text{"leaf": "33"}), hide}}
	all := must.Get(Candidates(nil, true, p))(t)
	plain, err := Candidates(nil, true, &policy.Policy{})
	if err != nil || len(plain) != len(all) {
		t.Fatalf("%d candidates, without stages %d: %v", len(all), len(plain), err)
	}
	own := named(t, all, "segmentsynthesis, hide2a")
	if own.Set["1.leaf"] != "33" || own.Set["2.support"] != "0.03" || own.Set["2.confidence"] != "0.4" {
		t.Errorf("the policy's own: %v", own.Set)
	}
	if turns(own, "1.leaf") || !turns(named(t, plain, own.Name), "1.leaf") {
		t.Error("a parameter that the policy sets is searched, or is no dial without it")
	}
	other := named(t, all, "forestframework, exacthiding")
	if other.Set["2.support"] != "0.03" || len(other.Dials) != len(named(t, plain, other.Name).Dials) {
		t.Errorf("another that hides: %v, %v", other.Set, other.Dials)
	}
	for name, want := range map[string]string{"hide1b": "0.4", "segmentsynthesis, exacthiding": ""} {
		c := named(t, all, name)
		if got := c.Set["confidence"] + c.Set["2.confidence"]; got != want {
			t.Errorf("%s: confidence %q, expected %q", name, got, want)
		}
	}

	p.Stages[0] = of("rpt", nil)
	if all, err = Candidates(nil, true, p); err != nil || len(all) != len(plain)+1 {
		t.Fatalf("%d candidates with one that nobody takes up unasked: %v", len(all), err)
	}
	if c := named(t, all, "rpt, hide2a"); c.Set["2.support"] != "0.03" {
		t.Errorf("%v", c.Set)
	}
	if all, err = Candidates([]string{"framework+hide2a"}, true, p); err != nil || len(all) != 1 {
		t.Fatalf("%v: %v", all, err)
	}
	if c := named(t, all, "framework, hide2a"); c.Set["2.support"] != "0.03" || len(c.Dials) == 0 {
		t.Errorf("named: %v, %v", c.Set, c.Dials)
	}
	if all, err = Candidates([]string{"hide2a"}, true, p); err != nil || all[0].Set["support"] != "0.03" {
		t.Errorf("alone: %v, %v", all, err)
	}
	hide.Set["support"] = "none"
	if _, err := Candidates(nil, true, p); err == nil {
		t.Error("a value that no parameter has is taken")
	}
}
