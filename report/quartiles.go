package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/measure/classifier"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
	"github.com/jedib0t/go-pretty/v6/text"
)

// quartileSection is quartile charts of the figures of one measure.
type quartileSection struct {
	Title, Lead string
	Panels      []quartilePanel
}

// quartilePanel is a figure in a chart; in text the chart is drawn in characters.
type quartilePanel struct {
	Text string
	panel
	lines []string
}

func newQuartilePanel(id, name string, lower bool, facts []string, rows []chart.Spread) quartilePanel {
	better := "Higher is better."
	if lower {
		better = "Lower is better."
	}
	g := chart.Quartiles{Title: "Quartiles of " + name, Rows: rows}
	return quartilePanel{better, panel{Name: upper(name), Chart: g.Draw(id), Facts: facts}, g.Lines()}
}

// figureName is the title of a figure with its short name: probability of detection (pd).
func figureName(name, title string) string {
	if title == "" || title == name {
		return name
	}
	return title + " (" + name + ")"
}

// classifiers draws what classifiers make of the original and of the release.
func classifiers(o *study.Outcome) []quartileSection {
	var out []quartileSection
	for k := range o.Measures {
		m := &o.Measures[k]
		d, ok := as[classifier.Detail](m.Value.Detail)
		if !ok || m.Err != "" {
			continue
		}
		s := quartileSection{Title: "Learned by " + d.Learner, Lead: classifierLead(d)}
		for i, f := range d.Figures {
			rows := []chart.Spread{spread("original", f.Original), spread("released", f.Released)}
			rows[0].Original = true
			s.Panels = append(s.Panels, newQuartilePanel(fmt.Sprintf("classifier-%d-%d", k+1, i+1), figureName(f.Name, f.Title), f.Lower, []string{verdictOn(f)}, rows))
		}
		out = append(out, s)
	}
	return out
}

func spread(label string, t classifier.Treatment) chart.Spread {
	return chart.Spread{Label: label, Values: len(t.Values), Q1: t.Q1, Median: t.Median, Q3: t.Q3, Rank: t.Rank}
}

// verdictOn says whether the test tells the two apart.
func verdictOn(f classifier.Figure) string {
	p := "p " + chart.Fixed(f.P, 3)
	if f.P < 0.001 {
		p = "p under 0.001"
	}
	if f.Original.Rank == f.Released.Rank {
		return "Not told apart, " + p
	}
	return "Told apart, " + p
}

func classifierLead(d *classifier.Detail) string {
	runs := "In " + counted(d.Runs, "run") + " of cross-validation, "
	if d.Tests == "hold-out" {
		runs = "On the hold-out, "
	}
	return fmt.Sprintf("%s%s learned from the original predicts %s %% of the records right, learned from the release %s %%. %s", runs, d.Learner,
		tenth(d.Original.Accuracy), tenth(d.Released.Accuracy), quartileKey("Every class of every run has a value."))
}

// quartileKey says how to read the charts.
func quartileKey(values string) string {
	return "A line runs from the lower to the upper quartile, the dot is the median. " + values +
		" Equal ranks: a Mann-Whitney test at 95 % does not tell apart."
}

// quartiles draws the figures that the measures of a comparison have many values of, a section for every measure and data set.
func (t *contest) quartiles() []quartileSection {
	all := slices.Clone(t.Ranked)
	slices.SortStableFunc(all, func(a, b study.Ranked) int { return cmp.Or(a.Measure-b.Measure, a.Data-b.Data) })
	var out []quartileSection
	for k, m := range all {
		if k == 0 || m.Measure != all[k-1].Measure || m.Data != all[k-1].Data {
			s := quartileSection{Title: t.gauges[m.Measure].name}
			if len(t.Data) > 1 {
				s.Title += ", " + t.Data[m.Data].Name
			}
			if k == 0 {
				s.Lead = quartileKey("Every class of every run has a value.")
			}
			out = append(out, s)
		}
		s := &out[len(out)-1]
		s.Panels = append(s.Panels, newQuartilePanel(fmt.Sprintf("quartiles-%d", k+1), figureName(m.Name, m.Title), m.Lower, nil, t.spreads(m)))
	}
	return out
}

// spreads lists the settings by rank and median, the best first; the original comes before its equals.
func (t *contest) spreads(m study.Ranked) []chart.Spread {
	names := map[int]string{0: t.original.name}
	for _, e := range t.entrants {
		names[e.Setting] = e.name
	}
	treatments := slices.Clone(m.Treatments)
	slices.SortStableFunc(treatments, func(a, b study.Treatment) int {
		if m.Lower {
			return cmp.Or(a.Rank-b.Rank, cmp.Compare(a.Median, b.Median))
		}
		return cmp.Or(a.Rank-b.Rank, cmp.Compare(b.Median, a.Median))
	})
	var out []chart.Spread
	for _, v := range treatments {
		out = append(out, chart.Spread{Label: names[v.Setting], Values: v.Values, Q1: v.Q1, Median: v.Median, Q3: v.Q3, Rank: v.Rank, Original: v.Setting == 0})
	}
	return out
}

// quartileText writes sections in characters.
func quartileText(b *strings.Builder, sections []quartileSection) {
	for _, s := range sections {
		b.WriteString("\n" + Printable(s.Title) + "\n")
		if s.Lead != "" {
			b.WriteString(text.WrapSoft(Printable(s.Lead), 98) + "\n")
		}
		for _, p := range s.Panels {
			b.WriteString("\n" + Printable(p.Name) + ": " + p.Text + strings.Join(append([]string{""}, p.Facts...), " ") + "\n")
			for _, l := range p.lines {
				b.WriteString(Printable(l) + "\n")
			}
		}
	}
}
