package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
)

func (a *app) data() *cobra.Command {
	q, asJSON := desk.DataRequest{}, false
	c := &cobra.Command{
		Use:   "data [NAME]",
		Short: "fetch a public data set that the papers experiment on, or list them",
		Long: `data fetches a public data set from where it is published, brings it into one notation (comma-separated with a header line) and writes it
where every byte is as expected: its SHA-256 is part of this program. Without a name it lists the sets, where they come from and their
licences, and fetches nothing.

This is the only command that uses the network. Where there is none, fetch the address that the list has on another machine and name the
file with --from.`,
		Example: "  dither data\n  dither data adult -o adult.csv\n  dither data adult --from Downloads/adult.zip",
		Args:    cobra.MaximumNArgs(1),

		ValidArgsFunction: arguments(func(*cobra.Command, []string, string) (out []string) {
			for _, s := range desk.DataSets() {
				out = append(out, s.Name+"\t"+s.Title)
			}
			return out
		}),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.dataSets(asJSON)
			}
			q.Name = args[0]
			a.aside(q.Output)
			path, err := a.desk().Data(c.Context(), q)
			if err != nil {
				return err
			}
			for _, s := range desk.DataSets() {
				if s.Name == q.Name {
					say(a.out, "%s: %s, %s bytes, every one as expected; licence: %s", desk.OutputName(path), s.Title, thousands(s.Bytes), s.Licence)
				}
			}
			return nil
		},
	}
	fl := c.Flags()
	fl.StringVarP(&q.Output, "output", "o", "", "the `file` to write, or - for standard output (default: the set's name here)")
	fl.StringVar(&q.From, "from", "", "read what is published from this `file` instead of fetching it")
	fl.BoolVar(&q.Overwrite, "force", false, "overwrite an output that exists")
	fl.BoolVar(&asJSON, "json", false, "list the sets as one JSON document")
	return c
}

// dataSets lists the sets.
func (a *app) dataSets(asJSON bool) error {
	if asJSON {
		return desk.WriteJSON(a.out, desk.DataSetsDocument())
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, s := range desk.DataSets() {
		fmt.Fprintf(w, "%s\t%s\t%s\n\t%s\t\n", s.Name, s.Title, s.Licence, s.URL)
	}
	return w.Flush()
}
