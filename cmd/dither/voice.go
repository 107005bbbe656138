package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/dither-data/dither/policy"
)

// This file is the program's voice: what it says and how. Errors are one line in lower case; they name the file, line, column or
// parameter, and never a confidential value.

const rootLong = `dither adds noise that keeps the pattern. It perturbs a table of records about people so that it is hard to pick anybody out
of the release, keeps every record inside its decision rule, measures what survived and what did not, and says whom it does
not protect.

The usual way:

  dither inspect  patients.csv --class readmitted
  dither protect  patients.csv --class readmitted -o release.csv --report report.html
  dither evaluate patients.csv release.csv --class readmitted

dither compare runs several techniques on your own table and shows which keeps what. dither demo runs the way above on a made-up hospital table.`

// complain prints an error.
func (a *app) complain(err error) {
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(a.err, "dither: interrupted; no release was written")
		return
	}
	msg := strings.TrimSpace(err.Error())
	fmt.Fprintln(a.err, "dither:", msg)
	var p *policy.Error
	if errors.As(err, &p) && p.Excerpt != "" && terminal(a.err) {
		fmt.Fprintln(a.err, p.Excerpt)
	}
}

// say prints a line for people; JSON output leaves it out by writing to a discarding writer.
func say(w io.Writer, format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// grid prints rows as a plain table: no box, the first row underlined.
func grid(w io.Writer, header []string, rows [][]string, numeric ...int) {
	t := table.NewWriter()
	style := table.StyleLight
	style.Options = table.Options{SeparateHeader: true}
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	style.Format = table.FormatOptions{Header: text.FormatDefault, Row: text.FormatDefault}
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	t.AppendHeader(row(header))
	for _, r := range rows {
		t.AppendRow(row(r))
	}
	cfg := make([]table.ColumnConfig, len(header))
	for n := range cfg {
		cfg[n] = table.ColumnConfig{Number: n + 1, WidthMax: 56, WidthMaxEnforcer: text.WrapSoft}
		if slices.Contains(numeric, n) {
			cfg[n].Align, cfg[n].AlignHeader = text.AlignRight, text.AlignRight
		}
	}
	t.SetColumnConfigs(cfg)
	fmt.Fprintln(w, t.Render())
}

func row(cells []string) table.Row {
	r := make(table.Row, len(cells))
	for i, c := range cells {
		r[i] = printable(c)
	}
	return r
}

// printable keeps control characters of names and labels from reaching the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// thousands writes a count with separators.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// share writes a share of one in per cent; a share that is not quite none or all never reads as if it were.
func share(v float64) string {
	switch p := 100 * v; {
	case v != v:
		return "-"
	case p > 0 && p < 0.05:
		return "<0.1 %"
	case p > 99.95 && p < 100:
		return ">99.9 %"
	default:
		return fmt.Sprintf("%.1f %%", p)
	}
}

// terminal reports whether w is a terminal, where progress may be shown.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}
