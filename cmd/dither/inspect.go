package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/report"
)

type inspectFlags struct {
	input
	json    bool
	verbose bool
}

func (a *app) inspect() *cobra.Command {
	f := &inspectFlags{}
	c := &cobra.Command{
		Use:   "inspect IN",
		Short: "profile a table, suggest roles, and show the risk before anything is done",
		Long: `inspect reads a table and says first how many people an intruder could pick out, and by which columns, the worst first; then the role
that each column seems to play, with the reason once for all columns that share it. With --verbose it prints, per column, its kind, domain,
grid, missing and distinct values. A domain shows the smallest and the largest value, which belong to somebody: that output is as
confidential as the table.`,
		Example: "  dither inspect patients.csv --class diagnosis\n  dither inspect patients.csv --role region=quasi-identifier --json",
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return a.runInspect(c.Context(), args[0], f) },
	}
	f.declare(c)
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON document")
	verboseFlag(c, &f.verbose)
	return c
}

func (a *app) runInspect(ctx context.Context, in string, f *inspectFlags) error {
	s, err := f.source(in)
	if err != nil {
		return err
	}
	i, err := a.desk().Inspect(ctx, s)
	if err != nil {
		return err
	}
	if f.json {
		return desk.WriteJSON(a.out, i.Document())
	}
	class := i.ClassNote()
	for _, n := range i.Notes() {
		if n == class.Text {
			a.note(class)
			continue
		}
		a.note(desk.Note{Text: n})
	}
	if err := report.ProfileText(a.out, i.File.Name, i.Profile, i.Roles, i.Exposure, a.screen(f.verbose)); err != nil {
		return err
	}
	if rows := i.Profile.FollowRows(); rows != "" {
		say(a.out, "\n%s. dither protect writes records in a random order unless --keep-order is given.", report.Printable(strings.ToUpper(rows[:1])+rows[1:]))
	}
	if len(i.Exposure.QuasiIdentifiers) == 0 {
		say(a.out, "no column is a quasi-identifier; name those an intruder may know with --role column=quasi-identifier")
	}
	return nil
}
