package report

import (
	"slices"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
)

// riskTable is the measures of risk, each a row, by intruder.
type riskTable struct {
	Intruders []string // the heads of the columns; empty when nothing depends on an intruder
	Rows      []riskRow
	Notes     []fact // of the measures that share one
	Parts     []fact
}

// riskRow is one measure of risk: a cell for each intruder, or one for all.
type riskRow struct {
	Title, Unit, Better, Summary, Paper string
	All                                 bool
	Cells                               []measureRow
}

// riskTableOf lists the measures of risk that were taken; nil when there are none.
func riskTableOf(o *study.Outcome, attacks []study.Attack) *riskTable {
	t := &riskTable{}
	at := map[string]int{}
	var positions [][]int
	for _, a := range attacks {
		positions = append(positions, a.Measures)
		if a.Intruder != "" {
			at[a.Intruder] = len(t.Intruders)
			t.Intruders = append(t.Intruders, Printable(a.Intruder))
		}
	}
	for _, k := range slices.Concat(positions...) {
		m := &o.Measures[k]
		if m.Side != measure.Risk || m.Err != "" {
			continue
		}
		c := rowOfMeasure(m, false)
		t.row(c, m.Intruder == "").Cells[at[m.Intruder]] = c
		if c.Parts != "" {
			name := c.Title
			if m.Intruder != "" {
				name += " (" + Printable(m.Intruder) + ")"
			}
			t.Parts = append(t.Parts, fact{name, c.Parts})
		}
	}
	if t.Rows == nil {
		return nil
	}
	for k := range t.Rows {
		t.note(&t.Rows[k])
	}
	t.Notes = merged(t.Notes)
	return t
}

// note adds the notes on a measure, with the intruders where they do not hold for all.
func (t *riskTable) note(r *riskRow) {
	taken := 0
	whom := map[string][]string{}
	var texts []string
	for k, c := range r.Cells {
		if c.Score == "" {
			continue
		}
		taken++
		for _, n := range c.Notes {
			if whom[n] == nil {
				texts = append(texts, n)
			}
			who := ""
			if k < len(t.Intruders) {
				who = t.Intruders[k]
			}
			whom[n] = append(whom[n], who)
		}
	}
	for _, n := range texts {
		name := r.Title
		if len(whom[n]) < taken {
			name += " (" + strings.Join(whom[n], ", ") + ")"
		}
		t.Notes = together(t.Notes, name, n)
	}
}

// row returns the row of a measure.
func (t *riskTable) row(c measureRow, all bool) *riskRow {
	k := slices.IndexFunc(t.Rows, func(r riskRow) bool { return r.Title == c.Title && r.All == all })
	if k < 0 {
		k = len(t.Rows)
		cells := max(1, len(t.Intruders))
		if all {
			cells = 1
		}
		t.Rows = append(t.Rows, riskRow{Title: c.Title, Unit: c.Unit, Better: c.Better, Summary: c.Summary, Paper: c.Paper, All: all, Cells: make([]measureRow, cells)})
	}
	return &t.Rows[k]
}
