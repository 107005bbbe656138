package report

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/report/chart"
)

// mostFailures bounds the table of failures.
const mostFailures = 60

// mostOpenFailures is how many rows of that table stand open.
const mostOpenFailures = 4

// failureRow is a reason for which runs failed.
type failureRow struct{ Data, Setting, What, Reason, Runs string }

type criterionRow struct{ Name, Side, Unit, Direction, Text, Paper, Params string }

type studiedRow struct{ Name, File, Records, Columns, Class, Params, SHA256 string }

type settingRow struct{ Name, Technique, Paper, Params string }

var digits = regexp.MustCompile(`[0-9][0-9.,]*`)

// failures lists every reason once for each data set, setting and measure; reasons that differ in figures alone are one.
func (t *contest) failures() (rows []failureRow, unlisted string) {
	type key struct {
		data, setting, measure int
		reason                 string
	}
	count := map[key]int{}
	first := map[key]string{}
	var order []key
	total := map[[2]int]int{}
	for i := range t.Cells {
		c := &t.Cells[i]
		total[[2]int{c.Data, c.Setting}]++
		note := func(m int, reason string) {
			k := key{c.Data, c.Setting, m, digits.ReplaceAllString(reason, "0")}
			if count[k]++; count[k] == 1 {
				order = append(order, k)
				first[k] = reason
			}
		}
		if c.Err != "" {
			note(-1, c.Err)
			continue
		}
		for m := range c.Scores {
			if c.Scores[m].Err != "" && !c.Scores[m].Skip {
				note(m, c.Scores[m].Err)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b key) int { return a.measure - b.measure }) // releases that failed come first
	names := map[int]string{0: t.original.name}
	for _, e := range t.entrants {
		names[e.Setting] = e.name
	}
	for k, o := range order {
		if k == mostFailures {
			return rows, counted(len(order)-k, "further reason") + " not listed."
		}
		r := failureRow{Data: t.Data[o.data].Name, Setting: names[o.setting], What: "the release", Reason: sentence(first[o]),
			Runs: fmt.Sprintf("%s of %s", chart.Count(float64(count[o])), chart.Count(float64(total[[2]int{o.data, o.setting}])))}
		if o.measure >= 0 {
			r.What = t.gauges[o.measure].noun
		}
		rows = append(rows, r)
	}
	return rows, ""
}

// notes are the remarks of a measure, each once with how many runs made it.
func (t *contest) notes(g *gauge) []string {
	out := sentences(g.Notes)
	for k := range out {
		if len(g.Said) == len(out) && g.Said[k] < len(t.Cells) {
			out[k] = fmt.Sprintf("%s (%s of %s)", strings.TrimSuffix(out[k], "."), chart.Count(float64(g.Said[k])), counted(len(t.Cells), "run")) + "."
		}
	}
	return out
}

// criteria describes every measure.
func (t *contest) criteria() []criterionRow {
	var out []criterionRow
	for i := range t.gauges {
		g := &t.gauges[i]
		text := append([]string{sentence(g.Summary)}, t.notes(g)...)
		name := g.name
		if g.Title != "" && !strings.HasPrefix(name, g.Title) {
			name += ", " + g.Title
		}
		out = append(out, criterionRow{Name: name, Side: string(g.Side), Unit: g.unitText(), Direction: g.direction(), Text: strings.Join(text, " "), Paper: g.Paper,
			Params: written(g.Params)})
	}
	return out
}

// protocol says how the comparison was made.
func (p *comparePage) protocol(t *contest) {
	failed := 0
	for i := range t.Cells {
		if t.Cells[i].Err != "" {
			failed++
		}
	}
	runs := counted(len(t.Cells), "run")
	if failed > 0 {
		runs += ", of which " + chart.Count(float64(failed)) + " failed"
	}
	p.Protocol = []fact{
		{"Folds and repeats", fmt.Sprintf("%d folds, stratified by class; every setting perturbs the records outside a fold %s. The records of the fold, unperturbed, are the hold-out. %s.", t.Folds, times(t.Repeats), runs)},
		{"Figures", "A fold's value is the mean over its repeats, a figure the mean over the folds (Fletcher & Islam 2015, section 7). sd is the standard deviation over the folds."},
		{"Intervals", "± is half the 95 % confidence interval of the mean by Student's t over the folds. As their training records overlap it is somewhat too narrow (Bengio & Grandvalet 2004)."},
		{"Differences", p.Rule},
		{"The map", "Settings that no other beats in the mean, by being at least as good on both axes and better on one, are the frontier. One that is beaten is dominated when that other is clearly better on an axis (risk-utility map of Duncan, Keller-McNulty & Stokes 2001)."},
		{"Original", "The training records released as they are, measured like any release."},
	}
	if len(t.Data) > 1 {
		p.Protocol = append(p.Protocol, fact{"Several data sets", "Every data set has the same weight. The interval of their mean speaks of these data sets, not of others. A setting that failed on one has no mean."})
	}
	for _, d := range t.Data {
		row := studiedRow{Name: d.Name, File: orUnknown(d.File.Name), Records: chart.Count(float64(d.Records)), Columns: chart.Count(float64(d.Columns)), Class: d.Class, SHA256: d.File.SHA256}
		if d.Class != "" {
			row.Class += fmt.Sprintf(" (%d)", d.Classes)
		}
		var set []string
		for _, k := range slices.Sorted(maps.Keys(d.Set)) {
			set = append(set, k+" "+d.Set[k])
		}
		row.Params = strings.Join(set, ", ")
		p.Data = append(p.Data, row)
	}
	for _, e := range t.byPlace() {
		s := t.Settings[e.Setting]
		row := settingRow{Name: e.name, Params: written(s.Params)}
		if s.Method != nil {
			row.Technique, row.Paper = s.Method.Title, s.Method.Paper
		}
		p.Settings = append(p.Settings, row)
	}
	p.Origin = []fact{{"dither", orUnknown(t.Version)}}
	if t.Commitment != "" {
		p.Origin = append(p.Origin, fact{"Seed commitment", t.Commitment})
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// written writes parameters in a line.
func written(ps []param.Value) string {
	var out []string
	for _, v := range ps {
		out = append(out, strings.TrimSpace(v.Name+" "+parameter(v.Value)+" "+v.Unit))
	}
	return strings.Join(out, ", ")
}
