package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/text/bytesize"
	"github.com/dither-data/dither/report"
)

type evaluateFlags struct {
	said
	desk.EvaluateRequest
	json    bool
	verbose bool
	memory  bytesize.Size
}

func (a *app) evaluate() *cobra.Command {
	f := &evaluateFlags{}
	c := &cobra.Command{
		Use:   "evaluate ORIGINAL RELEASED",
		Short: "measure how useful a release still is",
		Long: `evaluate compares a release with its original: whether the decision rules survived, how good a
classifier learned from the release is, how means and correlations moved, and, with the plan,
whether every record is in its segment. The plan also says which record is whose. Without it, rows
are paired only if they look paired, or if --paired says so.`,
		Example: `  dither evaluate patients.csv release.csv --class diagnosis --plan plan.json
  dither evaluate patients.csv release.csv --class diagnosis --measure accuracy --holdout newer.csv`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error { return a.runEvaluate(c.Context(), args, f) },
	}
	f.declare(c)
	memoryFlag(c, &f.memory)
	return c
}

func (f *evaluateFlags) declare(c *cobra.Command) {
	f.said.declare(c)
	f.hierarchyFlag(c)
	f.sensitiveFlag(c)
	f.modelFlag(c)
	f.intruderFlags(c)
	f.limitFlags(c)
	fl := c.Flags()
	fl.StringSliceVar(&f.Measures, "measure", nil, "take these `measures`, comma-separated; may be repeated (default: "+
		"all; \"dither measures\" lists them)")
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter: `measure.name=value`; may be repeated")
	fl.StringVar(&f.Holdout, "holdout", "", "a `file` of records that are in neither table")
	fl.StringVar(&f.SensitiveTable, "sensitive-table", "", "the second `file` of a release in two tables (anatomy): "+
		"the values of the sensitive column by group")
	fl.StringVar(&f.Plan, "plan", "", "the plan `file` of the release; it says which record is whose")
	fl.StringSliceVar((*[]string)(&f.said.Earlier), "earlier", nil, "earlier releases of the same people: `files`, "+
		"comma-separated; may be repeated")
	fl.StringSliceVar(&f.EarlierPlan, "earlier-plan", nil, "the plan `files` of the earlier releases, in the same order")
	fl.StringVar(&f.Report, "report", "", "write a report to this HTML `file`")
	fl.StringVar(&f.SeedFile, "seed-file", "", "read the seed from this `file`, or write a new one there: the key of "+
		"the record's digests; the people who are tested follow from the original alone")
	recordFlags(c, &f.Record, &f.SignKey)
	fl.BoolVar(&f.Paired, "paired", false, "the rows of both tables are in the same order, even if they do not look "+
		"like it")
	fl.BoolVar(&f.Unpaired, "unpaired", false, "no record is anybody's, as in a table drawn from a model, or the order "+
		"is a different one: take only measures that need no pairs")
	fl.StringVar(&f.Key, "key", "", "pair the rows by this `column`, which both tables hold: each value is once in each")
	fl.BoolVar(&f.said.Public, "public", false, "make the report publishable")
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite a report that exists")
	fl.BoolVar(&f.json, "json", false, "print one JSON document")
	verboseFlag(c, &f.verbose)
}

// request is what the flags ask for.
func (f *evaluateFlags) request(args []string) (q desk.EvaluateRequest, err error) {
	q = f.EvaluateRequest
	q.Released = args[1]
	q.Source, err = f.compared(args[0])
	q.Memory = int64(f.memory)
	return q, err
}

func (a *app) runEvaluate(ctx context.Context, args []string, f *evaluateFlags) error {
	q, err := f.request(args)
	if err != nil {
		return err
	}
	if q.Said.Public && q.Report == "" {
		return wrong("--public is about the report; name one with --report FILE")
	}
	allow(f.memory)
	a.hold(f.json)
	e, broken := a.desk().Evaluate(ctx, q)
	if e == nil {
		return broken
	}
	defer e.Close()
	if f.json {
		err = desk.WriteJSON(a.out, e.Document())
	} else {
		s := a.screen(f.verbose, reported(q, !e.Public)...)
		if err = report.Text(a.out, e.Outcome, s); err == nil {
			a.verdict(e.Outcome, s)
		}
	}
	return verdict(err, broken)
}

// reported is what was written: a report and a record, where they were asked for.
func reported(q desk.EvaluateRequest, confidential bool) (out []report.Made) {
	for _, m := range []report.Made{{What: "report", Path: q.Report, Confidential: confidential},
		{What: "record", Path: q.Record}} {
		if m.Path != "" {
			out = append(out, m)
		}
	}
	return out
}
