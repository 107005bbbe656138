package report

import (
	"strings"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
)

// showingOf is the section on the few rules that are worth showing, with an alert where one that is kept is about
// something sensitive. Rules tell what people of the original have in common, so the public report has no such section.
func showingOf(o *study.Outcome, _ Options) *document.Section {
	d, ok := detail[rulepreservation.RulesWorthDetail](o)
	if !ok {
		return nil
	}
	lead := prose("lead", message.Say("showing.counts").
		Count("n", d.Kept+d.Lost).Count("kept", d.Kept).Count("lost", d.Lost).Count("new", d.New))
	if d.Hidden > 0 {
		lead.Says = append(lead.Says, message.Say("showing.hidden").Count("n", d.Hidden))
	}
	s := &document.Section{Key: "showing", Title: message.Say("showing.title")}
	for _, says := range d.Alerts() {
		s.Blocks = append(s.Blocks, prose("warn", message.Say("showing.alert").Part("says", says)))
	}
	if len(d.Shown) == 0 {
		s.Blocks = append(s.Blocks, lead)
		return s
	}
	t := document.Table{Title: message.Say("showing.strongest").Count("shown", len(d.Shown)),
		Columns: columns("showing.columns", "if wide", "then", "state", "before n", "after n", "sensitive")}
	for k := range d.Shown {
		t.Rows = append(t.Rows, shownRule(&d.Shown[k]))
	}
	list := fold(t.Title, lead, prose("", message.Say("showing.lead")), t)
	if d.Alike > 0 {
		list.Blocks = append(list.Blocks, prose("note", message.Say("showing.alike").Count("n", d.Alike)))
	}
	s.Blocks = append(s.Blocks, list)
	return s
}

func shownRule(r *rulepreservation.RulesWorthRule) document.Row {
	var about message.Sentence
	switch {
	case r.Listed:
		about = message.Say("showing.told")
	case r.Grade != "":
		about = message.Say("showing.graded").Name("columns", strings.Join(r.Sensitive, ", ")).
			Part("grade", message.Say("showing.grade."+string(r.Grade)))
	}
	return row(message.Name(strings.Join(r.If, ", ")), message.Name(r.Then), message.Say("showing.state."+string(r.State)),
		worthOfRule(r.Before), worthOfRule(r.After), about)
}

// worthOfRule is how often a rule is right, and how many records it covers.
func worthOfRule(s rulepreservation.RulesWorthStrength) message.Sentence {
	if s.Records == 0 {
		return message.Say("showing.none")
	}
	return message.Say("showing.strength").Share("right", s.Accuracy).Share("covers", s.Coverage)
}
