package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/drift"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// drifts is the section on how far the table is from the one that its plan was made of. It tells what the original holds, so the public report has none.
type drifts struct {
	Lead, Scale string
	Rows, Rest  []driftRow // the rest is folded
	Class       string     // the column
	Shares      []classShare
}

// driftRow is a column, or the leaves. What does not apply to it is empty.
type driftRow struct{ Name, Index, Chance, Means, Outside, Missing string }

// openDrifts are the rows of drift that are not folded.
const openDrifts = 8

// classShare is how common a class is, in per cent of the records that have one.
type classShare struct{ Value, Planned, Now string }

// means says what an index means.
var means = map[drift.State]string{drift.Quiet: "little has changed", drift.Watch: "look at it", drift.Stop: "the plan is not for this"}

func driftOf(o *study.Outcome, public bool) *drifts {
	r := o.Drift
	if public || r == nil {
		return nil
	}
	s := &drifts{Lead: fmt.Sprintf("The plan was made of %s; this table has %s. It holds no value that the plan does not know: one would stop the plan.", counted(r.Planned, "record"), counted(r.Records, "record")),
		Scale: "The index is the population stability index: below 0.1 little has changed, above 0.25 much has. Chance alone exceeds the figure beside it in 5 % of the tables of the same people's law. " +
			"Limits on the largest index (drift) and on the share of a column's values outside the range of the plan (outside) may stand among the thresholds of the policy."}
	if r.Leaves != nil {
		s.Rows = append(s.Rows, indexRow("leaves of the plan", *r.Leaves))
	}
	order := make([]*drift.Shift, len(r.Columns))
	for k := range r.Columns {
		order[k] = &r.Columns[k]
	}
	slices.SortStableFunc(order, func(a, b *drift.Shift) int { return cmp.Compare(b.PSI, a.PSI) })
	for _, c := range order {
		row := indexRow(c.Name, c.Figure)
		if row.Missing = chart.Percent(c.Missing); c.Numeric {
			row.Outside = chart.Percent(c.Outside)
		}
		if c.Class {
			row.Name += " (class)"
			s.shares(c)
		}
		s.Rows = append(s.Rows, row)
	}
	n := min(len(s.Rows), openDrifts)
	s.Rows, s.Rest = s.Rows[:n], s.Rows[n:]
	return s
}

func indexRow(name string, f drift.Figure) driftRow {
	row := driftRow{Name: name, Index: fmt.Sprintf("%.3f", f.PSI), Chance: fmt.Sprintf("%.3f", f.Chance), Means: means[f.State]}
	if f.State != drift.Quiet && f.PSI <= f.Chance {
		row.Means += ", but so much is chance"
	}
	return row
}

// shares lists how common the values of the class were, and are.
func (s *drifts) shares(c *drift.Shift) {
	s.Class = c.Name
	planned, now := 0, 0
	for k := range c.Counts {
		now += c.Counts[k]
	}
	for k := range c.Planned {
		planned += c.Planned[k]
	}
	for k, v := range c.Values {
		s.Shares = append(s.Shares, classShare{v, chart.Percent(ratio(c.Planned[k], planned)), chart.Percent(ratio(c.Counts[k], now))})
	}
}

func ratio(k, n int) float64 { return float64(k) / float64(max(1, n)) }
