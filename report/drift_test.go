package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/drift"
)

// The page of a plan that was applied says how far every column is, the farthest first, with the leaves before all, and how common the classes were; the public one nothing.
func TestDriftOnThePage(t *testing.T) {
	o := sample(t, 50, 3, 2, same)
	if strings.Contains(render(t, o, Options{}), "like that of the plan") {
		t.Error("a plan that was made of the table drifts")
	}
	r := &drift.Report{Records: 50, Planned: 1200, Leaves: &drift.Figure{PSI: 0.31, Chance: 0.02, State: drift.Stop}}
	for k := range 12 {
		psi := 0.01 * float64(k)
		r.Columns = append(r.Columns, drift.Shift{Name: fmt.Sprint("column", k), Numeric: k%2 == 0, Outside: 0.125, Missing: 0.07, Figure: drift.Figure{PSI: psi, Chance: 0.2, State: drift.StateOf(psi)}})
	}
	r.Columns = append(r.Columns, drift.Shift{Name: "ill", Class: true, Values: []string{"yes", "no"}, Planned: []int{300, 900}, Counts: []int{10, 30}})
	o.Drift = r
	s := driftOf(o, false)
	if len(s.Rows) != openDrifts || len(s.Rest) != 14-openDrifts || s.Rows[0].Name != "leaves of the plan" || s.Rows[1].Name != "column11" || s.Rest[len(s.Rest)-1].Name != "ill (class)" {
		t.Errorf("%+v\n%+v", s.Rows, s.Rest)
	}
	if got := s.Rows[1]; got.Means != "look at it, but so much is chance" || got.Outside != "" || got.Missing != "7 %" || s.Rows[2].Outside != "12.5 %" || s.Rows[2].Index != "0.100" {
		t.Errorf("%+v\n%+v", got, s.Rows[2])
	}
	if want := (classShare{"yes", "25 %", "25 %"}); len(s.Shares) != 2 || s.Shares[0] != want {
		t.Errorf("%+v", s.Shares)
	}
	page := render(t, o, Options{})
	for _, want := range []string{"Is this table like that of the plan?", "the plan is not for this", "1,200", "How common the classes are"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	wellFormed(t, page)
	if public := render(t, o, Options{Public: true}); strings.Contains(public, "like that of the plan") || strings.Contains(public, "column11") {
		t.Error("the public page tells of drift")
	}
}
