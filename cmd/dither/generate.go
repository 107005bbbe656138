package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/generate"
)

func (a *app) generate() *cobra.Command {
	q := desk.GenerateRequest{}
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

		ValidArgsFunction: arguments(generators),
		RunE: func(c *cobra.Command, args []string) error {
			q.Name = args[0]
			return a.runGenerate(c.Context(), q)
		},
	}
	fl := c.Flags()
	fl.IntVarP(&q.Rows, "rows", "n", desk.OwnRows, "how many `records` (default: the generator's own number)")
	fl.StringVarP(&q.Output, "output", "o", "", "the table: a "+format.Extensions()+" `file`, or - for standard output")
	fl.StringVar(&q.SeedFile, "seed-file", "", "read the seed from this `file`, or write a fresh one there")
	fl.BoolVar(&q.Overwrite, "force", false, "overwrite an output that exists")
	return c
}

func (a *app) runGenerate(ctx context.Context, q desk.GenerateRequest) error {
	if q.Output == "" {
		return wrong("generate: name the table with -o FILE")
	}
	a.aside(q.Output)
	t, err := a.desk().Generate(ctx, q)
	if err != nil {
		return err
	}
	say(a.out, "%s: %s invented records, %d columns", desk.OutputName(q.Output), thousands(t.Rows()), t.Width())
	return nil
}
