package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/study"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// AttackText writes for a terminal what each intruder can do with a release. A screen holds the verdict and of every intruder what the worst attack finds
// and learns, and the records at the highest risk by their row; the verbose text has every sentence and every figure.
func AttackText(w io.Writer, o *study.Outcome, attacks []study.Attack, s Screen) error {
	if err := check(o); err != nil {
		return err
	}
	if !s.Verbose {
		return newFitter(o, s).attacks(w, o, attacks)
	}
	var b strings.Builder
	judgementText(&b, o.Verdict)
	for _, a := range attacks {
		figures := attackTable(o, a)
		if len(a.Sentences) == 0 && figures.Length() == 0 {
			continue
		}
		title := whom(a.Intruder)
		b.WriteString("\n" + title + "\n" + strings.Repeat("═", cells(title)) + "\n")
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
	if lines := newFitter(o, s).files(); lines != nil {
		b.WriteString("\n" + joinedLines(lines))
	}
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

// attacks writes the screen. Every intruder gets as many lines.
func (f *fitter) attacks(w io.Writer, o *study.Outcome, attacks []study.Attack) error {
	head, tail := f.head(o), append(f.files(), more)
	reasons := f.reasons(reasonsOf(o), 5)
	var told [][]string
	room := screenLines - f.After - len(head) - len(reasons) - len(tail)
	attacks = slices.DeleteFunc(slices.Clone(attacks), func(a study.Attack) bool { return a.Intruder == "" && len(a.Sentences) == 0 })
	shown := min(len(attacks), max(room/leastOfAttack, 1))
	if shown < len(attacks) {
		tail = append([]string{"and " + counted(len(attacks)-shown, "further intruder")}, tail...)
		room--
	}
	for k, a := range attacks[:shown] {
		lines := f.attack(o, a, room/(shown-k))
		room -= len(lines)
		told = append(told, lines)
	}
	_, err := io.WriteString(w, joinedLines(append(append([][]string{head, reasons}, told...), tail)...))
	return err
}

// leastOfAttack is how many lines an intruder takes at least: who it is, a figure, a sentence, the rows.
const leastOfAttack = 4

// attack tells of one intruder in at most so many lines: the attacks with their bounds, a sentence on whom it finds and one on what it learns, and the
// rows at the highest risk.
func (f *fitter) attack(o *study.Outcome, a study.Attack, most int) []string {
	lines := f.say("", whom(a.Intruder), 1)
	var own study.Outcome
	for _, k := range a.Measures {
		own.Measures = append(own.Measures, o.Measures[k])
	}
	for _, w := range worstAttacks(&own) {
		w.Intruder = "" // stands above
		row := attackFigure(w)
		lines = append(lines, f.say("  "+row[0]+": ", row[1], 1)...)
	}
	var rows []string
	if len(a.Riskiest) > 0 {
		s := "rows at the highest risk:"
		for k, r := range a.Riskiest {
			if k > 0 {
				s += ","
			}
			s += fmt.Sprintf(" %d (%s)", r.Row, riskText(r.Risk))
		}
		rows = f.say("  ", s, 1)
	}
	groups := toldBy(a)
	left := most - len(lines) - len(rows)
	for k, g := range groups {
		said := f.say("  - ", g.Lines[0], max(min(left/(len(groups)-k), 3), 0))
		left -= len(said)
		lines = append(lines, said...)
	}
	return append(lines, rows...)
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
