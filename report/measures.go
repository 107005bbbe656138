package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

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

// measureRow is one measure in the table.
type measureRow struct {
	Title, Side, Score, Unit, Between, Better, Paper string
	Summary                                          string
	Parts                                            string
	Notes                                            []string
	Err                                              string
	Skip                                             bool // the measure does not apply
}

// measureRows lists every measure; the public report lists the utility measures that were taken, by their score alone.
func measureRows(o *study.Outcome, public bool) []measureRow {
	var out []measureRow
	for _, m := range o.Measures {
		if public && (m.Side != measure.Utility || m.Err != "") {
			continue
		}
		r := measureRow{Title: m.Title, Side: string(m.Side), Better: string(m.Better), Paper: m.Paper, Summary: sentence(m.Summary)}
		if r.Title == "" {
			r.Title = m.Name
		}
		if m.Err != "" {
			r.Skip = m.Skip
			r.Err = sentence(m.Err)
			if k := slices.IndexFunc(out, func(o measureRow) bool { return o.Err == r.Err && o.Skip == r.Skip }); k >= 0 {
				out[k].Title += ", " + r.Title // one row for all that fail for the same reason
				continue
			}
			out = append(out, r)
			continue
		}
		v := m.Value
		r.Score, r.Unit = scoreOf(v.Score, m.Unit)
		if v.Lo != v.Hi && !math.IsNaN(v.Lo) && !math.IsNaN(v.Hi) {
			r.Between = significant(v.Lo) + " to " + significant(v.Hi)
		}
		if !public {
			r.Parts = parts(v.Parts)
			r.Notes = v.Notes[:min(len(v.Notes), mostNotes)]
		}
		out = append(out, r)
	}
	return out
}

// Missing says in place of a score why there is none.
func (r measureRow) Missing() string {
	if r.Skip {
		return "does not apply"
	}
	return "not measured"
}

// scoreOf writes a score and what it is a figure of: 97.9 % and "of the records".
func scoreOf(score float64, unit string) (text, of string) {
	if rest, ok := strings.CutPrefix(unit, "%"); ok {
		return significant(score) + " %", strings.TrimSpace(rest)
	}
	if rest, ok := strings.CutPrefix(unit, "share"); ok {
		return chart.Percent(score), strings.TrimSpace(rest)
	}
	return significant(score), unit
}

func parts(ps []measure.Part) string {
	var s []string
	for k, p := range ps {
		if k == mostParts && len(ps) > mostParts+1 {
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
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
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
