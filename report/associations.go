package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/dither-data/dither/measure/hidingfailure"
	"github.com/dither-data/dither/measure/optimum"
	"github.com/dither-data/dither/measure/rulesurvival"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// associations is the section on what became of the association rules. Rules tell what people of the original have in common, so the public report has no such section;
// its figure says how many survived.
type associations struct {
	Lead         string
	Wide, Narrow template.HTML // the map for a screen and for a phone; empty where no rule is drawn
	Key          []keyed
	Notes        []string
	Tables       []associationTable
	Hidden       []hiddenPattern
	HiddenText   string
	Optimum      string // what is lost beside the optimum, or why it was not measured; empty where nobody asked
}

// keyed is a line of the key of a map.
type keyed struct{ Class, Text string }

// associationTable lists rules in words.
type associationTable struct {
	Title string
	Rules []association
}

type association struct{ If, Then, Before, After string }

// hiddenPattern is what became of a pattern that was to be hidden.
type hiddenPattern struct{ Pattern, Standing, Before, After, Short string }

func associationsOf(o *study.Outcome, public bool) *associations {
	if public {
		return nil
	}
	var a associations
	var points []chart.RulePoint
	if d, ok := detail[hidingfailure.Detail](o); ok {
		a.hide(d)
		points = hiddenPoints(d)
	}
	if a.Hidden != nil {
		a.Optimum = ofOptimum(o)
	}
	if d, ok := detail[rulesurvival.Detail](o); ok {
		a.survive(d, points)
	}
	if a.Lead == "" && a.Hidden == nil {
		return nil
	}
	return &a
}

// ofOptimum says what is lost beside the optimum, or why nobody knows; it is empty where it was not asked for.
func ofOptimum(o *study.Outcome) string {
	if d, ok := detail[optimum.Detail](o); ok {
		return upper(d.String()) + "."
	}
	for k := range o.Measures {
		if m := &o.Measures[k]; m.Name == optimum.Measure.Name && m.Err != "" {
			return "How many rules and itemsets any release loses that hides these was not worked out: " + m.Err + "."
		}
	}
	return ""
}

// survive tells what became of all rules.
func (a *associations) survive(d *rulesurvival.Detail, points []chart.RulePoint) {
	a.Lead = fmt.Sprintf("A rule says who has what mostly has what else. Counted are those that at least %s of the records bear out and that are right for at least %s of the records with their beginning",
		chart.Percent(d.Support), chart.Percent(d.Confidence))
	if d.Lift > 1 {
		a.Lead += ", at least " + chart.Number(d.Lift, 0.01) + " times as often as among all records"
	}
	a.Lead += fmt.Sprintf(". The original has %s: %s in the release, too, %s lost. The release has %s of its own.",
		chart.Count(float64(d.Original)), numbered(d.Kept, "is", "are"), numbered(d.Lost, "is", "are"), chart.Count(float64(d.New)))
	if d.Support > d.Asked {
		a.Notes = append(a.Notes, "Rules of less support are too many to count here: asked for were those from "+chart.Percent(d.Asked)+" on.")
	}
	if r := d.Readings; r != nil {
		a.Notes = append(a.Notes, fmt.Sprintf("Items of the release that may or may not be there count half. Of all rules %s are in both tables if they go against the rules, and %s if they go their way.",
			chart.Percent(r.Pessimistic), chart.Percent(r.Optimistic)))
	}
	drawn := map[chart.Fate]int{}
	for _, p := range d.Drawn {
		fate := map[rulesurvival.State]chart.Fate{rulesurvival.Kept: chart.RuleKept, rulesurvival.Lost: chart.RuleLost, rulesurvival.New: chart.RuleNew}[p.State]
		drawn[fate]++
		points = append(points, chart.RulePoint{Fate: fate, Before: chart.Strength(p.Before), After: chart.Strength(p.After)})
	}
	if len(points) > 0 {
		m := chart.RuleMap{Title: "Association rules by support and confidence", Points: points, Support: d.Support, Confidence: d.Confidence, Width: 780}
		a.Wide = m.Draw("rule-map")
		m.Width = 0
		a.Narrow = m.Draw("rule-map-narrow")
	}
	of := func(fate chart.Fate, all int) string {
		if drawn[fate] < all {
			return fmt.Sprintf(" Drawn are %d of %s, taken at random.", drawn[fate], chart.Count(float64(all)))
		}
		return ""
	}
	a.Key = []keyed{
		{"on", "Kept: in both tables. The line leads from where it was." + of(chart.RuleKept, d.Kept)},
		{"off", "Lost: in the original alone." + of(chart.RuleLost, d.Lost)},
		{"", "New: in the release alone; who believes it is misled." + of(chart.RuleNew, d.New)},
	}
	if len(points) > len(d.Drawn) {
		a.Key = append(a.Key, keyed{"hid", "Hidden, as it was to be."})
	}
	a.list(d.StrongestLost, d.Lost, "lost")
	a.list(d.StrongestNew, d.New, "new")
}

// numbered counts with a verb: 1 is, 2 are.
func numbered(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return chart.Count(float64(n)) + " " + more
}

// list adds a table of the strongest rules of so many.
func (a *associations) list(rules []rulesurvival.Rule, all int, what string) {
	if len(rules) == 0 {
		return
	}
	t := associationTable{Title: fmt.Sprintf("The %d strongest of %s rules that are %s", len(rules), chart.Count(float64(all)), what)}
	if len(rules) == all {
		t.Title = "The rules that are " + what
	}
	for _, r := range rules {
		t.Rules = append(t.Rules, association{strings.Join(r.If, ", "), r.Then, strengthText(r.Before), strengthText(r.After)})
	}
	a.Tables = append(a.Tables, t)
}

// strengthText writes support and confidence.
func strengthText(s rulesurvival.Strength) string {
	if s.Support == 0 {
		return "none"
	}
	return chart.Percent(s.Support) + ", right for " + chart.Percent(s.Confidence)
}

// hide tells what became of the patterns that were to be hidden.
func (a *associations) hide(d *hidingfailure.Detail) {
	found := 0
	for _, s := range d.Sensitive {
		h := hiddenPattern{Pattern: s.Pattern, Standing: "hidden", Before: patternText(s.Before, s.Rule), After: patternText(s.After, s.Rule), Short: "–"}
		if s.Low != nil && s.High != nil {
			h.After += fmt.Sprintf(" (between %s and %s, by what unknown items are)", patternText(*s.Low, s.Rule), patternText(*s.High, s.Rule))
		}
		switch {
		case s.Is:
			h.Standing = "still there"
			found++
		case !s.Was:
			h.Standing = "was not there"
		case s.Short > 0:
			h.Short = chart.Count(float64(s.Short))
		}
		a.Hidden = append(a.Hidden, h)
	}
	kind := "itemset"
	if d.Rules {
		kind = "rule"
	}
	listed := counted(len(d.Sensitive), kind)
	switch {
	case found > 0:
		a.HiddenText = fmt.Sprintf("Of %s that %s to be hidden, %s still there.", listed, wasOrWere(len(d.Sensitive)), numbered(found, "is", "are"))
	default:
		a.HiddenText = fmt.Sprintf("Of %s that %s to be hidden, none is left at these thresholds. Who looks with lower ones may find it.", listed, wasOrWere(len(d.Sensitive)))
	}
	a.HiddenText += larger(d, kind)
}

// larger tells of the patterns with all items of one that is listed.
func larger(d *hidingfailure.Detail, kind string) string {
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
		return ""
	case left == 0:
		return fmt.Sprintf(" %s with all items of one of them %s as sensitive; none of these can be found either.", upper(counted(more, kind)), is(more))
	}
	return fmt.Sprintf(" %s with all items of one of them %s as sensitive: %s can still be found.", upper(counted(more, kind)), is(more), chart.Count(float64(left)))
}

func wasOrWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

func patternText(s hidingfailure.Strength, rule bool) string {
	if s.Support == 0 {
		return "none"
	}
	if rule {
		return chart.Percent(s.Support) + ", right for " + chart.Percent(s.Confidence)
	}
	return chart.Percent(s.Support)
}

// hiddenPoints are the rules that are hidden, for the map.
func hiddenPoints(d *hidingfailure.Detail) (out []chart.RulePoint) {
	for _, s := range d.Sensitive {
		if s.Rule && s.Was && !s.Is {
			out = append(out, chart.RulePoint{Fate: chart.RuleHidden, Before: chart.Strength(s.Before), Tip: s.Pattern})
		}
	}
	return out
}
