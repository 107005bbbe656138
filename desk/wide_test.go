package desk

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study/judge"
)

// TestWideTables: where columns are many and no measure is named, the slow ones are left out with a word, but for those that a limit is on or whose parameters are
// set, and the others are bounded. Whoever names measures gets them as they are.
func TestWideTables(t *testing.T) {
	specs, err := judge.SpecsOf(nil, map[string]string{"nndr.pairs": "77"})
	if err != nil {
		t.Fatal(err)
	}
	low := 0.5
	set := &limit.Set{Limits: []limit.Limit{{Measure: "dcr", Min: &low}}}
	take, left := (&evaluating{}).within(specs, judge.Wide+1, set)
	if len(take)+len(left) != len(specs) || len(left) < 3 {
		t.Fatalf("%d are taken and %d left of %d", len(take), len(left), len(specs))
	}
	for _, m := range left {
		if m.Effort != measure.Slow || m.Name == "dcr" || m.Name == "nndr" || !strings.Contains(m.Err, "--measure "+m.Name+" takes it") {
			t.Errorf("%s is left out: %s", m.Name, m.Err)
		}
	}
	for _, s := range take {
		switch name := s.Measure.Name; {
		case name == "nndr" && s.Set["pairs"] != "77":
			t.Errorf("what is set by hand becomes %q", s.Set["pairs"])
		case name == "dcr" && s.Set["pairs"] == "":
			t.Error("a measure on pairs of records is not bounded")
		}
	}
	for name, q := range map[string]EvaluateRequest{"named": {Measures: []string{"dcr"}}, "few columns": {}} {
		columns := judge.Wide
		if name == "named" {
			columns = 10 * judge.Wide
		}
		if take, left := (&evaluating{EvaluateRequest: q}).within(specs, columns, set); len(take) != len(specs) || len(left) > 0 {
			t.Errorf("%s: %d are taken and %d left of %d", name, len(take), len(left), len(specs))
		}
	}
}
