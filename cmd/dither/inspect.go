package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

type inspectFlags struct {
	input
	json bool
}

func (a *app) inspect() *cobra.Command {
	f := &inspectFlags{}
	c := &cobra.Command{
		Use:   "inspect IN",
		Short: "profile a table, suggest roles, and show the risk before anything is done",
		Long: `inspect reads a table and prints, per column, its kind, domain, grid, missing and distinct values and a suggested role with the
reason; then how many records an intruder could pick out by the quasi-identifiers. The domain shows the smallest and the largest value,
which belong to somebody: the output is as confidential as the table.`,
		Example: "  dither inspect patients.csv --class diagnosis\n  dither inspect patients.csv --role region=quasi-identifier --json",
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return a.runInspect(c.Context(), args[0], f) },
	}
	f.input.flags(c)
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON document")
	return c
}

func (a *app) runInspect(ctx context.Context, in string, f *inspectFlags) error {
	l, err := a.load(ctx, in, &f.input)
	if err != nil {
		return err
	}
	exp, err := profile.Expose(ctx, l.table)
	if err != nil {
		return err
	}
	if f.json {
		return printJSON(a.out, struct {
			Schema      string               `json:"schema"`
			File        study.File           `json:"file"`
			Notes       []string             `json:"notes,omitempty"`
			Profile     *profile.Profile     `json:"profile"`
			Suggestions []profile.Suggestion `json:"roles"`
			Exposure    *profile.Exposure    `json:"exposure"`
		}{"dither/inspect/1", l.file, l.info.Notes, l.profile, l.suggestions, exp})
	}
	l.remarks(a)
	a.printProfile(l)
	a.printExposure(l, exp)
	return nil
}

func (a *app) printProfile(l *loaded) {
	say(a.out, "%s: %s records, %d columns\n", l.file.Name, thousands(l.table.Rows()), l.table.Width())
	var rows [][]string
	for j, c := range l.profile.Columns {
		s := l.suggestions[j]
		rows = append(rows, []string{c.Name, c.Kind, domain(&c), thousands(c.Missing), thousands(c.Distinct), share(c.Uniqueness), s.Role.String(), s.Reason})
	}
	grid(a.out, []string{"column", "kind", "domain", "missing", "distinct", "unique", "role", "why"}, rows, 3, 4, 5)
}

func (a *app) printExposure(l *loaded, e *profile.Exposure) {
	say(a.out, "")
	if len(e.QuasiIdentifiers) == 0 {
		say(a.out, "no column is a quasi-identifier; name those an intruder may know with --role column=quasi-identifier")
		return
	}
	say(a.out, "before anything is done, by %s:", list(e.QuasiIdentifiers))
	say(a.out, "  %s of %s records (%s) are unique; %s share their values with fewer than four others",
		thousands(e.Uniques), thousands(l.table.Rows()), share(e.UniqueShare), thousands(e.BelowFive))
	say(a.out, "  the smallest class has %s record(s); there are %s classes\n", thousands(e.K), thousands(e.Classes))
	var rows [][]string
	for _, b := range e.Sizes {
		rows = append(rows, []string{"  " + band(b), thousands(b.Classes), thousands(b.Records)})
	}
	grid(a.out, []string{"  class size", "classes", "records"}, rows, 1, 2)
}

// domain writes the limits of a numeric column with the decimals of its grid.
func domain(c *profile.Column) string {
	if c.Domain == nil {
		return ""
	}
	num := func(v float64) string { return string(table.AppendNumber(nil, v, c.Step)) }
	return num(c.Domain.Lo) + " to " + num(c.Domain.Hi)
}

func band(b profile.SizeBand) string {
	switch {
	case b.To == 0:
		return fmt.Sprintf("%d and more", b.From)
	case b.To == b.From:
		return fmt.Sprint(b.From)
	}
	return fmt.Sprintf("%d to %d", b.From, b.To)
}

func list(names []string) string {
	switch n := len(names); {
	case n == 0:
		return "nothing"
	case n == 1:
		return names[0]
	case n > 8:
		return fmt.Sprintf("%s and %d further columns", list(names[:7]), n-7)
	default:
		s := names[0]
		for _, x := range names[1 : n-1] {
			s += ", " + x
		}
		return s + " and " + names[n-1]
	}
}
