package report

import (
	"strings"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure/hidingeffects"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// associationsOf is the section on what became of the association rules. Rules tell what people of the original have in
// common, so the public report has no such section; its figure says how many survived.
func associationsOf(o *study.Outcome, _ Options) *document.Section {
	s := &document.Section{Key: "associations", Title: message.Say("associations.title")}
	hidden, hides := detail[hidingeffects.HidingFailureDetail](o)
	if d, ok := detail[rulepreservation.RuleSurvivalDetail](o); ok {
		var points []chart.RulePoint
		if hides {
			points = hiddenPoints(hidden)
		}
		s.Blocks = survived(d, points)
	}
	if hides && len(hidden.Sensitive) > 0 {
		s.Blocks = append(s.Blocks, hiddenPart(o, hidden))
	}
	return some(s)
}

// survived tells what became of all rules; points are the hidden ones on the map.
func survived(d *rulepreservation.RuleSurvivalDetail, points []chart.RulePoint) []document.Block {
	lead := prose("lead", message.Say("associations.lead").Share("support", d.Support).Share("confidence", d.Confidence))
	if d.Lift > 1 {
		lead.Says[0] = message.Say("associations.lifted").Share("support", d.Support).Share("confidence", d.Confidence).
			Number("lift", d.Lift, 0.01)
	}
	lead.Says = append(lead.Says, message.Say("associations.kept").Count("original", d.Original).Count("kept", d.Kept).
		Count("lost", d.Lost).Count("new", d.New))
	var notes []document.Block
	if d.Support > d.Asked {
		notes = append(notes, prose("", message.Say("associations.many").Share("asked", d.Asked)))
	}
	if r := d.Readings; r != nil {
		notes = append(notes, prose("", message.Say("associations.readings").Share("low", r.Pessimistic).
			Share("high", r.Optimistic)))
	}
	hid := len(points)
	drawn := map[chart.Fate]int{}
	for _, p := range d.Drawn {
		fate := map[rulepreservation.RuleSurvivalState]chart.Fate{
			rulepreservation.RuleSurvivalKept: chart.RuleKept,
			rulepreservation.RuleSurvivalLost: chart.RuleLost,
			rulepreservation.RuleSurvivalNew:  chart.RuleNew,
		}[p.State]
		drawn[fate]++
		points = append(points, chart.RulePoint{Fate: fate, Before: chart.Strength(p.Before), After: chart.Strength(p.After)})
	}
	key := document.List{Look: "key", Marks: []string{"on", "off", "", "hid"}}
	for _, f := range []struct {
		key  string
		fate chart.Fate
		all  int
	}{{"associations.key.kept", chart.RuleKept, d.Kept}, {"associations.key.lost", chart.RuleLost, d.Lost},
		{"associations.key.new", chart.RuleNew, d.New}} {
		says := message.Say(f.key)
		if drawn[f.fate] < f.all {
			says = message.Say("associations.drawn").Part("says", says).Count("drawn", drawn[f.fate]).Count("all", f.all)
		}
		key.Items = append(key.Items, says)
	}
	if hid > 0 {
		key.Items = append(key.Items, message.Say("associations.key.hidden"))
	}
	out := []document.Block{lead}
	if points != nil {
		m := chart.RuleMap{Title: message.Say("associations.map").String(), Points: points, Support: d.Support,
			Confidence: d.Confidence}
		wide := m
		wide.Width = mapWidth
		out = append(out, document.Charts{Look: lookMap, Aside: append([]document.Block{key}, notes...),
			Items: []document.Chart{{Key: "rule-map", Drawing: wide, Narrow: m}}})
	}
	return append(append(out, ruleList("lost", d.StrongestLost, d.Lost)...), ruleList("new", d.StrongestNew, d.New)...)
}

// ruleList is a table of the strongest rules of so many.
func ruleList(what string, rules []rulepreservation.RuleSurvivalRule, all int) []document.Block {
	if len(rules) == 0 {
		return nil
	}
	title := message.Say("associations.strongest."+what).Count("n", len(rules)).Count("all", all)
	if len(rules) == all {
		title = message.Say("associations.every." + what)
	}
	t := document.Table{Title: title, Columns: columns("associations.columns", "if wide", "then", "before n", "after n")}
	for _, r := range rules {
		t.Rows = append(t.Rows, row(message.Name(strings.Join(r.If, ", ")), message.Name(r.Then),
			strength(r.Before.Support, r.Before.Confidence, true),
			strength(r.After.Support, r.After.Confidence, true)))
	}
	return []document.Block{fold(title, t)}
}

// strength is support and, of a rule, confidence.
func strength(support, confidence float64, rule bool) message.Sentence {
	switch {
	case support == 0:
		return message.Say("associations.none")
	case rule:
		return message.Say("associations.strength").Share("support", support).Share("confidence", confidence)
	}
	return message.Share(support)
}

// hiddenPart tells what became of the patterns that were to be hidden.
func hiddenPart(o *study.Outcome, d *hidingeffects.HidingFailureDetail) document.Block {
	t := document.Table{Title: message.Say("hidden.title"),
		Columns: columns("hidden.columns", "pattern wide", "standing", "before n", "after n", "short n")}
	found := 0
	for _, s := range d.Sensitive {
		r := row(message.Name(s.Pattern), message.Say("hidden.hidden"),
			strength(s.Before.Support, s.Before.Confidence, s.Rule),
			strength(s.After.Support, s.After.Confidence, s.Rule), message.Sentence{})
		if s.Low != nil && s.High != nil {
			r.Cells[3].Says = message.Say("hidden.unknown").Part("after", r.Cells[3].Says).
				Part("low", strength(s.Low.Support, s.Low.Confidence, s.Rule)).
				Part("high", strength(s.High.Support, s.High.Confidence, s.Rule))
		}
		switch {
		case s.Is:
			r.Cells[1].Says = message.Say("hidden.there")
			found++
		case !s.Was:
			r.Cells[1].Says = message.Say("hidden.wasNot")
		case s.Short > 0:
			r.Cells[4].Says = message.Count(s.Short)
		}
		t.Rows = append(t.Rows, r)
	}
	kind := "itemsets"
	if d.Rules {
		kind = "rules"
	}
	lead := prose("lead", message.Say("hidden.none."+kind).Count("n", len(d.Sensitive)), larger(d, kind))
	if found > 0 {
		lead.Says[0] = message.Say("hidden.some."+kind).Count("n", len(d.Sensitive)).Count("found", found)
	}
	blocks := []document.Block{lead}
	if s := ofOptimum(o); !s.Empty() {
		blocks = append(blocks, prose("", s))
	}
	return part(t.Title, append(blocks, t)...)
}

// ofOptimum says what is lost beside the optimum, or why nobody knows; it is empty where it was not asked for.
func ofOptimum(o *study.Outcome) message.Sentence {
	if d, ok := detail[hidingeffects.OptimumDetail](o); ok {
		return d.Says().Whole()
	}
	for k := range o.Measures {
		if m := &o.Measures[k]; m.Name == hidingeffects.Optimum.Name && !m.Err.Empty() {
			return message.Say("hidden.optimum").Part("why", m.Err)
		}
	}
	return message.Sentence{}
}

// larger tells of the patterns with all items of one that is listed.
func larger(d *hidingeffects.HidingFailureDetail, kind string) message.Sentence {
	more, left := d.Original, d.Found
	for _, s := range d.Sensitive {
		if s.Was {
			if more--; s.Is {
				left--
			}
		}
	}
	switch {
	case more == 0:
		return message.Sentence{}
	case left == 0:
		return message.Say("hidden.largerNone."+kind).Count("n", more)
	}
	return message.Say("hidden.larger."+kind).Count("n", more).Count("left", left)
}

// hiddenPoints are the rules that are hidden, for the map.
func hiddenPoints(d *hidingeffects.HidingFailureDetail) (out []chart.RulePoint) {
	for _, s := range d.Sensitive {
		if s.Rule && s.Was && !s.Is {
			out = append(out, chart.RulePoint{Fate: chart.RuleHidden, Before: chart.Strength(s.Before), Tip: s.Pattern})
		}
	}
	return out
}
