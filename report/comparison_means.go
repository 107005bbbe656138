package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/dither-data/dither/study"
)

// CompareMeans writes for a terminal a table of settings and measures per data set: the mean over the folds and its standard deviation.
func CompareMeans(w io.Writer, c *study.Comparison) error {
	var b strings.Builder
	for d, s := range c.Data {
		class := ""
		if s.Class != "" {
			class = fmt.Sprintf(", class %q with %d values", s.Class, s.Classes)
		}
		fmt.Fprintf(&b, "%s: %s records, %d columns%s; %d folds x %d repeats, mean over the folds and its standard deviation\n\n",
			Printable(s.Name), whole(s.Records), s.Columns, class, c.Folds, c.Repeats)
		if err := meansOn(&b, c, d); err != nil {
			return err
		}
		b.WriteString("\n")
	}
	for _, m := range c.Measures {
		unit := ""
		if m.Unit != "" {
			unit = ", " + m.Unit
		}
		b.WriteString(Printable(fmt.Sprintf("%s: %s%s; %s is better", m.Label, m.Title, unit, m.Better)) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func meansOn(w io.Writer, c *study.Comparison, data int) error {
	header := []string{"setting"}
	var right []int
	for m, crit := range c.Measures {
		header = append(header, crit.Label)
		right = append(right, m+2)
	}
	var rows [][]string
	for k, set := range c.Settings {
		row := []string{set.Name}
		if set.Method != nil && set.Method.Baseline {
			row[0] += " (" + notForRelease + ")"
		}
		for m := range c.Measures {
			row = append(row, meanText(c.Summary(data, k, m, "")))
		}
		rows = append(rows, row)
	}
	return listing(w, header, rows, right...)
}

// meanText writes a mean and its standard deviation with two digits of the latter.
func meanText(s *study.Summary) string {
	switch {
	case s == nil || s.Cells == 0 && s.Failed == 0:
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
