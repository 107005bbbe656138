package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
)

type countsFlags struct {
	said
	desk.CountsRequest
}

func (a *app) mineCounts() *cobra.Command {
	f := &countsFlags{}
	c := &cobra.Command{
		Use:   "counts IN --epsilon E",
		Short: "count records by columns, under differential privacy",
		Long: `counts prints how many records have each combination of values, with noise, so that the counts tell
little of any one record, or person, whatever else is known: epsilon bounds how far one record
more or less can change the odds of what is printed.

Without --delta the noise is discrete Laplace. With it, it is discrete Gaussian where that is less.
The error is printed. Counts may be negative: without them sums would be too large.

Values are never taken from the table silently. --domain declares what a column may hold: categories
(sex=female|male) or intervals of numbers (age=0..100/10). Other and missing values have cells of
their own. Where a domain is not declared, --delta must be given: combinations that occur often are
then named, those of a few people only with probability delta. How the file is written (its columns,
its encoding) is taken to be public.

Epsilon is charged to the ledger (--ledger) before the noise is drawn; a release that would go
beyond the budget is refused.`,
		Example: `  dither mine counts adult.csv --epsilon 0.5 --by age --domain age=0..120/10 --ledger adult.budget
  dither mine counts adult.csv --epsilon 1 --by age,sex --domain age=0..120/10 --domain 'sex=F|M'
  dither mine counts visits.csv --epsilon 1 --delta 1e-6 --by diagnosis --person patient --records 4
  dither mine counts adult.csv --epsilon 0.1`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runCounts(c.Context(), args[0], f) },
	}
	f.said.declare(c)
	fl := c.Flags()
	fl.StringVar(&f.CountsRequest.Epsilon, "epsilon", "", "what the counts may tell: `epsilon`, such as 0.5 or 1/2")
	fl.StringVar(&f.CountsRequest.Delta, "delta", "", "with which probability the promise may fail: `delta`, such as 1e-6")
	fl.StringSliceVar(&f.By, "by", nil, "the `columns` to count by, comma-separated (default: all records are counted)")
	fl.StringArrayVar(&f.Domains, "domain", nil, "what a column may hold: `column=a|b|c`, or column=lo..hi/width for "+
		"intervals of numbers; may be repeated")
	fl.StringVar(&f.CountsRequest.Person, "person", "", "protect persons, not records: the `column` that says whose a "+
		"record is")
	fl.StringVar(&f.Household, "household", "", "protect households: the `column` that says of which one a record is")
	fl.IntVar(&f.Records, "records", 0, "how many `records` of a person or household count at most (default: 1); "+
		"others are left out at random")
	fl.BoolVar(&f.Distinct, "distinct", false, "with --person or --household, count these: one counts once in a "+
		"combination, and in --records combinations at most")
	spendingFlags(c, &f.Spending)
	fl.StringVarP(&f.Output, "output", "o", "", "write to this `file` instead of printing")
	fl.StringVar(&f.SeedFile, "seed-file", "", "read the seed of the noise from this `file`, or write a new one there")
	fl.BoolVar(&f.JSON, "json", false, "print JSON")
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite an output that exists")
	return c
}

func (a *app) runCounts(ctx context.Context, in string, f *countsFlags) (err error) {
	q := f.CountsRequest
	if q.Epsilon == "" {
		return wrong("counts: say what the counts may tell with --epsilon, such as --epsilon 0.5")
	}
	if q.Source, err = f.source(in); err != nil {
		return err
	}
	out, err := a.desk().Counts(ctx, q)
	if err != nil || q.Output != "" {
		return err
	}
	return out.Print(a.out, q.JSON)
}
