package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
)

// mostParts and mostNotes bound what one row of the table of measures shows.
const (
	mostParts = 10
	mostNotes = 5
)

// remark is what is said of one or several measures.
type remark struct {
	measures []string
	says     message.Sentence
}

// measuresOf is the section of every figure that was taken. The public one lists the measures of utility, by their
// score alone.
func measuresOf(o *study.Outcome, opt Options) *document.Section {
	blocks := worthOf(o, opt.Public)
	if !opt.Public {
		blocks = append(blocks, riskTable(o, opt.attacksOf(o))...)
		blocks = append(blocks, unmeasured(o.Measures)...)
	}
	if blocks == nil {
		return nil
	}
	return &document.Section{Key: "measures", Title: message.Say("measures.title"),
		Blocks: []document.Block{fold(message.Say("measures.fold"), blocks...)}}
}

// worthOf lists the measures that were taken, but those of risk.
func worthOf(o *study.Outcome, public bool) (out []document.Block) {
	for _, side := range []measure.Side{measure.Utility, measure.Cost} {
		var taken []*study.Measured
		for k := range o.Measures {
			if m := &o.Measures[k]; m.Side == side && m.Err.Empty() && (!public || m.Side == measure.Utility) {
				taken = append(taken, m)
			}
		}
		if taken == nil {
			continue
		}
		title := message.Say("measures.side." + string(side))
		t := document.Table{Title: title, Columns: columns("measures.columns", "measure", "value n", "better", "read wide")}
		shared := commonNotes(taken)
		for _, m := range taken {
			t.Rows = append(t.Rows, measureRow(m, public, shared))
		}
		blocks := []document.Block{t}
		if !public {
			for _, n := range shared {
				blocks = append(blocks, prose("note", message.Say("measures.shared").Part("note", n.says.Whole()).
					Text("measures", strings.Join(n.measures, "; "))))
			}
		}
		out = append(out, part(title, blocks...))
	}
	return out
}

// measureRow is a measure in the table.
func measureRow(m *study.Measured, public bool, shared []remark) document.Row {
	f := measuredFigure(m)
	r := row(f.Title, message.Sentence{}, message.Say("better."+string(m.Better)), message.Given(m.Summary))
	r.Cells[1].Figure, r.Cells[1].Of, r.Cells[3].Source = &f, f.Of(), m.Paper
	if public {
		return r
	}
	if p := partsOf(m); !p.Empty() {
		r.Cells[3].Below = append(r.Cells[3].Below, p)
	}
	for _, n := range notesOf(m) {
		if !slices.ContainsFunc(shared, func(s remark) bool { return s.says.Equal(n) }) {
			r.Cells[3].Below = append(r.Cells[3].Below, n)
		}
	}
	return r
}

func notesOf(m *study.Measured) []message.Sentence {
	return m.Value.Notes[:min(len(m.Value.Notes), mostNotes)]
}

// manyRows is from how many measures on a note is said once for all of them.
const manyRows = 3

// commonNotes are the notes that many of these measures make.
func commonNotes(taken []*study.Measured) []remark {
	var all []remark
	for _, m := range taken {
		for _, n := range notesOf(m) {
			all = together(all, titleOf(m), n)
		}
	}
	return slices.DeleteFunc(all, func(r remark) bool { return len(r.measures) < manyRows })
}

// together adds what is said of a measure; measures of which the same is said share an entry.
func together(list []remark, title string, says message.Sentence) []remark {
	k := slices.IndexFunc(list, func(r remark) bool { return r.says.Equal(says) })
	if k < 0 {
		return append(list, remark{[]string{title}, says})
	}
	if !slices.Contains(list[k].measures, title) {
		list[k].measures = append(list[k].measures, title)
	}
	return list
}

// factsOfRemarks puts what is said of the same measures into one fact.
func factsOfRemarks(list []remark) (out []document.Fact) {
	said := map[string][]message.Sentence{}
	var order []string
	for _, r := range list {
		name := strings.Join(r.measures, "; ")
		if said[name] == nil {
			order = append(order, name)
		}
		said[name] = append(said[name], r.says.Whole())
	}
	for _, name := range order {
		out = append(out, document.Fact{Name: message.Text(name), Says: message.After(said[name]...)})
	}
	return out
}

func titleOf(m *study.Measured) string { return cmp.Or(m.Title, m.Name) }

// unmeasured says which measures could not be taken or do not apply and why, those with one reason together.
func unmeasured(ms []study.Measured) []document.Block {
	var failed, skipped []remark
	for k := range ms {
		m := &ms[k]
		switch {
		case m.Err.Empty():
		case m.Skip:
			skipped = together(skipped, titleOf(m), m.Err)
		default:
			failed = together(failed, titleOf(m), m.Err)
		}
	}
	var items []document.Fact
	for _, r := range failed {
		items = append(items, document.Fact{Name: message.Text(strings.Join(r.measures, "; ")), Says: r.says.Whole()})
	}
	for _, r := range skipped {
		items = append(items, document.Fact{Name: message.Text(strings.Join(r.measures, "; ")),
			Says: message.Say("measures.skipped").Part("why", r.says)})
	}
	if items == nil {
		return nil
	}
	return []document.Block{part(message.Say("measures.failed"), document.Facts{Items: items})}
}

// partsOf lists the parts of a measure's value, the first of them.
func partsOf(m *study.Measured) message.Sentence {
	most := cmp.Or(m.MostParts, mostParts)
	var s []message.Sentence
	for k, p := range m.Value.Parts {
		if k == most && len(m.Value.Parts) > most+1 {
			s = append(s, message.Say("measures.more").Count("n", len(m.Value.Parts)-k))
			break
		}
		s = append(s, message.Say("measures.part").Part("name", p.Name).Text("value", document.Significant(p.Score)))
	}
	return message.Series(s)
}

// riskTable lists the measures of risk that were taken, a column for every intruder.
func riskTable(o *study.Outcome, attacks []study.Attack) []document.Block {
	t := document.Table{Title: message.Say("risk.label"), Headed: true, Look: "stack risk",
		Columns: columns("risk.columns", "measure")}
	at := map[string]int{}
	var order []int
	for k := range attacks {
		order = append(order, attacks[k].Measures...)
		if who := attacks[k].Intruder; who != "" {
			at[who] = len(at)
			t.Columns = append(t.Columns, document.Column{Title: message.Name(Printable(who)), Numeric: true})
		}
	}
	if len(at) == 0 {
		t.Columns = append(t.Columns, columns("risk.columns", "value n")...)
	}
	t.Columns = append(t.Columns, columns("risk.columns", "safer", "read wide")...)
	var taken [][]*study.Measured // by row
	var details []document.Fact
	for _, k := range order {
		m := &o.Measures[k]
		if m.Side != measure.Risk || !m.Err.Empty() {
			continue
		}
		r := slices.IndexFunc(taken, func(row []*study.Measured) bool {
			return titleOf(row[0]) == titleOf(m) && (row[0].Intruder == "") == (m.Intruder == "")
		})
		if r < 0 {
			r = len(taken)
			taken = append(taken, nil)
			t.Rows = append(t.Rows, riskRow(m, len(at)))
		}
		taken[r] = append(taken[r], m)
		f := measuredFigure(m)
		t.Rows[r].Cells[1+at[m.Intruder]].Figure = &f
		if p := partsOf(m); !p.Empty() {
			details = append(details, document.Fact{Name: ofIntruders(titleOf(m), m), Says: p})
		}
	}
	if t.Rows == nil {
		return nil
	}
	blocks := []document.Block{t}
	if notes := riskNotes(taken); notes != nil {
		blocks = append(blocks, document.Facts{Look: "remarks", Items: notes})
	}
	out := []document.Block{part(message.Say("risk.title"), blocks...)}
	if details != nil {
		out = append(out, part(message.Say("risk.parts"), document.Facts{Items: details}))
	}
	return out
}

// riskRow is a row for a measure of risk: a cell for each intruder, or one for all.
func riskRow(m *study.Measured, intruders int) document.Row {
	r := document.Row{Cells: []document.Cell{{Says: message.Text(titleOf(m))}}}
	if of := measuredFigure(m).Of(); of != "" {
		r.Cells[0].Below = []message.Sentence{message.Text(of)}
	}
	if m.Intruder == "" && intruders > 0 {
		r.Cells = append(r.Cells, document.Cell{Span: intruders, Below: []message.Sentence{message.Say("risk.anyone")}})
	} else {
		r.Cells = append(r.Cells, make([]document.Cell, max(1, intruders))...)
	}
	return document.Row{Cells: append(r.Cells, document.Cell{Says: message.Say("better." + string(m.Better))},
		document.Cell{Says: message.Given(m.Summary), Source: m.Paper})}
}

// ofIntruders is the title of a measure with the intruders it is against.
func ofIntruders(title string, ms ...*study.Measured) message.Sentence {
	var who []string
	for _, m := range ms {
		if m.Intruder != "" {
			who = append(who, Printable(m.Intruder))
		}
	}
	if who == nil {
		return message.Text(title)
	}
	return message.Say("risk.against").Text("measure", title).Text("who", strings.Join(who, ", "))
}

// riskNotes are the notes on measures of risk, with the intruders where they do not hold for all.
func riskNotes(taken [][]*study.Measured) []document.Fact {
	var notes []remark
	for _, ms := range taken {
		var said []message.Sentence
		var by [][]*study.Measured // who says each
		for _, m := range ms {
			for _, n := range notesOf(m) {
				k := slices.IndexFunc(said, n.Equal)
				if k < 0 {
					k, said, by = len(said), append(said, n), append(by, nil)
				}
				by[k] = append(by[k], m)
			}
		}
		for k, n := range said {
			name := titleOf(ms[0])
			if len(by[k]) < len(ms) {
				name = ofIntruders(name, by[k]...).String()
			}
			notes = together(notes, name, n)
		}
	}
	return factsOfRemarks(notes)
}
