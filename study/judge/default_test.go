package judge_test

import (
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/judge"
)

// TestTechnique: what a policy names is taken; where it names none the default is, inside segments if it says so, and
// where people recur one that keeps something of each.
func TestTechnique(t *testing.T) {
	within := &policy.Within{By: "tree"}
	for _, c := range []struct {
		pol  policy.Policy
		want string
	}{
		{policy.Policy{}, judge.DefaultMethod},
		{policy.Policy{Method: policy.Method{Name: "rpt"}}, "rpt"},
		{policy.Policy{Method: policy.Method{Within: within}}, judge.DefaultMethod + "-within"},
		{policy.Policy{Recur: true}, "extframework"},
		{policy.Policy{Recur: true, Method: policy.Method{Within: within}}, "extframework-within"},
		{policy.Policy{Recur: true, Method: policy.Method{Name: "capt"}}, "capt"},
	} {
		got := judge.Technique(&c.pol)
		if got != c.want {
			t.Errorf("%+v: %s, want %s", c.pol, got, c.want)
		}
		if _, err := catalog.Method(got); err != nil {
			t.Error(err)
		}
	}
}
