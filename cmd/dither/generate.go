package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/format"
)

func (a *app) generate() *cobra.Command {
	q := desk.GenerateRequest{}
	var set []string
	var function string
	var names []string
	for _, g := range desk.Generators.Cards() {
		names = append(names, g.Name)
	}
	long := "generate writes a made-up table of people, or of their purchases, for trying things out. NAME is\n" +
		"one of " + strings.Join(names, ", ") + "; \"dither generators\" describes them."
	c := &cobra.Command{
		Use:   "generate NAME -o OUT",
		Short: "generate a made-up table",
		Long:  long,
		Example: "  dither generate cr -n 10000 -o credit.csv\n  dither generate patients -o patients.parquet\n  dither " +
			"generate as2000 --function 2 -o people.csv\n  dither generate quest -n 100000 --set T=20 -o T20.dat",
		Args: cobra.ExactArgs(1),

		ValidArgsFunction: arguments(generators),
		RunE: func(c *cobra.Command, args []string) (err error) {
			q.Name = args[0]
			if q.Set, err = sets(set); err != nil {
				return err
			}
			if function != "" {
				q.Set["function"] = function
			}
			return a.runGenerate(c.Context(), q)
		},
	}
	fl := c.Flags()
	fl.IntVarP(&q.Rows, "rows", "n", desk.OwnRows, "number of `records` (default: the generator's own)")
	fl.StringArrayVar(&set, "set", nil, "set a parameter of the generator: `name=value`; may be repeated (\"dither "+
		"generators quest\" lists them)")
	fl.StringVar(&function, "function", "", "for as2000, short for --set function=`N`: which of the five functions "+
		"decides the group")
	fl.StringVarP(&q.Output, "output", "o", "", "the table: a "+format.Extensions()+" `file`, or - for standard output")
	a.formatFlag(c)
	fl.StringVar(&q.Seed, "seed", "", "in place of a file: a `short` seed such as 42, the same in Python and R")
	fl.StringVar(&q.SeedFile, "seed-file", "", "read the seed from this `file`, or write a new one there")
	fl.BoolVar(&q.Overwrite, "force", false, "overwrite an output that exists")
	return c
}

func (a *app) runGenerate(ctx context.Context, q desk.GenerateRequest) error {
	if q.Output == "" {
		return wrong("generate: name the table with -o FILE")
	}
	a.aside(q.Output, false)
	t, err := a.desk().Generate(ctx, q)
	if err != nil {
		return err
	}
	columns := "1 column"
	if t.Width() != 1 {
		columns = thousands(t.Width()) + " columns"
	}
	say(a.out, "%s: %s invented records, %s", desk.OutputName(q.Output), thousands(t.Rows()), columns)
	return nil
}
