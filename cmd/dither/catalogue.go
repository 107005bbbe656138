package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/report"
)

// lookUp makes a verb that lists a part of the catalogue, or shows one entry whole.
func (a *app) lookUp(part desk.Part) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:     part.Name + " [NAME | WORD...]",
		Short:   "list " + part.Name + ", all or by keyword, or show one with its parameters",
		Example: fmt.Sprintf("  dither %s\n  dither %s %s", part.Name, part.Name, part.First().Name),
		Args:    cobra.ArbitraryArgs,

		ValidArgsFunction: arguments(entries(part)),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				if asJSON {
					return desk.WriteJSON(a.out, part.Document(part.Entries()))
				}
				return a.list(part, part.ByPurpose(nil))
			}
			e, err := part.Find(strings.Join(args, " "))
			if found := part.ByPurpose(args); err != nil && len(found) > 0 {
				if asJSON {
					return desk.WriteJSON(a.out, part.Document(found))
				}
				return a.list(part, found)
			}
			if near := desk.Elsewhere(strings.Join(args, " ")); err != nil && near != "" && !asJSON {
				say(a.out, "%s: %s.", strings.Join(args, " "), near)
				return nil
			}
			if err != nil {
				return err
			}
			if asJSON {
				return desk.WriteJSON(a.out, e.Document())
			}
			return report.EntryText(a.out, e.Card, e.Side, e.Better, e.Unit, e.Params)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

// list lists entries of a part.
func (a *app) list(part desk.Part, es []desk.Entry) error {
	var out []report.Listed
	for _, e := range es {
		out = append(out, report.Listed{Card: e.Card, Purpose: e.Purpose, Usual: e.Usual})
	}
	return report.CatalogueText(a.out, part.What, out, a.screen(false))
}
