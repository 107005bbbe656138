package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/stats/drift"
)

// The page of a plan that was applied says how far every column is, the farthest first, with the leaves before all, and
// how common the classes were; the public one nothing.
func TestDriftOnThePage(t *testing.T) {
	o := sample(t, 50, 3, 2, same)
	if strings.Contains(render(t, o, Options{}), "like that of the plan") {
		t.Error("a plan that was made of the table drifts")
	}
	r := &drift.Report{Records: 50, Planned: 1200, Leaves: &drift.Figure{PSI: 0.31, Chance: 0.02, State: drift.Stop}}
	for k := range 12 {
		psi := 0.01 * float64(k)
		r.Columns = append(
			r.Columns,
			drift.Shift{
				Name:    fmt.Sprint("column", k),
				Numeric: k%2 == 0,
				Outside: 0.125,
				Missing: 0.07,
				Figure:  drift.Figure{PSI: psi, Chance: 0.2, State: drift.StateOf(psi)},
			},
		)
	}
	r.Columns = append(
		r.Columns,
		drift.Shift{Name: "ill", Class: true, Values: []string{"yes", "no"}, Planned: []int{300, 900}, Counts: []int{10, 30}},
	)
	o.Drift = r
	tables := tablesOf(driftOf(o, Options{}).Blocks...)
	open, rest, shares := tables[0].Rows, tables[1].Rows, tables[2].Rows
	if len(open) != openDrifts || len(rest) != 14-openDrifts || cellTexts(open[0])[0] != "leaves of the plan" ||
		cellTexts(rest[len(rest)-1])[0] != "ill (class)" {
		t.Errorf("%+v\n%+v", open, rest)
	}
	if got := strings.Join(cellTexts(open[1]), "|"); got !=
		"column11|0.110|0.200|look at it, but chance alone explains it||7 %" {
		t.Errorf("%s", got)
	}
	if got := strings.Join(cellTexts(open[2]), "|"); got != "column10|0.100|0.200|look at it, but chance alone "+
		"explains it|12.5 %|7 %" {
		t.Errorf("%s", got)
	}
	if got := strings.Join(cellTexts(shares[0]), "|"); len(shares) != 2 || got != "yes|25 %|25 %" {
		t.Errorf("%s", got)
	}
	page := render(t, o, Options{})
	for _, want := range []string{"Is this table like the one the plan was made from?", "the plan does not fit this table",
		"1,200", "How common the classes are"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if public := render(t, o, Options{Public: true}); strings.Contains(public, "like that of the plan") ||
		strings.Contains(public, "column11") {
		t.Error("the public page tells of drift")
	}
}
