package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/report"
)

type compareFlags struct {
	said
	desk.CompareRequest
	json    bool
	verbose bool
}

func (a *app) compare() *cobra.Command {
	f := &compareFlags{}
	c := &cobra.Command{
		Use:   "compare IN...",
		Short: "compare techniques and settings by what they preserve and what they risk",
		Long: `compare splits each table into folds, stratified by class, perturbs the records outside a fold
with every technique, several times, and takes all measures of the release with the fold as the
hold-out. It says which setting to use, judged by one measure of utility among those that meet the
limits (--limits, --accept), and prints for every measure and technique the mean over the folds
and the standard deviation; "original" is the unperturbed table.

A parameter with several values makes several settings: --set framework.spread=10,20,33.33.
Without a technique in front, a parameter applies to every technique and measure that has it, so
that all trees are grown alike: --set minLeaf=50.

With --resume FILE every finished run is saved in that file; after a crash or Ctrl-C the same
command continues from there and ends with the same bytes. The seed is then saved in FILE.seed,
unless --seed-file names another file.`,
		Example: `  dither compare patients.csv --class diagnosis --method framework,rnat --report compare.html
  dither compare wine.csv wbc.csv --class class --method framework --set framework.spread=10,20
  dither compare adult.csv --class income --method framework,rnat --resume adult.runs -o adult.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runCompare(c.Context(), args, f) },
	}
	f.declare(c)
	f.hierarchyFlag(c)
	f.sensitiveFlag(c)
	f.modelFlag(c)
	f.intruderFlags(c)
	f.limitFlags(c)
	fl := c.Flags()
	fl.Lookup("class").Usage = "the column that decision rules predict; for several tables one name for all, or one per " +
		"table, comma-separated"
	fl.StringSliceVar(&f.Methods, "method", nil, "compare these `techniques`, comma-separated; \"dither methods\" lists "+
		"them")
	fl.StringSliceVar(&f.Measures, "measure", nil, "take these `measures`, comma-separated (default: all but the slow "+
		"ones; \"dither measures\" lists them)")
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter: `technique.name=v1,v2`, measure.name=value, or name=value "+
		"for all that have it; may be repeated")
	fl.IntVar(&f.Folds, "folds", 10, "number of folds")
	fl.IntVar(&f.Repeats, "repeats", 10, "number of times each technique perturbs the records outside a fold")
	fl.IntVar(&f.Workers, "workers", 0, "number of parallel runs (default: one per core); does not change any figure")
	fl.StringVarP(&f.Results, "output", "o", "", "write the results to this JSON `file`, or - for standard output")
	fl.StringVar(&f.Runs, "csv", "", "write a table with one row per run to this CSV `file`")
	fl.StringVar(&f.Report, "report", "", "write a report to this HTML `file`")
	fl.StringVar(&f.Utility, "utility", "", "judge by this `measure` of utility, also the utility axis of the report's "+
		"map")
	fl.StringVar(&f.Risk, "risk", "", "break ties by this `measure` of risk, also the risk axis of the report's map")
	fl.StringVar(&f.Resume, "resume", "", "save finished runs in this `file` and continue from those in it")
	fl.StringVar(&f.SeedFile, "seed-file", "", "read the seed from this `file`, or write a new one there")
	fl.BoolVar(&f.Times, "times", false, "add the seconds of every run to the results; they vary between calls")
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite outputs that exist")
	fl.BoolVar(&f.json, "json", false, "print one JSON document")
	verboseFlag(c, &f.verbose)
	return c
}

// request is what the flags ask for.
func (f *compareFlags) request(ins []string) (q desk.CompareRequest, err error) {
	switch q = f.CompareRequest; {
	case q.Results == "-" && f.json:
		return q, wrong("compare: -o - and --json both write to standard output; leave out one")
	case len(q.Methods) == 0:
		return q, wrong("compare: name the techniques with --method A,B; \"dither methods\" lists them")
	case q.Folds < 2 || q.Repeats < 1 || q.Workers < 0:
		return q, wrong("compare: expected --folds of at least 2, --repeats of at least 1 and --workers of at least 0")
	}
	if q.Set, err = assignments(f.set); err != nil {
		return q, err
	}
	classes := []string{f.Class}
	if len(ins) > 1 {
		classes = strings.Split(f.Class, ",")
	}
	if len(classes) != 1 && len(classes) != len(ins) {
		return q, wrong("--class names %d columns for %d tables; expected one for all or one for each", len(classes),
			len(ins))
	}
	for i, in := range ins {
		s, err := f.source(in)
		if err != nil {
			return q, err
		}
		s.Said.Class = strings.TrimSpace(classes[i%len(classes)])
		q.Tables = append(q.Tables, s)
	}
	return q, nil
}

func (a *app) runCompare(ctx context.Context, ins []string, f *compareFlags) error {
	q, err := f.request(ins)
	if err != nil {
		return err
	}
	a.aside(q.Results, false)
	c, err := a.desk().Compare(ctx, q)
	if err != nil {
		return err
	}
	if f.json {
		err = desk.WriteJSON(a.out, c.Document())
	} else {
		err = report.CompareText(a.out, c.Comparison, c.Options, a.screen(f.verbose, comparedFiles(q)...))
	}
	if err != nil {
		return err
	}
	return c.Err()
}

// comparedFiles says where everything is.
func comparedFiles(q desk.CompareRequest) (out []report.Made) {
	for _, m := range []report.Made{{What: "results", Path: desk.OutputName(q.Results)}, {What: "runs", Path: q.Runs},
		{What: "report", Path: q.Report}} {
		if m.Path != "" {
			out = append(out, m)
		}
	}
	return out
}
