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
		Short: "write a generalisation hierarchy of a column's values, to edit",
		Long: `hierarchy writes one line for every value in a column: the value, then its groups, the most
general one last. Numbers get intervals with round limits, ordered categories get runs, codes
(postcodes, disease codes) get prefixes, and other categories a single group, before which you
insert your own: every line needs the same number of fields. Pass the file to protect with
--hierarchy COLUMN=FILE, or in a policy. The file lists values of the table, so it is as
confidential as the column.`,
		Example: "  dither hierarchy patients.csv postcode -o postcode.csv\n" +
			"  dither hierarchy patients.csv town --prefix",
		Args: cobra.ExactArgs(2),

		ValidArgsFunction: arguments(nil, columns),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runHierarchy(c.Context(), args[0], args[1], f)
		},
	}
	f.declare(c)
	fl := c.Flags()
	fl.StringVarP(&f.Output, "output", "o", "", "write to this `file` (default: print)")
	fl.BoolVar(&f.Prefix, "prefix", false, "group values by their common prefixes, whatever they look like")
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite an output that exists")
	return c
}

func (a *app) runHierarchy(ctx context.Context, in, column string, f *hierarchyFlags) (err error) {
	q := f.HierarchyRequest
	if q.Source, err = f.source(in); err != nil {
		return err
	}
	q.Column = column
	a.aside(q.Output, false)
	h, err := a.desk().Hierarchy(ctx, q)
	if err != nil {
		return err
	}
	if q.Output == "" {
		return h.Write(a.document())
	}
	say(a.out, "%s: %s values of %s on %d levels above them", desk.OutputName(q.Output), thousands(len(h.Labels(0))),
		column, h.Height())
	return nil
}
