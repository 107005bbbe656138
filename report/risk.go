package report

import (
	"fmt"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// mostAtRisk is how many records at the highest risk the report names for each intruder.
const mostAtRisk = 10

// risks is the section on what intruders learn. It is internal as a whole. Shares of the persons found, entropies and the probabilities of best
// matches tell an intruder how far to trust a match, and that somebody stands out; the curves by knowledge tell which attribute to find out next;
// how often a secret is guessed right tells whether to act on a guess; classes before the release are counted on the original; and the record
// drawn and the rows at risk point at persons.
type risks struct {
	Several bool
	Blocks  []riskBlock
}

// riskBlock is what one intruder learns.
type riskBlock struct {
	Title     string
	Sentences []toldGroup
	Panels    []captioned
	AtRisk    string // what the risk of the rows is
	Rows      []fact // row, risk
	Further   string
	Groups    *groupTable
}

// captioned is a drawing with a line on how to read it.
type captioned struct {
	Text string
	panel
}

// risksOf returns nil when nothing is told of any intruder.
func risksOf(o *study.Outcome, attacks []study.Attack) *risks {
	out := &risks{}
	for k, a := range attacks {
		b := riskBlock{Title: whom(a.Intruder), Panels: riskPanels(o, fmt.Sprintf("risk-%d", k+1), a)}
		b.Sentences = toldBy(a)
		b.AtRisk, b.Groups = a.Risk, groupsOf(a)
		for _, r := range a.Riskiest {
			b.Rows = append(b.Rows, fact{chart.Count(float64(r.Row)), riskText(r.Risk)})
		}
		b.Further = further(o, a)
		if b.Sentences != nil || b.Panels != nil || b.Rows != nil {
			out.Blocks = append(out.Blocks, b)
		}
	}
	if out.Blocks == nil {
		return nil
	}
	out.Several = len(out.Blocks) > 1
	return out
}

// toldGroup is the sentences about one thing that intruders want to know.
type toldGroup struct {
	Title string
	Lines []string
}

func toldBy(a study.Attack) []toldGroup {
	var out []toldGroup
	for _, g := range []struct {
		about measure.About
		title string
	}{{measure.Identity, "Who can be found"}, {measure.Secret, "What can be learned"}} {
		var lines []string
		for _, s := range a.Sentences {
			if s.About == g.about {
				lines = append(lines, sentence(s.Text))
			}
		}
		if lines != nil {
			out = append(out, toldGroup{g.title, lines})
		}
	}
	return out
}

// whom names an intruder in a heading.
func whom(name string) string {
	name = Printable(name)
	switch {
	case name == "":
		return "Whoever looks at the release"
	case strings.HasPrefix(name, "knows "):
		return "An intruder who " + name
	case strings.HasPrefix(name, "who "):
		return "An intruder " + name
	}
	return "Intruder: " + name
}

// byWhom names an intruder inside a sentence.
func byWhom(name string) string {
	who := whom(name)
	return strings.ToLower(who[:1]) + who[1:]
}

// riskText writes the risk of a record: mostly a probability.
func riskText(risk float64) string {
	if risk >= 0 && risk <= 1 {
		return chart.Percent(risk)
	}
	return significant(risk)
}

// further says how many of the records were judged, and how many are as risky as the last one listed.
func further(o *study.Outcome, a study.Attack) string {
	var s []string
	if n := o.Original.Rows(); a.Judged > 0 && a.Judged < n {
		s = append(s, "A sample of "+chart.Count(float64(a.Judged))+" of "+chart.Count(float64(n))+" records was judged.")
	}
	if a.Further > 0 {
		s = append(s, counted(a.Further, "further record")+" as risky as the last one listed.")
	}
	return strings.Join(s, " ")
}
