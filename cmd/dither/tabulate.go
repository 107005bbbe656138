package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/report"
)

type tabulateFlags struct {
	said
	desk.TabulateRequest
	by        []string
	frequency int
	p         float64
	json      bool
}

func (a *app) tabulate() *cobra.Command {
	f := &tabulateFlags{}
	c := &cobra.Command{
		Use:   "tabulate IN --by COLUMNS -o OUT",
		Short: "publish tables of counts and totals that give nobody away",
		Long: `tabulate counts records, and sums columns, by combinations of columns, with totals and with the
levels of hierarchies. Tables that go out together are named in one call, with --by for each: what
one hides, another must not tell. A policy may say all of this in a section tables.

Cells are unsafe where fewer than --minimum people make them up or, for totals, where one of the
largest could be estimated too closely (--p, with --q) or few make up most (--dominance). By default
they are left out, with others so that no linear program computes them from what is shown, or bounds
them too closely. With --method cellkey counts move a little instead, the same records by the same
number in every table. With --method rounding they become multiples of --base that still add up.

What is shown is attacked, and judged by limits of its own: an intruder bounds and guesses unsafe
cells and small differences. --beside FILE is a release of records of the same people that goes out,
too: then the two are judged together. Tables that do not keep the limits are not written.

OUT is a CSV file with a line for each cell. Cells that are shown as 0 are not listed.`,
		Example: `  dither tabulate firms.csv --by region,size --sum turnover -o t.csv
  dither tabulate firms.csv --by region,size --by size,sector --hierarchy region=nuts.csv -o t.csv
  dither tabulate census.csv --by town,age --method cellkey --seed-file keys -o t.csv
  dither tabulate census.csv --by town,age --beside release.csv -o t.csv --report why.html
  dither tabulate census.csv --policy policy.yaml -o t.csv --page t.html`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			q, err := f.request(c, args[0])
			if err != nil {
				return err
			}
			return a.runTabulate(c.Context(), q, f.json)
		},
	}
	f.declare(c)
	return c
}

// declare adds the flags.
func (f *tabulateFlags) declare(c *cobra.Command) {
	f.said.declare(c)
	f.hierarchyFlag(c)
	fl, t := c.Flags(), &f.said.Policy.Tables
	fl.StringArrayVar(&f.by, "by", nil, "the `columns` of a table, comma-separated; repeat it for each table")
	fl.StringSliceVar((*[]string)(&t.Sum), "sum", nil, "sum these `columns` of numbers, comma-separated")
	fl.StringVar(&t.Person, "person", "", "count people, not records, where the rules do: the `column` "+
		"that says whose a record is (default: one with the role person)")
	fl.StringVar(&t.Method, "method", "", "`method`: suppression leaves cells out, cellkey moves counts, rounding rounds "+
		"them (default: suppression)")
	fl.IntVar(&f.frequency, "minimum", 3, "a cell must have this many `people`; 0 for no such rule")
	fl.StringVar(&t.Dominance, "dominance", "", "a total is unsafe where its n largest have more than k percent: "+
		"`n,k`, such as 2,85")
	fl.Float64Var(&f.p, "p", 10, "a total is unsafe where somebody can be estimated to within this `percentage`; 0 "+
		"for no such rule")
	fl.Float64Var(&t.Q, "q", 0, "with --p, what everybody knows beforehand, to within this `percentage`")
	fl.BoolVar(&t.Alone, "alone", false, "keep intervals open to those who are alone in a combination of values, "+
		"too; else these compute nothing")
	fl.IntVar(&t.Base, "base", 0, "with --method rounding, round to multiples of this `number` (default: 5)")
	fl.IntVar(&t.Deviation, "deviation", 0, "with --method cellkey, the largest `number` that a count moves by (default: "+
		"3)")
	fl.Float64Var(&t.Variance, "variance", 0, "with --method cellkey, the `variance` of that number (default: 2)")
	fl.IntVar(&t.HideSmall, "hide-small", 0, "with --method cellkey, show no count from 1 to this `number`")
	fl.StringVar(&t.Beside, "beside", "", "judge the tables together with this release of records of the same people: a "+
		"`file`")
	fl.StringVar(&t.Limits, "limits", "", "the limits on tables: a `file`, or none (default: the usual ones)")
	fl.StringArrayVar(&t.Accept, "accept", nil, "override one limit: `limit=value`, which is recorded, such as "+
		"guessedcells=0.6; may be repeated")
	f.guardFlag(c)
	fl.StringVar(&f.SeedFile, "seed-file", "", "read the seed of keys and roundings from this `file`, or write a new one "+
		"there")
	fl.StringVarP(&f.Output, "output", "o", "", "the tables: a CSV `file`")
	fl.StringVar(&f.Page, "page", "", "write the tables as a page that prints, too: an HTML `file`")
	fl.StringVar(&f.TabulateRequest.Report, "report", "", "write for yourself why the tables may go out, or not: an "+
		"HTML `file`")
	fl.StringVar(&f.Record, "record", "", "keep what the run was, for auditors, in this `file`")
	fl.StringVar(&f.SignKey, "sign-key", "", "sign the record with this private key: an SSH Ed25519 `file`")
	fl.BoolVar(&f.Replace, "force", false, "overwrite outputs that exist")
	fl.BoolVar(&f.json, "json", false, "print one JSON document")
}

// request is what the flags say.
func (f *tabulateFlags) request(c *cobra.Command, in string) (q desk.TabulateRequest, err error) {
	t := &f.said.Policy.Tables
	for _, by := range f.by {
		t.By = append(t.By, policy.Words(strings.Split(by, ",")))
	}
	if c.Flags().Changed("minimum") {
		t.Minimum = &f.frequency
	}
	if c.Flags().Changed("p") {
		t.P = &f.p
	}
	q = f.TabulateRequest
	switch {
	case len(t.By) == 0 && f.file == "":
		return q, wrong("tabulate: name the columns of the table with --by, such as --by region,age")
	case q.Output == "":
		return q, wrong("tabulate: name the file for the tables with -o FILE")
	}
	q.Source, err = f.source(in)
	return q, err
}

func (a *app) runTabulate(ctx context.Context, q desk.TabulateRequest, json bool) error {
	out, err := a.desk().Tabulate(ctx, q)
	if out == nil {
		return err
	}
	if json {
		if wrote := desk.WriteJSON(a.out, out); wrote != nil {
			return wrote
		}
		return err
	}
	made := []string{q.Report, q.Record}
	if err == nil {
		made = append(made, q.Output, q.Page)
	}
	made = slices.DeleteFunc(made, func(path string) bool { return path == "" })
	for k, path := range made {
		made[k] = "wrote " + path
	}
	if wrote := report.TablesText(a.out, out.Document, made); wrote != nil {
		return wrote
	}
	say(a.out, "%s", out.Verdict.Line())
	return err
}
