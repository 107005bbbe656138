package judge_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

func at(v float64) *float64 { return &v }

// TestLimits: a threshold of the policy takes the place of the preset's limit on its measure, and of no other
// threshold; one that allows more is accepted by those who set it, and keeps what it replaces.
func TestLimits(t *testing.T) {
	for name, c := range map[string]struct {
		max      float64
		accepted bool
	}{"looser": {0.2, true}, "as strict": {0.05, false}, "stricter": {0.01, false}} {
		set := &limit.Set{Limits: []limit.Limit{{Measure: "found", Max: at(0.05)}, {Measure: "linkage", Max: at(0.05)},
			{Measure: "found", Max: at(0.5), Declared: true}}}
		pol := &policy.Policy{Thresholds: []policy.Threshold{{Measure: "found", Max: at(c.max)}}}
		set, err := judge.Limits(set, pol)
		if err != nil || len(set.Limits) != 3 || set.Limits[0].Measure != "linkage" || !set.Limits[1].Declared {
			t.Fatalf("%s: %+v, %v", name, set, err)
		}
		l := set.Limits[2]
		if *l.Max != c.max || !l.Declared || l.Source != limit.Policy || l.Accepted != c.accepted ||
			l.Accepted && *l.SetMax != 0.05 {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

// TestAtMost: limits on the command line are numbers in the range of what they bound.
func TestAtMost(t *testing.T) {
	for text, says := range map[string]string{"seconds=10": "", "found=0.2": "", "found=1.5": "from 0 to 1",
		"found=-0.1": "from 0 to 1", "seconds=-1": "from 0", "seconds": "expected name=number", "found=nan": "expected name",
		"fuond=0.1": `did you mean "found"`, "text=3": "counts columns"} {
		set, err := judge.Limits(&limit.Set{Limits: []limit.Limit{{Measure: "found", Max: at(0.05)}}},
			&policy.Policy{AtMost: []string{text}})
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
		if err == nil && text == "found=0.2" && (len(set.Limits) != 1 || *set.Limits[0].Max != 0.2) {
			t.Errorf("%s: %+v", text, set.Limits)
		}
	}
}

// TestAcceptable: what is accepted is a column of the table.
func TestAcceptable(t *testing.T) {
	attrs := []table.Attribute{{Name: "phone"}, {Name: "remark"}}
	for _, columns := range [][]string{nil, {"phone"}, {"remark", "phone"}, {"remark", "phnoe"}} {
		err := judge.Acceptable(&limit.Set{Limits: []limit.Limit{{Measure: "text", Columns: columns}}}, attrs)
		if wrong := slices.Contains(columns, "phnoe"); (err != nil) != wrong ||
			wrong && !strings.Contains(err.Error(), `did you mean "phone"`) {
			t.Errorf("%q: %v", columns, err)
		}
	}
}
