package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/study"
)

// The documents of a comparison: JSON, one row per run as CSV, and text.

type comparisonDoc struct {
	Schema     string         `json:"schema"`
	Version    string         `json:"version"`
	Commitment string         `json:"seedCommitment"`
	Folds      int            `json:"folds"`
	Repeats    int            `json:"repeats"`
	Data       []studiedDoc   `json:"data"`
	Settings   []settingDoc   `json:"settings"`
	Measures   []criterionDoc `json:"measures"`
	Summaries  []summaryDoc   `json:"summaries"`
	Ranks      []rankDoc      `json:"ranks,omitempty"`
	Cells      []cellDoc      `json:"cells"`
}

// rankDoc is a figure that a measure takes many times, for one setting: rank 1 is the best; settings that a Mann-Whitney test at 95 % does not tell
// apart share a rank.
type rankDoc struct {
	Data    string `json:"data"`
	Measure string `json:"measure"`
	Figure  string `json:"figure"`
	Better  string `json:"better"`
	Setting string `json:"setting"`
	Rank    int    `json:"rank"`
	Values  int    `json:"values"`
	Q1      number `json:"q1"`
	Median  number `json:"median"`
	Q3      number `json:"q3"`
}

type studiedDoc struct {
	Name       string            `json:"name"`
	File       study.File        `json:"file"`
	Class      string            `json:"class,omitempty"`
	Classes    int               `json:"classes"`
	Records    int               `json:"records"`
	Columns    int               `json:"columns"`
	Parameters map[string]string `json:"parameters,omitempty"` // for every technique and measure that has them
}

type settingDoc struct {
	Name       string            `json:"name"`
	Method     string            `json:"method,omitempty"`
	Paper      string            `json:"paper,omitempty"`
	Varied     map[string]string `json:"varied,omitempty"`
	Parameters []param.Value     `json:"parameters,omitempty"`
	Baseline   bool              `json:"baseline,omitempty"` // not for release
}

type criterionDoc struct {
	Label      string            `json:"label"`
	Name       string            `json:"name"`
	Paper      string            `json:"paper"`
	Side       measure.Side      `json:"side"`
	Better     measure.Direction `json:"better"`
	Unit       string            `json:"unit"`
	Parameters []param.Value     `json:"parameters,omitempty"`
	Notes      []string          `json:"notes,omitempty"`
}

type summaryDoc struct {
	Data    string   `json:"data"`
	Setting string   `json:"setting"`
	Measure string   `json:"measure"`
	Part    string   `json:"part,omitempty"`
	Mean    number   `json:"mean"`
	SD      number   `json:"sd"`
	Lo      number   `json:"lo"` // 95 % confidence interval of the mean over folds
	Hi      number   `json:"hi"`
	Folds   []number `json:"folds"`
	Cells   int      `json:"cells"`
	Failed  int      `json:"failed"`
}

type cellDoc struct {
	Data    string     `json:"data"`
	Setting string     `json:"setting"`
	Fold    int        `json:"fold"`
	Repeat  int        `json:"repeat"`
	Seconds *float64   `json:"seconds,omitempty"`
	Error   string     `json:"error,omitempty"`
	Scores  []scoreDoc `json:"scores,omitempty"`
}

type scoreDoc struct {
	Measure string    `json:"measure"`
	Score   *number   `json:"score,omitempty"`
	Lo      *number   `json:"lo,omitempty"`
	Hi      *number   `json:"hi,omitempty"`
	Parts   []partDoc `json:"parts,omitempty"`
	Error   string    `json:"error,omitempty"`
}

// compareDoc is the JSON document. Without times it depends on the request alone.
func compareDoc(c *study.Comparison, times bool) comparisonDoc {
	d := comparisonDoc{Schema: "dither/compare/1", Version: c.Version, Commitment: c.Commitment, Folds: c.Folds, Repeats: c.Repeats}
	for _, s := range c.Data {
		d.Data = append(d.Data, studiedDoc{s.Name, s.File, s.Class, s.Classes, s.Records, s.Columns, s.Set})
	}
	for _, s := range c.Settings {
		sd := settingDoc{Name: s.Name, Varied: s.Varied, Parameters: s.Params}
		if s.Method != nil {
			sd.Method, sd.Paper, sd.Baseline = s.Method.Name, s.Method.Paper, s.Method.Baseline
		}
		d.Settings = append(d.Settings, sd)
	}
	for _, m := range c.Measures {
		d.Measures = append(d.Measures, criterionDoc{m.Label, m.Name, m.Paper, m.Side, m.Better, m.Unit, m.Params, m.Notes})
	}
	for _, s := range c.Summaries {
		sd := summaryDoc{c.Data[s.Data].Name, c.Settings[s.Setting].Name, c.Measures[s.Measure].Label, s.Part,
			number(s.Mean), number(s.SD), number(s.Lo), number(s.Hi), nil, s.Cells, s.Failed}
		for _, v := range s.Folds {
			sd.Folds = append(sd.Folds, number(v))
		}
		d.Summaries = append(d.Summaries, sd)
	}
	for _, r := range c.Ranked {
		better := measure.Higher
		if r.Lower {
			better = measure.Lower
		}
		for _, t := range r.Treatments {
			d.Ranks = append(d.Ranks, rankDoc{c.Data[r.Data].Name, c.Measures[r.Measure].Label, r.Name, string(better), c.Settings[t.Setting].Name,
				t.Rank, t.Values, number(t.Q1), number(t.Median), number(t.Q3)})
		}
	}
	for _, cell := range c.Cells {
		d.Cells = append(d.Cells, cellDocOf(c, cell, times))
	}
	return d
}

func cellDocOf(c *study.Comparison, cell study.Cell, times bool) cellDoc {
	d := cellDoc{Data: c.Data[cell.Data].Name, Setting: c.Settings[cell.Setting].Name, Fold: cell.Fold, Repeat: cell.Repeat, Error: cell.Err}
	if times {
		d.Seconds = &cell.Seconds
	}
	for m, s := range cell.Scores {
		sd := scoreDoc{Measure: c.Measures[m].Label, Error: s.Err}
		if s.Err == "" {
			score, lo, hi := number(s.Score), number(s.Lo), number(s.Hi)
			sd.Score, sd.Lo, sd.Hi = &score, &lo, &hi
			for _, p := range s.Parts {
				sd.Parts = append(sd.Parts, partDoc{p.Name, number(p.Score)})
			}
		}
		d.Scores = append(d.Scores, sd)
	}
	return d
}

// compareCSV writes one row per run: what was run, then of every measure its score, bounds and parts, then what failed. A value that is
// not there is empty.
func compareCSV(w io.Writer, c *study.Comparison, times bool) error {
	out := csv.NewWriter(w)
	header := []string{"data", "setting", "fold", "repeat"}
	for _, m := range c.Measures {
		header = append(header, m.Label, m.Label+": low", m.Label+": high")
		for _, p := range m.Parts {
			header = append(header, m.Label+": "+p)
		}
	}
	header = append(header, "error")
	if times {
		header = append(header, "seconds")
	}
	out.Write(header) // the writer keeps its first error for Error
	for _, cell := range c.Cells {
		row := []string{c.Data[cell.Data].Name, c.Settings[cell.Setting].Name, strconv.Itoa(cell.Fold), strconv.Itoa(cell.Repeat)}
		failed := cell.Err
		for m, crit := range c.Measures {
			var s study.Score
			known := cell.Err == "" && cell.Scores[m].Err == ""
			if known {
				s = cell.Scores[m]
			} else if cell.Err == "" && !cell.Scores[m].Skip {
				failed = joined(failed, crit.Label+": "+cell.Scores[m].Err)
			}
			row = append(row, cellText(s.Score, known), cellText(s.Lo, known), cellText(s.Hi, known))
			for _, p := range crit.Parts {
				k := slices.IndexFunc(s.Parts, func(q measure.Part) bool { return q.Name == p })
				if k < 0 {
					row = append(row, "")
				} else {
					row = append(row, cellText(s.Parts[k].Score, true))
				}
			}
		}
		row = append(row, failed)
		if times {
			row = append(row, cellText(cell.Seconds, true))
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}

func cellText(v float64, known bool) string {
	if !known || math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// compareText prints a table of settings and measures per data set.
func compareText(w io.Writer, c *study.Comparison) {
	for d, s := range c.Data {
		class := ""
		if s.Class != "" {
			class = fmt.Sprintf(", class %q with %d values", s.Class, s.Classes)
		}
		say(w, "%s: %s records, %d columns%s; %d folds x %d repeats, mean over the folds and its standard deviation\n",
			printable(s.Name), thousands(s.Records), s.Columns, class, c.Folds, c.Repeats)
		header := []string{"setting"}
		var right []int
		for m, crit := range c.Measures {
			header = append(header, crit.Label)
			right = append(right, m+1)
		}
		var rows [][]string
		for k, set := range c.Settings {
			row := []string{set.Name}
			if set.Method != nil && set.Method.Baseline {
				row[0] += " (not for release)"
			}
			for m := range c.Measures {
				row = append(row, summaryText(c.Summary(d, k, m, "")))
			}
			rows = append(rows, row)
		}
		grid(w, header, rows, right...)
		say(w, "")
	}
	for _, m := range c.Measures {
		unit := ""
		if m.Unit != "" {
			unit = ", " + m.Unit
		}
		say(w, "%s: %s%s; %s is better", m.Label, m.Title, unit, m.Better)
	}
}

// summaryText writes a mean and its standard deviation with two digits of the latter.
func summaryText(s *study.Summary) string {
	switch {
	case s.Cells == 0 && s.Failed == 0:
		return "n/a" // the measure does not apply
	case s.Cells == 0:
		return "failed"
	}
	text := strconv.FormatFloat(s.Mean, 'f', 3, 64)
	if s.SD > 0 && !math.IsInf(s.SD, 0) {
		digits := min(6, max(0, 1-int(math.Floor(math.Log10(s.SD)))))
		text = strconv.FormatFloat(s.Mean, 'f', digits, 64) + " ± " + strconv.FormatFloat(s.SD, 'f', digits, 64)
	}
	if s.Failed > 0 {
		text += fmt.Sprintf(" (%d failed)", s.Failed)
	}
	return text
}
