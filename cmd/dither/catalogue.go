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
			found, err := part.Search(args)
			if err != nil {
				return err
			}
			if asJSON {
				if found.Entry != nil {
					return desk.WriteJSON(a.out, found.Entry.Document())
				}
				return desk.WriteJSON(a.out, part.Document(found.Entries))
			}
			return a.found(part, strings.Join(args, " "), found)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

// found says what a part of the catalogue has for a word.
func (a *app) found(part desk.Part, word string, f desk.Finding) error {
	if f.Entry != nil {
		e := f.Entry
		if err := report.EntryText(a.out, e.Card, e.Side, e.Better, e.Unit, e.Params); err != nil {
			return err
		}
	}
	if f.Instead != "" {
		for _, line := range report.Wrapped(word+": "+f.Instead+".", a.width()) {
			say(a.out, "%s", line)
		}
	}
	for _, o := range f.Others {
		say(a.out, "dither %s %s: %s", o.Part.Name, o.Entry.Name, o.Summary)
	}
	if len(f.Entries) == 0 {
		return nil
	}
	if f.Instead != "" {
		say(a.out, "")
	}
	return a.list(part, f.Entries)
}

// list lists entries of a part.
func (a *app) list(part desk.Part, es []desk.Entry) error {
	var out []report.Listed
	for _, e := range es {
		out = append(out, report.Listed{Card: e.Card, Purpose: e.Purpose, Usual: e.Usual})
	}
	return report.CatalogueText(a.out, part.What, out, a.screen(false))
}
