package desk

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// TestWideTables: where columns are many and no measure is named, the slow ones are left out with a word, but for those
// that a limit is on or whose parameters are set, and the others are bounded. Anyone who names measures gets them as
// they are.
func TestWideTables(t *testing.T) {
	specs := must.Get(judge.SpecsOf(nil, map[string]string{"nndr.pairs": "77"}))(t)
	low := 0.5
	set := &limit.Set{Limits: []limit.Limit{{Measure: "dcr", Min: &low}}}
	take, left := judge.Within(specs, judge.Wide+1, set)
	if len(take)+len(left) != len(specs) || len(left) < 3 {
		t.Fatalf("%d are taken and %d left of %d", len(take), len(left), len(specs))
	}
	for _, m := range left {
		if m.Effort != measure.Slow || m.Name == "dcr" || m.Name == "nndr" ||
			!strings.Contains(m.Err.String(), "--measure "+m.Name+" takes it") {
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
	if take, left := judge.Within(specs, judge.Wide, set); len(take) != len(specs) || len(left) > 0 {
		t.Errorf("of few columns %d are taken and %d left of %d", len(take), len(left), len(specs))
	}
	wide := make([]table.Column, judge.Wide+1)
	for j := range wide {
		wide[j].Name = fmt.Sprint("c", j)
	}
	original := must.Get(table.New(wide...))(t)
	of := func(as task) judge.Asked {
		p := &posed{d: &Desk{}, q: &EvaluateRequest{}, as: as}
		b := &paired{&opened{p, nil, specs, set, nil}, &measure.Release{Original: original}, &study.Outcome{}, &judge.Cast{}}
		r := must.Get(b.settle())(t)
		return r.asked
	}
	if a := of(task{named: true}); len(a.Specs) != len(specs) || len(a.Left) > 0 || !a.InPlace {
		t.Errorf("named: %d are taken and %d left of %d", len(a.Specs), len(a.Left), len(specs))
	}
	if a := of(task{}); len(a.Specs) != len(take) || len(a.Left) != len(left) || a.InPlace {
		t.Errorf("not named: %d are taken and %d left of %d", len(a.Specs), len(a.Left), len(specs))
	}
}
