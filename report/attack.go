package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/dither-data/dither/study"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// AttackText writes for a terminal what each intruder can do with a release: sentences, the figures behind them, and the records at the
// highest risk by their row.
func AttackText(w io.Writer, o *study.Outcome, attacks []study.Attack) error {
	if err := check(o); err != nil {
		return err
	}
	var b strings.Builder
	for _, a := range attacks {
		figures := attackTable(o, a)
		if len(a.Sentences) == 0 && figures.Length() == 0 {
			continue
		}
		title := whom(a.Intruder)
		b.WriteString("\n" + title + "\n" + strings.Repeat("═", utf8.RuneCountInString(title)) + "\n")
		for _, g := range toldBy(a) {
			bullets(&b, g.Title, g.Lines)
		}
		section(&b, figures)
		bullets(&b, "Notes", attackNotes(o, a))
		section(&b, riskiestTable(a))
		if f := further(o, a); f != "" {
			b.WriteString(f + "\n")
		}
	}
	notMeasured(&b, o.Measures)
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

// attackTable lists the measures against one intruder, whom the heading names.
func attackTable(o *study.Outcome, a study.Attack) table.Writer {
	t := plain(table.Row{"Measure", "Value", "Unit", "Interval", "Safer"}, 2)
	for _, k := range a.Measures {
		m := &o.Measures[k]
		if m.Err == "" {
			r := rowOfMeasure(m, false)
			t.AppendRow(table.Row{text.WrapSoft(r.Title, mostTitleText), r.Score, r.Unit, r.Between, r.Better})
		}
	}
	return t
}

// attackNotes lists the notes on these measures, one that several share once.
func attackNotes(o *study.Outcome, a study.Attack) []string {
	var notes []fact
	for _, k := range a.Measures {
		if m := &o.Measures[k]; m.Err == "" {
			for _, n := range m.Value.Notes {
				notes = together(notes, titleOf(m), n)
			}
		}
	}
	return joined(merged(notes))
}

func joined(facts []fact) []string {
	var out []string
	for _, f := range facts {
		out = append(out, f.Name+": "+f.Text)
	}
	return out
}

// mostTitleText is the width of the title of a measure of risk in a terminal, in characters.
const mostTitleText = 36

func riskiestTable(a study.Attack) table.Writer {
	t := plain(table.Row{"Row of the original", "Risk: " + a.Risk}, 1, 2)
	for _, r := range a.Riskiest {
		t.AppendRow(table.Row{fmt.Sprint(r.Row), riskText(r.Risk)})
	}
	return t
}
