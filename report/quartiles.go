package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// quartileChart is quartiles by treatment; in text they are drawn in characters.
func quartileChart(id, name string, lower bool, facts []message.Sentence, rows []chart.Spread) document.Chart {
	better := message.Say("quartiles.higher")
	if lower {
		better = message.Say("quartiles.lower")
	}
	return document.Chart{Key: id, Title: message.Text(upper(name)), Says: better, Facts: facts,
		Drawing: chart.Quartiles{Title: message.Say("quartiles.label").Text("figure", name).String(), Rows: rows}}
}

// figureName is the title of a figure with its short name: probability of detection (pd).
func figureName(name, title string) string {
	if title == "" || title == name {
		return name
	}
	return title + " (" + name + ")"
}

// classifiersOf draws what classifiers make of the original and of the release.
func classifiersOf(o *study.Outcome) (out []document.Block) {
	for k := range o.Measures {
		m := &o.Measures[k]
		d, ok := as[prediction.ClassifierDetail](m.Value.Detail)
		if !ok || !m.Err.Empty() {
			continue
		}
		charts := document.Charts{}
		for i, f := range d.Figures {
			rows := []chart.Spread{
				spread(message.Say("quartiles.original"), f.Original),
				spread(message.Say("quartiles.released"), f.Released),
			}
			rows[0].Original = true
			charts.Items = append(charts.Items, quartileChart(fmt.Sprintf("classifier-%d-%d", k+1, i+1),
				figureName(f.Name, f.Title), f.Lower,
				[]message.Sentence{verdictOn(f)}, rows))
		}
		out = append(out, document.Part{Title: message.Say("quartiles.learned").Text("learner", d.Learner), Look: "measure",
			Blocks: []document.Block{classifierLead(d), charts}})
	}
	return out
}

func spread(label message.Sentence, t prediction.Treatment) chart.Spread {
	return chart.Spread{Label: label.String(), Values: len(t.Values), Q1: t.Q1, Median: t.Median, Q3: t.Q3, Rank: t.Rank}
}

// verdictOn says whether the test tells the two apart.
func verdictOn(f prediction.Figure) message.Sentence {
	p := message.Say("quartiles.p").Fixed("p", f.P, 3)
	if f.P < 0.001 {
		p = message.Say("quartiles.pUnder")
	}
	if f.Original.Rank == f.Released.Rank {
		return message.Say("quartiles.same").Part("p", p)
	}
	return message.Say("quartiles.apart").Part("p", p)
}

func classifierLead(d *prediction.ClassifierDetail) document.Prose {
	from := message.Say("quartiles.runs").Count("n", d.Runs)
	if d.Tests == "hold-out" {
		from = message.Say("quartiles.holdout")
	}
	return prose("lead", message.Say("quartiles.predicts").Part("from", from).Text("learner", d.Learner).
		Fixed("original", d.Original.Accuracy, 1).
		Fixed("released", d.Released.Accuracy, 1), message.Say("quartiles.key"))
}

// quartiles draws the figures that the measures of a comparison have many values of, a part for every measure and data
// set.
func (t *contest) quartiles() (out []document.Block) {
	all := slices.Clone(t.Ranked)
	slices.SortStableFunc(all, func(a, b study.Ranked) int { return cmp.Or(a.Measure-b.Measure, a.Data-b.Data) })
	for k, m := range all {
		if k == 0 || m.Measure != all[k-1].Measure || m.Data != all[k-1].Data {
			p := document.Part{Title: message.Text(t.gauges[m.Measure].name), Look: "measure"}
			if len(t.Data) > 1 {
				p.Title = message.Say("quartiles.on").Text("measure", t.gauges[m.Measure].name).Name("data", t.Data[m.Data].Name)
			}
			if k == 0 {
				p.Blocks = append(p.Blocks, prose("lead", message.Say("quartiles.key")))
			}
			p.Blocks = append(p.Blocks, document.Charts{})
			out = append(out, p)
		}
		p := out[len(out)-1].(document.Part)
		at := len(p.Blocks) - 1
		charts := p.Blocks[at].(document.Charts)
		charts.Items = append(charts.Items, quartileChart(fmt.Sprintf("quartiles-%d", k+1), figureName(m.Name, m.Title),
			m.Lower, nil, t.spreads(m)))
		p.Blocks[at] = charts
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
		out = append(out, chart.Spread{Label: names[v.Setting], Values: v.Values, Q1: v.Q1, Median: v.Median, Q3: v.Q3,
			Rank: v.Rank, Original: v.Setting == 0})
	}
	return out
}
