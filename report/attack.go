package report

import (
	"io"
	"slices"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/study"
)

// AttackText writes for a terminal what each intruder can do with a release. A screen holds the verdict and of every
// intruder what the worst attack finds and learns, and the records at the highest risk by their row; the verbose text
// has every sentence and every figure.
func AttackText(w io.Writer, o *study.Outcome, attacks []study.Attack, s Screen) error {
	d, err := AttackDocument(o, attacks)
	if err != nil {
		return err
	}
	f := newFitter(o, s)
	if !s.Verbose {
		return f.attacks(w, d, o, attacks)
	}
	if o.Verdict == nil {
		d.Sections = d.Sections[1:]
	}
	return writeText(w, d, f.files())
}

// AttackDocument builds what there is to say of attacks on a release: the verdict, the limits, and every intruder.
func AttackDocument(o *study.Outcome, attacks []study.Attack) (*document.Document, error) {
	d := &document.Document{Kind: document.OfRelease}
	if err := check(o); err != nil {
		return nil, err
	}
	d.Words = o.Words
	d.Title = headline(o)
	d.Add(headOf(o, Options{}))
	d.Add(demandsOf(o, Options{}))
	for k := range attacks {
		d.Add(attackSection(o, &attacks[k]))
	}
	if failed := unmeasured(o.Measures); failed != nil {
		p := failed[0].(document.Part)
		d.Add(&document.Section{Key: "failed", Title: p.Title, Blocks: p.Blocks})
	}
	return d, nil
}

// attackSection is every sentence and figure of an intruder, a screen's first; nil where there is nothing.
func attackSection(o *study.Outcome, a *study.Attack) *document.Section {
	s := &document.Section{Key: "intruder", Title: whom(a.Intruder, a.Described)}
	if worst := worstOf(o, a); worst != nil {
		s.Blocks = append(s.Blocks, document.Figures{Brief: true, Items: worst})
	}
	for _, p := range toldBy(a) {
		s.Blocks = append(s.Blocks, p)
	}
	t := document.Table{Title: message.Say("measures.title"),
		Columns: columns("risk.columns", "measure", "value n", "safer")}
	var notes []remark
	for _, k := range a.Measures {
		m := &o.Measures[k]
		if !m.Err.Empty() {
			continue
		}
		f := measuredFigure(m)
		r := row(f.Title, message.Sentence{}, message.Say("better."+string(m.Better)))
		r.Cells[1].Figure, r.Cells[1].Of = &f, f.Of()
		t.Rows = append(t.Rows, r)
		for _, n := range m.Value.Notes {
			notes = together(notes, titleOf(m), n)
		}
	}
	if t.Rows != nil {
		s.Blocks = append(s.Blocks, t)
	}
	if notes != nil {
		s.Blocks = append(s.Blocks, part(message.Say("attack.notes"), document.Facts{Items: factsOfRemarks(notes)}))
	}
	if len(a.Riskiest) > 0 {
		s.Blocks = append(s.Blocks, atRisk(o, a))
	}
	return some(s)
}

// attacks writes the screen. Every intruder gets as many lines.
func (f *fitter) attacks(w io.Writer, d *document.Document, o *study.Outcome, attacks []study.Attack) error {
	head, tail := f.head(d), append(f.files(), f.say("", message.Say("screen.verbose").String())...)
	reasons, _ := f.reasons(d, 5)
	var told [][]string
	room := f.lines() - f.After - len(head) - len(reasons) - len(tail)
	attacks = slices.DeleteFunc(slices.Clone(attacks), func(a study.Attack) bool {
		return a.Intruder == "" && len(a.Sentences) == 0
	})
	shown := min(len(attacks), max(room/leastOfAttack, 1))
	if shown < len(attacks) {
		tail = slices.Concat(f.say("", message.Say("screen.intruders").Count("n", len(attacks)-shown).String()), tail)
		room--
	}
	for k := range attacks[:shown] {
		lines := f.attack(o, &attacks[k], room/(shown-k))
		room -= len(lines)
		told = append(told, lines)
	}
	if err := f.write(w, head); err != nil {
		return err
	}
	_, err := io.WriteString(w, joinedLines(append(append([][]string{reasons}, told...), tail)...))
	return err
}

// worstOf are the figures of the worst attacks of an intruder, who stands above them.
func worstOf(o *study.Outcome, a *study.Attack) (out []document.Figure) {
	var own study.Outcome
	for _, k := range a.Measures {
		own.Measures = append(own.Measures, o.Measures[k])
	}
	for _, w := range worstAttacks(&own) {
		w.Intruder = ""
		out = append(out, attackFigure(&w))
	}
	return out
}

// leastOfAttack is how many lines an intruder takes at least: who it is, a figure, a sentence, the rows.
const leastOfAttack = 4

// attack tells of one intruder: the attacks with their bounds and, as far as so many lines hold them, a sentence on
// whom it finds and one on what it learns, and the rows at the highest risk.
func (f *fitter) attack(o *study.Outcome, a *study.Attack, most int) []string {
	lines := f.say("", whom(a.Intruder, a.Described).String())
	for _, g := range worstOf(o, a) {
		lines = append(lines, f.say("  "+g.Title.String()+": ", inLine(&g, true))...)
	}
	var rows []string
	if len(a.Riskiest) > 0 {
		all := &enumeration{lead: "  " + message.Say("screen.rows").String()}
		for _, r := range a.Riskiest {
			all.items = append(all.items, message.Say("screen.row").Count("row", r.Row).Part("risk", riskOf(r.Risk)).String())
		}
		rows = all.within(f, 1)
	}
	for _, g := range toldBy(a) {
		said := f.say("  - ", g.Blocks[0].(document.List).Items[0].String())
		if len(lines)+len(said)+len(rows) <= most {
			lines = append(lines, said...)
		}
	}
	return append(lines, rows...)
}
