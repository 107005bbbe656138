package report

import (
	"io"
	"strings"

	"github.com/dither-data/dither/study"
	"github.com/jedib0t/go-pretty/v6/table"
)

// CompareText writes a comparison for a terminal: what to choose and why, the table of settings and measures, and what failed.
func CompareText(w io.Writer, c *study.Comparison) error {
	t, err := newContest(c, CompareOptions{})
	if err != nil {
		return err
	}
	v := newVerdict(t)
	var b strings.Builder
	b.WriteString(Printable(v.headline()) + "\n")
	for _, s := range v.deck() {
		b.WriteString(Printable(s) + "\n")
	}
	section(&b, scoreText(t.scores(-1)))
	quartileText(&b, t.quartiles())
	if rows, more := t.failures(); len(rows) > 0 {
		var lines []string
		for _, r := range rows {
			lines = append(lines, r.Data+", "+r.Setting+", "+r.What+", "+r.Runs+" runs: "+r.Reason)
		}
		if more != "" {
			lines = append(lines, more)
		}
		remarks(&b, "What failed", lines)
	}
	var notes []string
	for i := range t.gauges {
		notes = append(notes, sentences(t.gauges[i].Notes)...)
	}
	remarks(&b, "Notes", append([]string{v.rule()}, notes...))
	_, err = io.WriteString(w, b.String())
	return err
}

// scoreText is the table of scores; a star marks the best and, in brackets, what cannot be told from it.
func scoreText(s scoreTable) table.Writer {
	head := table.Row{"Setting"}
	var right []int
	for k, h := range s.Head {
		head = append(head, Printable(h.Name)+"\n"+Printable(h.Direction))
		right = append(right, k+2)
	}
	if s.Standing {
		head = append(head, "On the map")
	}
	t := plain(head, right...)
	for _, r := range s.Rows {
		row := table.Row{Printable(r.Name)}
		for _, c := range r.Cells {
			row = append(row, strings.TrimSpace(c.Mark+" "+c.Mean+" "+c.Spread))
		}
		if s.Standing {
			row = append(row, Printable(r.Standing))
		}
		t.AppendRow(row)
	}
	return t
}
