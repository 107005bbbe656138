package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
)

func (a *app) policy() *cobra.Command {
	c := &cobra.Command{
		Use:   "policy",
		Short: "make a policy of what other programs' files say of a table",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.policyImport())
	return c
}

func (a *app) policyImport() *cobra.Command {
	q := &desk.AdoptRequest{}
	c := &cobra.Command{
		Use:   "import FILE...",
		Short: "read ARX projects and hierarchies, and metadata of SDV, mu-Argus and CSV on the Web",
		Long: `import reads what files say of a table and writes it as a policy: projects of ARX (.deid), metadata of SDV and of CSV on the Web (JSON) and of mu-Argus
(.rda). column=FILE is a hierarchy of a column as ARX exports it, or a list of its codes as mu-Argus has it (.cdl). Roles, kinds, dates, domains, codes of
missing values, hierarchies, and thresholds that mean the same are taken over; what is not is told. Hierarchies of a project are written beside the policy.
The data of a project are not looked at. Policy and hierarchies may list values of the table: they are as confidential as it is.`,
		Example: "  dither policy import patients.deid -o policy.yaml\n" +
			"  dither policy import metadata.json postcode=postcode.csv -o policy.yaml",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			q.Files = args
			return a.runPolicyImport(c.Context(), *q)
		},
	}
	fl := c.Flags()
	fl.StringVarP(&q.Output, "output", "o", "", "write the policy to this `file` (default: print)")
	fl.StringVar(&q.Table, "table", "", "which `table` is meant, in a file that describes several")
	fl.BoolVar(&q.Overwrite, "force", false, "overwrite outputs that exist")
	return c
}

func (a *app) runPolicyImport(ctx context.Context, q desk.AdoptRequest) error {
	a.aside(q.Output)
	got, err := a.desk().Adopt(ctx, q)
	if err != nil {
		return err
	}
	if q.Output == "" {
		_, err := io.WriteString(a.out, got.Text)
		return err
	}
	say(a.out, "%s: %d columns, %d hierarchies beside it, %d thresholds; %d things are not taken over", desk.OutputName(q.Output), got.Columns, len(got.Hierarchies), got.Thresholds, len(got.Left))
	return nil
}
