package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
)

type tabulateFlags struct {
	said
	desk.TabulateRequest
	by        []string
	dominance string
	json      bool
}

func (a *app) tabulate() *cobra.Command {
	f := &tabulateFlags{}
	c := &cobra.Command{
		Use:   "tabulate IN --by COLUMNS -o OUT",
		Short: "publish tables of counts and totals that give nobody away",
		Long: `tabulate counts records, and sums columns, by combinations of columns, with totals and with the
levels of hierarchies. Tables that go out together are named in one call, with --by for each: what
one hides, another must not tell.

Cells are unsafe where fewer than --minimum people make them up or, for totals, where one of the
largest could be estimated too closely (--p, with --q) or few make up most (--dominance). By default
they are left out, with others so that no linear program computes them from what is shown, or bounds
them too closely. The verdict counts what has no proof; such tables are not written. With --method
cellkey counts move a little instead, the same records by the same number in every table; nothing
judges these, so --limits none must ask for them.

OUT is a CSV file with a line for each cell. Cells without records are not listed: they are zeros.`,
		Example: `  dither tabulate firms.csv --by region,size --sum turnover -o t.csv
  dither tabulate firms.csv --by region,size --by size,sector --hierarchy region=nuts.csv -o t.csv
  dither tabulate census.csv --by town,age --method cellkey --limits none --seed-file keys -o t.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runTabulate(c.Context(), args[0], f) },
	}
	f.declare(c)
	f.hierarchyFlag(c)
	fl := c.Flags()
	fl.StringArrayVar(&f.by, "by", nil, "the `columns` of a table, comma-separated; repeat it for each table")
	fl.StringSliceVar(&f.Sums, "sum", nil, "sum these `columns` of numbers, comma-separated")
	fl.StringVar(&f.TabulateRequest.Person, "person", "", "count people, not records, where the rules do: the `column` "+
		"that says whose a record is (default: one with the role person)")
	fl.StringVar(&f.TabulateRequest.Method, "method", desk.Suppression, "`method`: suppression leaves cells out, cellkey "+
		"moves counts")
	fl.IntVar(&f.Rules.Frequency, "minimum", 3, "a cell must have this many `people`; 0 for no such rule")
	fl.StringVar(&f.dominance, "dominance", "", "a total is unsafe where its n largest have more than k percent: "+
		"`n,k`, such as 2,85")
	fl.Float64Var(&f.Rules.P, "p", 10, "a total is unsafe where somebody can be estimated to within this `percentage`; 0 "+
		"for no such rule")
	fl.Float64Var(&f.Rules.Q, "q", 0, "with --p, what everybody knows beforehand, to within this `percentage`")
	fl.BoolVar(&f.Alone, "alone", false, "keep intervals open to those who are alone in a combination of values, "+
		"too; else these compute nothing")
	fl.IntVar(&f.Keys.Deviation, "deviation", 3, "with --method cellkey, the largest `number` that a count moves by")
	fl.Float64Var(&f.Keys.Variance, "variance", 2, "with --method cellkey, the `variance` of that number")
	fl.IntVar(&f.Keys.Small, "hide-small", 0, "with --method cellkey, show no count from 1 to this `number`")
	fl.StringVar(&f.Limits, "limits", "", "`none` lets tables out that nothing judges, as those of --method cellkey")
	f.guardFlag(c)
	fl.StringVar(&f.SeedFile, "seed-file", "", "read the seed of the keys from this `file`, or write a new one there")
	fl.StringVarP(&f.Output, "output", "o", "", "the tables: a CSV `file`")
	fl.StringVar(&f.Page, "page", "", "write the tables as a page that prints, too: an HTML `file`")
	fl.StringVar(&f.Record, "record", "", "keep what the run was, for auditors, in this `file`")
	fl.StringVar(&f.SignKey, "sign-key", "", "sign the record with this private key: an SSH Ed25519 `file`")
	fl.BoolVar(&f.Replace, "force", false, "overwrite outputs that exist")
	fl.BoolVar(&f.json, "json", false, "print one JSON document")
	return c
}

func (a *app) runTabulate(ctx context.Context, in string, f *tabulateFlags) (err error) {
	q := f.TabulateRequest
	switch {
	case len(f.by) == 0:
		return wrong("tabulate: name the columns of the table with --by, such as --by region,age")
	case q.Output == "":
		return wrong("tabulate: name the file for the tables with -o FILE")
	}
	for _, t := range f.by {
		q.Tables = append(q.Tables, strings.Split(t, ","))
	}
	if f.dominance != "" {
		n, k, ok := strings.Cut(f.dominance, ",")
		q.Rules.N, err = strconv.Atoi(n)
		if err == nil && ok {
			q.Rules.K, err = strconv.ParseFloat(k, 64)
		}
		if err != nil || !ok {
			return wrong("tabulate: --dominance %s: expected n,k, such as 2,85", f.dominance)
		}
	}
	if q.Source, err = f.source(in); err != nil {
		return err
	}
	out, err := a.desk().Tabulate(ctx, q)
	if out == nil {
		return err
	}
	if f.json {
		if wrote := desk.WriteJSON(a.out, out); wrote != nil {
			return wrote
		}
		return err
	}
	for _, s := range out.Document.Lead {
		say(a.out, "%s", s.Whole())
	}
	if err == nil {
		say(a.out, "wrote %s", q.Output)
	}
	return err
}
