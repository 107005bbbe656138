package report

import (
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// mostGroupRows is how many groups of people the report lists for each intruder, the one found most often first.
const mostGroupRows = 10

// groupTable is how often the people of each group are found. Like all that an intruder learns it is internal.
type groupTable struct {
	Label   string
	Rows    []groupRow
	Further string
}

type groupRow struct {
	Column, Group, People, Tried, Share, Between string
	More                                         bool // found more often than chance would have it
}

// groupsOf returns nil where no groups were compared.
func groupsOf(a study.Attack) *groupTable {
	if len(a.Groups) == 0 {
		return nil
	}
	t := &groupTable{Label: "Risk by group, " + whom(a.Intruder)}
	for k, g := range a.Groups {
		if k == mostGroupRows {
			t.Further = numeral.Counted(len(a.Groups)-k, "further group") + " in the JSON output."
			break
		}
		r := groupRow{Column: g.Column, Group: g.Group, People: chart.Count(float64(g.People)), Tried: chart.Count(float64(g.Tried)), More: g.More}
		r.Share, r.Between = within(g.Share, g.Lo, g.Hi, measure.In(measure.Share, ""))
		t.Rows = append(t.Rows, r)
	}
	return t
}
