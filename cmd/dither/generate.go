package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/rng"
)

type generateFlags struct {
	rows          int
	out, seedFile string
	force         bool
}

func (a *app) generate() *cobra.Command {
	f := &generateFlags{}
	long := "generate writes a table of invented people, to try things on:\n"
	for _, g := range generate.Generators() {
		long += fmt.Sprintf("\n  %-10s %s (%s)", g.Name, g.Summary, g.Paper)
	}
	c := &cobra.Command{
		Use:     "generate NAME -o OUT",
		Short:   "make a table of invented people",
		Long:    long,
		Example: "  dither generate cr -n 10000 -o credit.csv\n  dither generate patients -o patients.parquet",
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return a.runGenerate(c.Context(), args[0], f) },
	}
	fl := c.Flags()
	fl.IntVarP(&f.rows, "rows", "n", -1, "how many `records` (default: the generator's own number)")
	fl.StringVarP(&f.out, "output", "o", "", "the table: a "+format.Extensions()+" `file`")
	fl.StringVar(&f.seedFile, "seed-file", "", "read the seed from this `file`, or write a fresh one there")
	fl.BoolVar(&f.force, "force", false, "overwrite an output that exists")
	return c
}

func (a *app) runGenerate(ctx context.Context, name string, f *generateFlags) error {
	g, err := generate.Find(name)
	if err != nil {
		return usageError{err}
	}
	if f.out == "" {
		return usageError{fmt.Errorf("generate: name the table with -o FILE")}
	}
	if f.rows == -1 {
		f.rows = g.Rows
	}
	if f.rows < 0 {
		return usageError{fmt.Errorf("generate: --rows %d: expected 0 or more", f.rows)}
	}
	if err := free(f.out, f.force, f.seedFile); err != nil {
		return err
	}
	s, err := seed(f.seedFile)
	if err != nil {
		return err
	}
	t := g.New(f.rows, rng.New(s))
	if _, err := format.Write(ctx, f.out, t, format.Options{}); err != nil {
		return err
	}
	say(a.out, "%s: %s invented records, %d columns", f.out, thousands(t.Rows()), t.Width())
	return nil
}
