package desk

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/study"
)

// The results of a comparison: the JSON document, and one row per run as CSV.

// CompareDocument compares techniques over folds. Without times it depends on the request alone.
type CompareDocument struct {
	Schema     string              `json:"schema"`
	Version    string              `json:"version"`
	Commitment string              `json:"seedCommitment"`
	Folds      int                 `json:"folds"`
	Repeats    int                 `json:"repeats"`
	Data       []StudiedDocument   `json:"data"`
	Settings   []SettingDocument   `json:"settings"`
	Measures   []CriterionDocument `json:"measures"`
	Summaries  []SummaryDocument   `json:"summaries"`
	Ranks      []RankDocument      `json:"ranks"`
	Choice     *ChoiceDocument     `json:"choice"`
	Cells      []CellDocument      `json:"cells"`
	Document   *document.Document  `json:"document"` // what text and page say
}

// StudiedDocument is one data set.
type StudiedDocument struct {
	Name       string            `json:"name"`
	File       study.File        `json:"file"`
	Class      string            `json:"class"`
	Classes    int               `json:"classes"`
	Records    int               `json:"records"`
	Columns    int               `json:"columns"`
	Parameters map[string]string `json:"parameters"` // for every technique and measure that has them
}

// SettingDocument is one technique with its parameters.
type SettingDocument struct {
	Name       string            `json:"name"`
	Method     string            `json:"method"`
	Paper      string            `json:"paper"`
	Varied     map[string]string `json:"varied"`
	Parameters []param.Value     `json:"parameters"`
	Baseline   bool              `json:"baseline"` // not for release
}

// CriterionDocument is one measure of a comparison.
type CriterionDocument struct {
	Label      string             `json:"label"`
	Name       string             `json:"name"`
	Paper      string             `json:"paper"`
	Side       measure.Side       `json:"side"`
	Better     measure.Direction  `json:"better"`
	Unit       message.Words      `json:"unit"`
	Parameters []param.Value      `json:"parameters"`
	Notes      []message.Sentence `json:"notes"`
	Said       []int              `json:"said"` // in how many runs each of the notes was made
}

// SummaryDocument is one figure of a setting over all folds.
type SummaryDocument struct {
	Data    string      `json:"data"`
	Setting string      `json:"setting"`
	Measure string      `json:"measure"`
	Part    measure.Key `json:"part"` // the key of a part of the measure; empty for the score
	Of      string      `json:"of"`   // of the part
	Mean    Number      `json:"mean"`
	SD      Number      `json:"sd"`
	Lo      Number      `json:"lo"` // 95 % confidence interval of the mean over folds
	Hi      Number      `json:"hi"`
	Folds   []Number    `json:"folds"`
	Cells   int         `json:"cells"`
	Failed  int         `json:"failed"`
}

// RankDocument is a figure that a measure takes many times, for one setting: rank 1 is the best; settings that a
// Mann-Whitney test at 95 % does not tell apart share a rank.
type RankDocument struct {
	Data    string `json:"data"`
	Measure string `json:"measure"`
	Figure  string `json:"figure"`
	Better  string `json:"better"`
	Setting string `json:"setting"`
	Rank    int    `json:"rank"`
	Values  int    `json:"values"`
	Q1      Number `json:"q1"`
	Median  Number `json:"median"`
	Q3      Number `json:"q3"`
}

// CellDocument is one run.
type CellDocument struct {
	Data    string          `json:"data"`
	Setting string          `json:"setting"`
	Fold    int             `json:"fold"`
	Repeat  int             `json:"repeat"`
	Seconds *float64        `json:"seconds"` // null unless times were asked for
	Error   string          `json:"error"`
	Scores  []ScoreDocument `json:"scores"`
}

// ScoreDocument is one measure of a run.
type ScoreDocument struct {
	Measure string         `json:"measure"`
	Score   Number         `json:"score"` // null where it is not known
	Lo      Number         `json:"lo"`
	Hi      Number         `json:"hi"`
	Parts   []PartDocument `json:"parts"`
	Error   message.Words  `json:"error"`
	// ErrorKey is which sentence that is; empty for the words of an error
	ErrorKey string `json:"errorKey"`
}

// Document is the whole comparison.
func (c *Compared) Document() CompareDocument {
	d := CompareDocument{
		Schema:     schemaOf("compare"),
		Version:    c.Version,
		Commitment: c.Commitment,
		Folds:      c.Folds,
		Repeats:    c.Repeats,
		Choice:     c.choice,
		Document:   c.told,
	}
	for _, s := range c.Data {
		d.Data = append(d.Data, StudiedDocument{s.Name, s.File, s.Class, s.Classes, s.Records, s.Columns, s.Set})
	}
	for _, s := range c.Settings {
		sd := SettingDocument{Name: s.Name, Varied: s.Varied, Parameters: s.Params}
		if s.Method != nil {
			sd.Method, sd.Paper, sd.Baseline = s.Method.Name, s.Method.Paper, s.Method.Baseline
		}
		d.Settings = append(d.Settings, sd)
	}
	for _, m := range c.Measures {
		d.Measures = append(d.Measures,
			CriterionDocument{m.Label, m.Name, m.Paper, m.Side, m.Better, m.Unit.Says, m.Params, m.Notes, m.Said})
	}
	for _, s := range c.Summaries {
		sd := SummaryDocument{c.Data[s.Data].Name, c.Settings[s.Setting].Name, c.Measures[s.Measure].Label, s.Part, s.Of,
			Number(s.Mean), Number(s.SD), Number(s.Lo), Number(s.Hi), nil, s.Cells, s.Failed}
		for _, v := range s.Folds {
			sd.Folds = append(sd.Folds, Number(v))
		}
		d.Summaries = append(d.Summaries, sd)
	}
	for _, r := range c.Ranked {
		better := measure.Higher
		if r.Lower {
			better = measure.Lower
		}
		for _, t := range r.Treatments {
			d.Ranks = append(
				d.Ranks,
				RankDocument{c.Data[r.Data].Name, c.Measures[r.Measure].Label, r.Name, string(better), c.Settings[t.Setting].Name,
					t.Rank, t.Values, Number(t.Q1), Number(t.Median), Number(t.Q3)},
			)
		}
	}
	for _, cell := range c.Cells {
		d.Cells = append(d.Cells, c.cell(cell))
	}
	return whole(d)
}

func (c *Compared) cell(cell study.Cell) CellDocument {
	d := CellDocument{
		Data:    c.Data[cell.Data].Name,
		Setting: c.Settings[cell.Setting].Name,
		Fold:    cell.Fold,
		Repeat:  cell.Repeat,
		Error:   cell.Err,
	}
	if c.times {
		d.Seconds = &cell.Seconds
	}
	for m, s := range cell.Scores {
		nan := Number(math.NaN())
		sd := ScoreDocument{Measure: c.Measures[m].Label, Score: nan, Lo: nan, Hi: nan, Error: message.Words{Sentence: s.Err},
			ErrorKey: s.Err.Key()}
		if s.Err.Empty() {
			sd.Score, sd.Lo, sd.Hi, sd.Parts = Number(s.Score), Number(s.Lo), Number(s.Hi), parts(s.Parts)
		}
		d.Scores = append(d.Scores, sd)
	}
	return d
}

// writeRuns writes one row per run: what was run, then of every measure its score, bounds and parts, then what failed.
// A value that is not there is empty.
func writeRuns(w io.Writer, c *study.Comparison, times bool) error {
	out := csv.NewWriter(w)
	header := []string{"data", "setting", "fold", "repeat"}
	for _, m := range c.Measures {
		header = append(header, m.Label, m.Label+": low", m.Label+": high")
		for _, p := range m.Parts {
			header = append(header, m.Label+": "+p.Name.String())
		}
	}
	header = append(header, "error")
	if times {
		header = append(header, "seconds")
	}
	out.Write(header) // the writer keeps its first error for Error
	for _, cell := range c.Cells {
		row := runRow(c, cell)
		if times {
			row = append(row, figure(cell.Seconds, true))
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}

func runRow(c *study.Comparison, cell study.Cell) []string {
	row := []string{
		c.Data[cell.Data].Name,
		c.Settings[cell.Setting].Name,
		strconv.Itoa(cell.Fold),
		strconv.Itoa(cell.Repeat),
	}
	var failed []string
	if cell.Err != "" {
		failed = append(failed, cell.Err)
	}
	for m, crit := range c.Measures {
		var s study.Score
		known := cell.Err == "" && cell.Scores[m].Err.Empty()
		if known {
			s = cell.Scores[m]
		} else if cell.Err == "" && !cell.Scores[m].Skip {
			failed = append(failed, crit.Label+": "+cell.Scores[m].Err.String())
		}
		row = append(row, figure(s.Score, known), figure(s.Lo, known), figure(s.Hi, known))
		for _, p := range crit.Parts {
			k := slices.IndexFunc(s.Parts, func(q measure.Part) bool { return q.Key == p.Key && q.Of == p.Of })
			if k < 0 {
				row = append(row, "")
			} else {
				row = append(row, figure(s.Parts[k].Score, true))
			}
		}
	}
	return append(row, strings.Join(failed, "; "))
}

func figure(v float64, known bool) string {
	if !known || math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
