package report

import (
	"strconv"
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
)

// mostTold and mostDrawn are how many sentences about a thing, and drawings, the report has of the worst intruder
// before the others are folded.
const mostTold, mostDrawn = 1, 2

// peopleOf is the section on what intruders learn; it is internal as a whole.
func peopleOf(o *study.Outcome, opt Options) *document.Section {
	s := &document.Section{Key: "people", Title: message.Say("people.title")}
	shown := sided(o, false, true)
	told := mostTold
	if o.Verdict != nil && o.Verdict.Worst != nil {
		s.Blocks = append(s.Blocks, attackTable(o.Verdict.Worst))
		shown, told = nil, 0 // of the attacks the table says it already
		for _, f := range figures(o, false) {
			if f.side == measure.Risk && !f.assault {
				shown = append(shown, f.Figure)
			}
		}
	}
	if shown != nil {
		s.Blocks = append(s.Blocks, document.Figures{Items: shown})
	}
	if all := intruders(o, opt.attacksOf(o)); all != nil {
		s.Blocks = append(s.Blocks, prose("lead", message.Say("people.lead")), swatches())
		s.Blocks = append(s.Blocks, all[0].blocks(told)...)
		if n := len(all) - 1; n > 0 {
			var others []document.Block
			for _, one := range all[1:] {
				others = append(others, one.whole())
			}
			s.Blocks = append(s.Blocks, fold(message.Say("people.others").Count("n", n), others...))
		}
	}
	if s.Blocks == nil {
		return nil
	}
	return s
}

// attackTable lists the attacks that found, and learned, the most.
func attackTable(worst []measure.Attack) document.Table {
	t := document.Table{Title: message.Say("people.worst"),
		Columns: columns("people.columns", "what", "share n", "before n", "sure n", "tried n", "who wide")}
	for k := range worst {
		a := &worst[k]
		f := attackFigure(a)
		r := row(message.Say("people.found"), message.Sentence{}, message.Sentence{}, message.Sentence{},
			message.Say("people.tried").Count("tried", a.Tried).Count("people", a.People),
			message.Say("people.knowing").Text("who", Printable(a.Intruder)).Part("by", a.By).
				Part("knows", knownColumns(a.Knows, a.Gaps)))
		if a.Secret != "" {
			r.Cells[0].Says = message.Say("people.secret").Name("column", a.Secret)
		}
		r.Cells[1].Figure = &f
		if a.Before != nil {
			r.Cells[2].Says = message.Share(*a.Before)
		}
		if a.Sure != nil {
			r.Cells[3].Says = message.Share(*a.Sure)
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// mostKnown is how many columns that an attack uses a table names.
const mostKnown = 4

// knownColumns names the columns that an attack uses.
func knownColumns(names []string, gaps bool) message.Sentence {
	s := message.Text(strings.Join(names, ", "))
	if n := len(names); n > mostKnown {
		s = message.Say("people.more").Text("names", strings.Join(names[:mostKnown-1], ", ")).Count("n", n-mostKnown+1)
	}
	switch {
	case gaps && len(names) > 0:
		return message.Say("people.andGaps").Part("names", s)
	case gaps:
		return message.Say("people.gaps")
	}
	return s
}

// intruderView is what one intruder learns, before it is put on a page.
type intruderView struct {
	who    message.Sentence
	told   []document.Part // what it learns, by what it wants to know
	charts []document.Chart
	rest   []document.Block // the groups, and the rows at the highest risk
}

// intruders returns those of whom there is something to tell.
func intruders(o *study.Outcome, attacks []study.Attack) (out []intruderView) {
	for k := range attacks {
		a := &attacks[k]
		v := intruderView{
			who:    whom(a.Intruder, a.Described),
			told:   toldBy(a),
			charts: riskPanels(o, "risk-"+strconv.Itoa(k+1), a),
			rest:   groupsOf(a),
		}
		if len(a.Riskiest) > 0 {
			v.rest = append(v.rest, atRisk(o, a))
		}
		if v.told != nil || v.charts != nil || len(a.Riskiest) > 0 {
			out = append(out, v)
		}
	}
	return out
}

// whole is all there is to say of an intruder.
func (v *intruderView) whole() document.Block {
	return document.Part{Title: v.who, Look: "measure", Blocks: learned(v.told, v.charts, v.rest)}
}

// blocks is what stands open of the worst intruder, so many sentences about each thing, and the rest folded.
func (v *intruderView) blocks(told int) []document.Block {
	var open, further []document.Part
	for _, p := range v.told {
		lines := p.Blocks[0].(document.List).Items
		n := min(told, len(lines))
		if n > 0 {
			open = append(open, part(p.Title, document.List{Items: lines[:n]}))
		}
		if n < len(lines) {
			further = append(further, part(p.Title, document.List{Items: lines[n:]}))
		}
	}
	n := min(len(v.charts), mostDrawn)
	out := []document.Block{document.Part{Title: v.who, Look: "measure", Blocks: learned(open, v.charts[:n], nil)}}
	if rest := learned(further, v.charts[n:], v.rest); rest != nil {
		out = append(out, fold(message.Say("people.further"), rest...))
	}
	return out
}

func learned(told []document.Part, charts []document.Chart, rest []document.Block) (out []document.Block) {
	if told != nil {
		out = append(out, document.Group{Look: "told", Parts: told})
	}
	if len(charts) > 0 {
		out = append(out, document.Charts{Items: charts})
	}
	return append(out, rest...)
}

// toldBy is the sentences about each thing that intruders want to know.
func toldBy(a *study.Attack) (out []document.Part) {
	for _, about := range []measure.About{measure.Identity, measure.Secret} {
		var lines []message.Sentence
		for _, s := range a.Sentences {
			if s.About == about {
				lines = append(lines, s.Says.Whole())
			}
		}
		if lines != nil {
			out = append(out, part(message.Say("people.about."+string(about)), document.List{Items: lines}))
		}
	}
	return out
}

// atRisk lists the rows at the highest risk.
func atRisk(o *study.Outcome, a *study.Attack) document.Block {
	rows := document.Facts{Look: "rows"}
	for _, r := range a.Riskiest {
		rows.Items = append(rows.Items, document.Fact{Name: message.Count(r.Row), Says: riskOf(r.Risk)})
	}
	note := prose("note", append([]message.Sentence{message.Say("people.atRisk").Part("risk", a.Risk.Sentence)},
		further(o, a)...)...)
	return part(message.Say("people.rows"), rows, note)
}

// riskOf is the risk of a record: mostly a probability.
func riskOf(risk float64) message.Sentence {
	if risk >= 0 && risk <= 1 {
		return message.Share(risk)
	}
	return message.Text(document.Significant(risk))
}

// further says how many of the records were judged, and how many are as risky as the last one listed.
func further(o *study.Outcome, a *study.Attack) (out []message.Sentence) {
	if n := o.Original.Rows(); a.Judged > 0 && a.Judged < n {
		out = append(out, message.Say("people.sample").Count("judged", a.Judged).Count("records", n))
	}
	if a.Further > 0 {
		out = append(out, message.Say("people.asRisky").Count("n", a.Further))
	}
	return out
}

// mostAtRisk is how many records at the highest risk the report names for each intruder, and mostGroupRows how many
// groups of people, those found most often first.
const mostAtRisk, mostGroupRows = 10, 10

// groupsOf is how often the people of each group are found; nil where no groups were compared.
func groupsOf(a *study.Attack) []document.Block {
	if len(a.Groups) == 0 {
		return nil
	}
	t := document.Table{
		Headed:  true,
		Title:   message.Say("groups.label").Part("who", whom(a.Intruder, a.Described)),
		Look:    "stack narrow",
		Columns: columns("groups.columns", "column", "group", "people n", "tried n", "found n", "against"),
	}
	for k := range a.Groups[:min(len(a.Groups), mostGroupRows)] {
		g := &a.Groups[k]
		r := row(message.Name(g.Column), g.Group.Sentence, message.Count(g.People), message.Count(g.Tried),
			message.Sentence{}, message.Say("groups.same"))
		r.Cells[4].Figure = &document.Figure{Key: a.GroupsBy, Title: g.Group.Sentence, Value: g.Share, Lo: g.Lo,
			Hi: g.Hi, Level: 0.95, Unit: measure.In(measure.Share, message.Sentence{})}
		if g.More {
			r.Cells[5] = document.Cell{Says: message.Say("groups.more"), Look: "strong"}
		}
		t.Rows = append(t.Rows, r)
	}
	note := prose("note", message.Say("groups.bounds"))
	if n := len(a.Groups) - mostGroupRows; n > 0 {
		note.Says = append(note.Says, message.Say("groups.further").Count("n", n))
	}
	return []document.Block{part(message.Say("groups.title"), t, note)}
}

// whom names an intruder in a heading; described says that the name reads on after "an intruder who".
func whom(name string, described bool) message.Sentence {
	return named(name, described, "who.anyone", "who.who", "who.named")
}

// byWhom names an intruder inside a sentence.
func byWhom(name string, described bool) message.Sentence {
	return named(name, described, "by.anyone", "by.who", "by.named")
}

// named says what an intruder knows, or the name that a policy gave it.
func named(name string, described bool, anyone, who, alone string) message.Sentence {
	name = Printable(name)
	switch {
	case name == "":
		return message.Say(anyone)
	case described:
		return message.Say(who).Name("name", name)
	}
	return message.Say(alone).Name("name", name)
}
