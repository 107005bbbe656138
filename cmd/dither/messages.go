package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/cwriter"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/report/chart"
)

// This file is the program's voice: what it says and how. Errors are one line in lower case; they name the file, line,
// column or parameter, and never a confidential value.

const rootLong = `dither adds noise that keeps the pattern. It perturbs a table about people so that it is hard to
identify anybody in the release, keeps every record in its decision rule, measures what survived and
what did not, and says who is not protected.

A typical session:

  dither inspect patients.csv --class readmitted
  dither protect patients.csv --class readmitted -o release.csv --plan-out plan.json
  dither evaluate patients.csv release.csv --class readmitted --plan plan.json

dither compare tries several techniques on your own table and shows what each preserves. dither demo
runs such a session on a made-up hospital table.`

// hints are what the command line adds to errors of the desk: how the call would go otherwise.
var hints = []struct {
	about error
	hint  string
}{
	{desk.ErrExists, "; --force overwrites it"},
	{desk.ErrNoClusters, `; "dither mine --help" lists what else can be mined`},
	{desk.ErrPublicAttack, "; leave out --public"},
	{desk.ErrGeneral, " (--plan, --hierarchy)"},
}

// flagHints are what it adds to a note about a field of the request.
var flagHints = map[string]string{
	"unpaired": "; a release in another order needs --unpaired",
	"paired":   "; --paired says that they are in the order of the original",
	"pairing": "; --plan FILE, as --plan-out wrote it beside the release, says who is who, and --paired that the " +
		"order is the same",
	"guardformulas": "; --guard-formulas puts an apostrophe before them",
	"class":         "; --class COLUMN names another",
	"record":        "; --plan-out FILE keeps it, and so does --seed-file FILE",
	"recordkey":     "; --seed-file FILE keeps it, and so does --plan FILE where the plan was written with a record",
	"planout":       "; --plan-out FILE keeps it, with the plan",
}

const interrupted = "dither: interrupted; no release was written\n"

// complain prints an error. A field of a request is named by its flag.
func (a *app) complain(err error) {
	if both, ok := err.(lost); ok {
		a.complain(both.printing)
		err = both.broken
	}
	if errors.As(err, new(*desk.Broken)) && (a.told || a.judged && terminal(a.err)) {
		return // it was said where this would stand
	}
	if errors.Is(err, context.Canceled) {
		io.WriteString(a.err, interrupted)
		return
	}
	msg := strings.TrimSpace(err.Error())
	if u, ok := err.(*desk.Usage); ok && u.Field != "" {
		msg = "--" + msg
	}
	for _, h := range hints {
		if errors.Is(err, h.about) {
			msg += h.hint
		}
	}
	if a.events {
		a.tell(event{Event: "error", Says: msg, Code: exitCode(err)})
		return
	}
	fmt.Fprintln(a.err, "dither:", report.Printable(msg))
	var p *policy.Error
	if errors.As(err, &p) && p.Excerpt != "" && terminal(a.err) {
		fmt.Fprintln(&checkedWriter{w: a.err}, p.Excerpt)
	}
}

// note prints what the caller should know of the request, or keeps it for below the verdict.
func (a *app) note(n desk.Note) {
	switch {
	case a.holds:
		a.held = append(a.held, n)
		return
	case a.events:
		a.tell(event{Event: "note", Says: n.Says.String(), Field: n.Field})
		return
	case a.silent:
		return
	}
	lead, text := "note: ", report.Printable(n.Says.String())+flagHints[n.Field]
	if !terminal(a.err) {
		say(a.err, "%s%s", lead, text)
		return
	}
	for _, line := range report.Wrapped(text, a.width()-len(lead)) {
		say(a.err, "%s%s", lead, line)
		lead = strings.Repeat(" ", len(lead))
	}
}

// hold keeps the notes of a request until its verdict was printed, below which they stand, unless the answer is a
// document. What ends the request before, such as an error or an interruption, prints them, too (run).
func (a *app) hold(document bool) { a.holds = !document && !a.events }

// release prints the notes that were kept.
func (a *app) release() {
	held := a.held
	a.holds, a.held = false, nil
	for _, n := range held {
		a.note(n)
	}
}

// say prints a line for people, or several that the format has; texts among the arguments, such as names of files, have
// no lines of their own.
func say(w io.Writer, format string, args ...any) {
	for k, x := range args {
		if s, ok := x.(string); ok {
			args[k] = report.Printable(s)
		}
	}
	if c, ok := w.(*checkedWriter); ok {
		w = unmarked{c}
	}
	fmt.Fprintf(w, format+"\n", args...)
}

// aside lets all text go to standard error where standard output takes what -o writes; a document stands there alone.
func (a *app) aside(output string, document bool) {
	if output == "-" {
		a.out, a.silent = &checkedWriter{w: a.err}, document
	}
}

// thousands writes a count with separators.
func thousands(n int) string { return chart.Count(float64(n)) }

// screen is the terminal that a text is written for.
func (a *app) screen(verbose bool, files ...report.Made) report.Screen {
	return report.Screen{Width: a.width(), Verbose: verbose, Files: files, After: 1, Below: a.release}
}

// width is that of the terminal that standard output is: COLUMNS where it is set, as other programs have it, and 80
// where there is no terminal.
func (a *app) width() int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if c, ok := a.out.(*checkedWriter); ok {
		if f, ok := c.w.(*os.File); ok && terminal(f) {
			if n, _, err := cwriter.GetSize(int(f.Fd())); err == nil && n > 0 {
				return n
			}
		}
	}
	return 80
}

// verboseFlag declares the flag of the verbs whose text is a screen.
func verboseFlag(c *cobra.Command, verbose *bool) {
	c.Flags().BoolVarP(verbose, "verbose", "v", false, "print the full report")
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

// formatFlag declares the flag of the verbs whose table may go to standard output.
func (a *app) formatFlag(c *cobra.Command) {
	c.Flags().StringVar(&a.format, "format", "", "with -o -, the format of the table: an `extension` such as arrows, "+
		"parquet or jsonl (default: text)")
}
