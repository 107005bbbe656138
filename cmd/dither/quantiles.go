package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
)

type quantilesFlags struct {
	said
	desk.QuantilesRequest
}

func (a *app) mineQuantiles() *cobra.Command {
	f := &quantilesFlags{}
	c := &cobra.Command{
		Use:   "quantiles IN --of COLUMN --domain LO..HI/WIDTH --epsilon E",
		Short: "quantiles of a column, under differential privacy",
		Long: `quantiles prints the median, or other quantiles, of a column of numbers, chosen at random near the
true ones, so that they tell little of any one record, or person, whatever else is known: epsilon
bounds how far one record more or less can change the odds of what is printed.

The numbers to choose among are declared (--domain 0..120/1), never taken from the table: each
number of the table counts as the nearest of them. Missing values and other texts do not count.
Epsilon is shared out evenly among the quantiles. By how many ranks each may be off is printed: a
little for many records, all of the domain for few.

Epsilon is charged to the ledger (--ledger) before anything is drawn; a release that would go beyond
the budget is refused.`,
		Example: `  dither mine quantiles adult.csv --of age --domain 0..120/1 --epsilon 0.5 --ledger adult.budget
  dither mine quantiles adult.csv --of capital_gain --domain 0..99999/99 --at 0.5,0.99 --epsilon 1
  dither mine quantiles visits.csv --of cost --domain 0..5000/10 --epsilon 1 --person id --records 4`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runQuantiles(c.Context(), args[0], f) },
	}
	f.said.declare(c)
	fl := c.Flags()
	fl.StringVar(&f.Of, "of", "", "the `column`")
	fl.StringVar(&f.Domain, "domain", "", "the numbers to choose among: `lo..hi/width`")
	fl.StringSliceVar(&f.At, "at", []string{"0.25", "0.5", "0.75"}, "which `quantiles`, comma-separated")
	fl.StringVar(&f.QuantilesRequest.Epsilon, "epsilon", "", "what all of them may tell: `epsilon`, such as 0.5 or 1/2")
	fl.StringVar(&f.QuantilesRequest.Person, "person", "", "protect persons, not records: the `column` that says whose a "+
		"record is")
	fl.StringVar(&f.Household, "household", "", "protect households: the `column` that says of which one a record is")
	fl.IntVar(&f.Records, "records", 0, "how many `records` of a person or household count at most (default: 1); "+
		"others are left out at random")
	spendingFlags(c, &f.Spending)
	fl.StringVarP(&f.Output, "output", "o", "", "write to this `file` instead of printing")
	fl.StringVar(&f.SeedFile, "seed-file", "", "read the seed of the draws from this `file`, or write a new one there")
	fl.BoolVar(&f.JSON, "json", false, "print JSON")
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite an output that exists")
	return c
}

func (a *app) runQuantiles(ctx context.Context, in string, f *quantilesFlags) (err error) {
	q := f.QuantilesRequest
	switch {
	case q.Of == "":
		return wrong("quantiles: name the column with --of")
	case q.Domain == "":
		return wrong("quantiles: say which numbers to choose among with --domain, such as --domain 0..120/1")
	case q.Epsilon == "":
		return wrong("quantiles: say what the quantiles may tell with --epsilon, such as --epsilon 0.5")
	}
	if q.Source, err = f.source(in); err != nil {
		return err
	}
	out, err := a.desk().Quantiles(ctx, q)
	if err != nil || q.Output != "" {
		return err
	}
	return out.Print(a.out, q.JSON)
}
