package main

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/text/bytesize"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/table"
)

type inspectFlags struct {
	said
	json    bool
	verbose bool
	write   string // path of an information quality model
	force   bool
	memory  bytesize.Size
	next    []string // how protect is called next, without the class; nil where nothing says so
}

func (a *app) inspect() *cobra.Command {
	f := &inspectFlags{}
	c := &cobra.Command{
		Use:   "inspect IN",
		Short: "profile a table, suggest roles, and show the risk before anything is done",
		Long: `inspect says first how many people an intruder could identify and by which columns, worst first;
then it suggests a role for each column, with the reason once for all columns that share it.
--verbose prints for each column its kind, domain, grid, missing and distinct values. A domain
reveals the smallest and the largest value, which belong to somebody: that output is as
confidential as the table.

--write-iqm also proposes an information quality model, which says what the table is for, from the
roles and from what holds in every record. Edit it and pass it to protect and evaluate with --iqm.`,
		Example: `  dither inspect patients.csv --class diagnosis
  dither inspect patients.csv --role region=quasi-identifier --json
  dither inspect patients.csv --class diagnosis --write-iqm purposes.yaml`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f.next = protectNext(c, args[0])
			return a.runInspect(c.Context(), args[0], f)
		},
	}
	f.declare(c)
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON document")
	c.Flags().StringVar(&f.write, "write-iqm", "", "write a proposed information quality model (what the table is for) "+
		"to this YAML `file`")
	c.Flags().BoolVar(&f.force, "force", false, "overwrite a proposal that exists")
	verboseFlag(c, &f.verbose)
	memoryFlag(c, &f.memory)
	return c
}

func (a *app) runInspect(ctx context.Context, in string, f *inspectFlags) error {
	s, err := f.source(in)
	if err != nil {
		return err
	}
	if s.Memory = int64(f.memory); s.Memory > 0 && f.write != "" {
		return wrong("inspect: use either --memory or --write-iqm: the proposal is made in memory")
	}
	allow(f.memory)
	var i *desk.Inspection
	if f.write != "" {
		i, err = a.desk().Propose(ctx, desk.ProposeRequest{Source: s, Output: f.write, Overwrite: f.force})
	} else {
		i, err = a.desk().Inspect(ctx, s)
	}
	if err != nil {
		return err
	}
	defer i.Close()
	if f.json {
		return desk.WriteJSON(a.out, i.Document())
	}
	a.hold(false)
	for _, r := range i.Remarks() {
		switch {
		case r.Asks == desk.AsksPerson: // the screen says it
		case r.Asks == desk.AsksClass:
			a.note(i.ClassNote())
		default:
			a.note(desk.Note{Says: r.Says})
		}
	}
	screen := a.screen(f.verbose)
	if screen.After = 0; f.write != "" {
		screen.After = 3
	}
	next := f.nextLine(i.Table)
	screen.After += len(report.Wrapped(next, a.width()))
	if err := report.ProfileText(a.out, i.File.Name, i.Profile, i.Roles, i.Exposure, screen); err != nil {
		return err
	}
	if f.write != "" {
		say(a.out, "\nwhat the table is for was proposed in %s (confidential: it names values); edit it, and give it to "+
			"protect or evaluate with --iqm", report.Printable(f.write))
	}
	if next != "" {
		say(a.out, "%s", next) // whole, to be copied
	}
	return nil
}

// protectNext is the call of protect that reads the table as inspect did. An address may hold a password, so it is not
// repeated.
func protectNext(c *cobra.Command, in string) []string {
	switch {
	case in == "-": // nobody reads it twice
		return nil
	case strings.Contains(in, "://"):
		in = "TABLE"
	}
	call := []string{"dither protect", quoted(in)}
	c.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains([]string{"json", "verbose", "write-iqm", "force"}, f.Name) {
			return
		}
		values := []string{f.Value.String()}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			values = many.GetSlice()
		}
		for _, v := range values {
			if f.Value.Type() == "bool" {
				call = append(call, "--"+f.Name)
			} else {
				call = append(call, "--"+f.Name+" "+quoted(v))
			}
		}
	})
	return call
}

// nextLine is what to do after a look at a table; empty where nothing says so.
func (f *inspectFlags) nextLine(t *table.Table) string {
	if f.next == nil {
		return ""
	}
	call := f.next
	if t.WithRole(table.Class) < 0 {
		call = append(call, "--class COLUMN")
	}
	call = append(call, "-o release.csv --report report.html")
	return message.Say("next.command").Text("command", strings.Join(call, " ")).String()
}

// quoted is a word as a shell takes it.
func quoted(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./:=,@%+", r))
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
