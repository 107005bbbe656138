package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// people is the section on what intruders learn; it is internal as a whole.
type people struct {
	Figures []figure
	Worst   []attackRow
	Blocks  []riskBlock // the intruder from whom people are most at risk
	Further *riskBlock  // what else there is to say of that one, folded
	Others  []riskBlock // folded
}

// mostTold and mostDrawn are how many sentences about a thing, and drawings, the report has of the worst intruder before the others are folded.
const mostTold, mostDrawn = 1, 2

// folded leaves so many sentences about a thing and the first drawings of a block and returns the rest; nil for none.
func (b *riskBlock) folded(told int) *riskBlock {
	rest := &riskBlock{Title: b.Title, AtRisk: b.AtRisk, Rows: b.Rows, Further: b.Further, Groups: b.Groups}
	b.Rows, b.Groups = nil, nil
	all := b.Sentences
	b.Sentences = nil
	for _, g := range all {
		n := min(told, len(g.Lines))
		if n > 0 {
			b.Sentences = append(b.Sentences, toldGroup{g.Title, g.Lines[:n]})
		}
		if n < len(g.Lines) {
			rest.Sentences = append(rest.Sentences, toldGroup{g.Title, g.Lines[n:]})
		}
	}
	if len(b.Panels) > mostDrawn {
		b.Panels, rest.Panels = b.Panels[:mostDrawn], b.Panels[mostDrawn:]
	}
	if rest.Sentences == nil && rest.Panels == nil && rest.Rows == nil && rest.Groups == nil {
		return nil
	}
	return rest
}

// attackRow is the attack that found, or learned, the most.
type attackRow struct{ What, By, Intruder, Knows, Share, Between, Before, Sure, Tried string }

// mostKnown is how many columns that an attack uses a table names.
const mostKnown = 4

func peopleOf(o *study.Outcome, public bool) *people {
	if public {
		return nil
	}
	p := &people{Figures: sided(o, false, true)}
	if o.Verdict != nil {
		for _, a := range o.Verdict.Worst {
			p.Worst = append(p.Worst, attackRowOf(a))
		}
	}
	if p.Worst != nil { // they tell the same of the same attacks
		p.Figures = slices.DeleteFunc(p.Figures, func(f figure) bool { return f.Assault })
	}
	if r := risksOf(o, study.Attacks(o, mostAtRisk)); r != nil {
		p.Blocks, p.Others = r.Blocks[:1], r.Blocks[1:]
		told := mostTold
		if p.Worst != nil { // the table says it already
			told = 0
		}
		p.Further = p.Blocks[0].folded(told)
	}
	if p.Figures == nil && p.Worst == nil && p.Blocks == nil {
		return nil
	}
	return p
}

func attackRowOf(a measure.Attack) attackRow {
	r := attackRow{What: "Found", By: a.By, Intruder: Printable(a.Intruder), Knows: knownColumns(a.Knows, a.Gaps), Before: "–", Sure: "–",
		Tried: chart.Count(float64(a.Tried)) + " of " + chart.Count(float64(a.People))}
	if a.Secret != "" {
		r.What = "Learned: " + a.Secret
	}
	r.Share, r.Between = within(a.Share, a.Lo, a.Hi, measure.In(measure.Share, ""))
	if a.Before != nil {
		r.Before = chart.Percent(*a.Before)
	}
	if a.Sure != nil {
		r.Sure = chart.Percent(*a.Sure)
	}
	return r
}

// knownColumns names the columns that an attack uses.
func knownColumns(names []string, gaps bool) string {
	list := names
	if n := len(names); n > mostKnown {
		list = append(append([]string{}, names[:mostKnown-1]...), fmt.Sprintf("%d more", n-mostKnown+1))
	}
	s := strings.Join(list, ", ")
	if gaps && s != "" {
		return s + ", and which values are missing"
	}
	if gaps {
		return "which values are missing"
	}
	return s
}

// fitness is the section on what the release is worth. The public report has the figures alone.
type fitness struct {
	Figures   []figure
	Accuracy  []accuracyRow
	Holdout   bool // the accuracy table has a column for it
	Classify  []quartileSection
	Biases    []biasRow
	Correlate *correlations
	Corrected []string // how to correct for the noise
}

func fitnessOf(o *study.Outcome, public bool) *fitness {
	f := &fitness{Figures: sided(o, public, false)}
	if !public {
		f.Accuracy, f.Holdout = accuracyRows(o)
		f.Classify = classifiers(o)
		f.Biases = biasRows(o)
		f.Correlate = correlationsOf(o)
		for _, c := range o.Corrections {
			f.Corrected = append(f.Corrected, sentence(c))
		}
	}
	if f.Figures == nil && f.Accuracy == nil && f.Classify == nil && f.Biases == nil && f.Correlate == nil && f.Corrected == nil {
		return nil
	}
	return f
}

// sided returns the headline figures of risk, or all others.
func sided(o *study.Outcome, public, risk bool) []figure {
	var out []figure
	for _, f := range figures(o, public) {
		if f.Risk == risk {
			out = append(out, f)
		}
	}
	return out
}

// rulesOf is the section on the two trees; it is internal as a whole.
func rulesOf(o *study.Outcome, public bool) *trees {
	if public {
		return nil
	}
	return treesOf(o)
}

// measures is the section of every figure that was taken.
type measures struct {
	Public    bool
	Measures  []measureGroup
	RiskTable *riskTable // never in the public version
	Failed    []fact     // measures that could not be taken, with the reason
}

func measuresOf(o *study.Outcome, public bool) *measures {
	m := &measures{Public: public, Measures: measureGroups(o, public)}
	if !public {
		m.RiskTable, m.Failed = riskTableOf(o, study.Attacks(o, mostAtRisk)), unmeasured(o.Measures)
	}
	if m.Measures == nil && m.RiskTable == nil && m.Failed == nil {
		return nil
	}
	return m
}
