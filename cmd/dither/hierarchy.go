package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
)

type hierarchyFlags struct {
	said
	desk.HierarchyRequest
}

func (a *app) hierarchy() *cobra.Command {
	f := &hierarchyFlags{}
	c := &cobra.Command{
		Use:   "hierarchy IN COLUMN",
		Short: "write a hierarchy of a column's values, to edit and to generalise by",
		Long: `hierarchy writes a line for every value that occurs in a column: the value, then the groups that it belongs to, the most general one last. Numbers
get intervals of round limits, ordered categories runs, codes (postcodes, codes of diseases) prefixes, and other categories one group, between which
you write your own: every line needs as many fields. Give the file to protect with --hierarchy COLUMN=FILE, or in a policy.
The file lists the values that people have: it is as confidential as the column.`,
		Example: "  dither hierarchy patients.csv postcode -o postcode.csv\n" +
			"  dither hierarchy patients.csv town --prefix",
		Args: cobra.ExactArgs(2),

		ValidArgsFunction: arguments(nil, columns),
		RunE:              func(c *cobra.Command, args []string) error { return a.runHierarchy(c.Context(), args[0], args[1], f) },
	}
	f.declare(c)
	fl := c.Flags()
	fl.StringVarP(&f.Output, "output", "o", "", "write to this `file` (default: print)")
	fl.BoolVar(&f.Prefix, "prefix", false, "join values that begin alike, whatever they look like")
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite an output that exists")
	return c
}

func (a *app) runHierarchy(ctx context.Context, in, column string, f *hierarchyFlags) (err error) {
	q := f.HierarchyRequest
	if q.Source, err = f.source(in); err != nil {
		return err
	}
	q.Column = column
	a.aside(q.Output)
	h, err := a.desk().Hierarchy(ctx, q)
	if err != nil {
		return err
	}
	if q.Output == "" {
		return h.Write(a.out)
	}
	say(a.out, "%s: %s values of %s on %d levels above them", desk.OutputName(q.Output), thousands(len(h.Labels(0))), column, h.Height())
	return nil
}
