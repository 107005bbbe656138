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
		Short: "make a policy from other programs' metadata",
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
		Short: "import ARX projects and hierarchies, and SDV, mu-Argus and CSV on the Web metadata",
		Long: `import writes a policy from what other programs' files say about a table: ARX projects (.deid),
SDV and CSV on the Web metadata (JSON) and mu-Argus metadata (.rda). column=FILE is a hierarchy of
a column as exported by ARX, or a mu-Argus code list (.cdl). Roles, kinds, dates, domains,
missing-value codes, hierarchies and equivalent thresholds are imported; everything else is
listed. Hierarchies of a project are written next to the policy. The data of a project are not
read. Policy and hierarchies may list values of the table: they are as confidential as the table.`,
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
	fl.StringVar(&q.Table, "table", "", "which `table` to import from a file that describes several")
	fl.BoolVar(&q.Overwrite, "force", false, "overwrite outputs that exist")
	return c
}

func (a *app) runPolicyImport(ctx context.Context, q desk.AdoptRequest) error {
	a.aside(q.Output, false)
	got, err := a.desk().Adopt(ctx, q)
	if err != nil {
		return err
	}
	if q.Output == "" {
		_, err := io.WriteString(a.document(), got.Text)
		return err
	}
	say(a.out, "%s: %d columns, %d hierarchies beside it, %d thresholds; %d things are not taken over",
		desk.OutputName(q.Output), got.Columns, len(got.Hierarchies), got.Thresholds, len(got.Left))
	return nil
}
