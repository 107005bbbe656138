package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/accuracy"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// mostParts and mostNotes bound what one row of the table of measures shows.
const (
	mostParts = 10
	mostNotes = 5
)

// measureGroup is the measures of one side.
type measureGroup struct {
	Title string
	Rows  []measureRow
	Notes []fact // that several measures share: their names, the note
}

// measureRow is one measure in the table.
type measureRow struct {
	Title, Score, Unit, Between, Better, Paper string
	Summary                                    string
	Parts                                      string
	Notes                                      []string
}

// sides are the groups of measures that are no risks, in order, with their headings.
var sides = []struct {
	side  measure.Side
	title string
}{{measure.Utility, "What the release is worth"}, {measure.Cost, "What it costs"}}

// measureGroups lists the measures that were taken, but those of risk; the public report lists those of utility, by their score alone.
func measureGroups(o *study.Outcome, public bool) []measureGroup {
	var out []measureGroup
	for _, s := range sides {
		g := measureGroup{Title: s.title}
		for k := range o.Measures {
			if m := &o.Measures[k]; m.Side == s.side && m.Err == "" && (!public || m.Side == measure.Utility) {
				g.Rows = append(g.Rows, rowOfMeasure(m, public))
			}
		}
		if g.Rows != nil {
			g.shareNotes()
			out = append(out, g)
		}
	}
	return out
}

// manyRows is from how many measures on a note is said once for all of them.
const manyRows = 3

// shareNotes takes the notes that many measures make out of their rows.
func (g *measureGroup) shareNotes() {
	count := map[string]int{}
	for _, r := range g.Rows {
		for _, n := range r.Notes {
			count[n]++
		}
	}
	for k := range g.Rows {
		r := &g.Rows[k]
		var own []string
		for _, n := range r.Notes {
			if count[n] < manyRows {
				own = append(own, n)
			} else {
				g.Notes = together(g.Notes, r.Title, n)
			}
		}
		r.Notes = own
	}
}

func rowOfMeasure(m *study.Measured, public bool) measureRow {
	v := m.Value
	r := measureRow{Title: titleOf(m), Better: string(m.Better), Paper: m.Paper, Summary: sentence(m.Summary)}
	_, r.Unit = scoreOf(v.Score, m.Unit)
	r.Score, r.Between = within(v.Score, v.Lo, v.Hi, m.Unit)
	if !public {
		r.Parts = parts(v.Parts, cmp.Or(m.MostParts, mostParts))
		r.Notes = v.Notes[:min(len(v.Notes), mostNotes)]
	}
	return r
}

func titleOf(m *study.Measured) string {
	if m.Title != "" {
		return m.Title
	}
	return m.Name
}

// unmeasured says which measures could not be taken or do not apply and why, those with one reason together.
func unmeasured(ms []study.Measured) []fact {
	var out []fact
	for k := range ms {
		m := &ms[k]
		if m.Err == "" {
			continue
		}
		reason := m.Err
		if m.Skip {
			reason = "does not apply: " + reason
		}
		out = together(out, titleOf(m), reason)
	}
	return out
}

// merged joins what is said of the same measures.
func merged(list []fact) []fact {
	var out []fact
	for _, f := range list {
		if k := slices.IndexFunc(out, func(g fact) bool { return g.Name == f.Name }); k >= 0 {
			out[k].Text += " " + f.Text
			continue
		}
		out = append(out, f)
	}
	return out
}

// together adds what is said of a measure; measures of which the same is said share an entry.
func together(list []fact, title, text string) []fact {
	text = sentence(text)
	k := slices.IndexFunc(list, func(f fact) bool { return f.Text == text })
	if k < 0 {
		return append(list, fact{title, text})
	}
	if !slices.Contains(strings.Split(list[k].Name, "; "), title) {
		list[k].Name += "; " + title
	}
	return list
}

// scoreOf writes a score and what it is a figure of: 97.9 % and "of the records".
func scoreOf(score float64, unit measure.Unit) (text, of string) {
	switch unit.Kind {
	case measure.Percent:
		return significant(score) + " %", unit.Of
	case measure.Share:
		return chart.Percent(score), unit.Of
	}
	text = significant(score)
	return text, numeral.Unit(text, unit.Text)
}

func parts(ps []measure.Part, most int) string {
	var s []string
	for k, p := range ps {
		if k == most && len(ps) > most+1 {
			s = append(s, "and "+chart.Count(float64(len(ps)-k))+" more in the JSON output")
			break
		}
		s = append(s, p.Name+" "+significant(p.Score))
	}
	return strings.Join(s, " · ")
}

// significant writes a score with four significant digits.
func significant(v float64) string {
	if math.IsNaN(v) {
		return "not defined"
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e12 {
		return chart.Number(v, 1)
	}
	return rounded(v, 4)
}

// rounded writes a number with so many significant digits.
func rounded(v float64, digits int) string {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		r = v
	}
	return chart.Number(r, 0)
}

// accuracyRow is one tree in the table of accuracies, in per cent.
type accuracyRow struct{ Tree, Leaves, Original, Released, Holdout string }

func accuracyRows(o *study.Outcome) (rows []accuracyRow, holdout bool) {
	d, ok := detail[accuracy.Detail](o)
	if !ok {
		return nil, false
	}
	cell := func(v float64) string {
		if math.IsNaN(v) {
			return "–"
		}
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	rows = []accuracyRow{
		{"the original", chart.Count(float64(d.LeavesOriginal)), cell(d.OriginalOriginal), cell(d.OriginalReleased), cell(d.OriginalHoldout)},
		{"the release", chart.Count(float64(d.LeavesReleased)), cell(d.ReleasedOriginal), cell(d.ReleasedReleased), cell(d.ReleasedHoldout)},
	}
	return rows, !math.IsNaN(d.OriginalHoldout) || !math.IsNaN(d.ReleasedHoldout)
}
