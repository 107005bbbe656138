package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
)

// Listed is one entry of the catalogue as a list shows it.
type Listed struct {
	card.Card
	Purpose, Usual string // the group that it stands in; why it is one to try first, empty for the others
}

// CatalogueText writes a part of the catalogue for a terminal, by purpose, those to try first with a star and why; what
// says what it lists: technique.
func CatalogueText(w io.Writer, what string, entries []Listed, s Screen) error {
	var b strings.Builder
	width, purpose := 0, ""
	var stars []string
	for _, e := range entries {
		width = max(width, cells(e.Name))
	}
	fmt.Fprintf(&b, "%-*s   %s\n", width+1, what, message.Say("catalogue.does"))
	for _, e := range entries {
		if e.Purpose != purpose {
			purpose = e.Purpose
			b.WriteString("\n" + purpose + "\n")
		}
		mark := " "
		if e.Usual != "" {
			mark = "*"
			stars = append(stars, e.Name+": "+e.Usual)
		}
		lead := fmt.Sprintf("%s %-*s  ", mark, width, e.Name)
		says := e.Summary
		if !strings.EqualFold(e.Called(), e.Name) { // as people write it
			says = message.Say("catalogue.entry").Text("title", e.Called()).Text("says", says).String()
		}
		for k, l := range wrapped(Printable(says), s.width()-cells(lead)) {
			if k > 0 {
				lead = strings.Repeat(" ", cells(lead))
			}
			b.WriteString(lead + l + "\n")
		}
	}
	if stars != nil {
		bullets(&b, message.Say("catalogue.first").String(), stars)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// EntryText writes one entry of the catalogue with its parameters; side, better and unit are those of a measure,
// otherwise empty.
func EntryText(w io.Writer, c card.Card, side, better, unit string, params param.Set) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n\n%s\n\n", c.Title, c.Name, c.Summary)
	for _, f := range [][2]string{{"source", c.Paper}, {"needs", c.Needs}, {"changes", c.Changes},
		{"preserves", c.Preserves},
		{"biases", c.Biases}, {"an intruder still learns", c.Exposes}, {"missing values", c.Missing}, {"cost", c.Cost},
		{"people", c.People}, {"larger than memory", c.Shards},
		{"side", side}, {"better", better}, {"unit", unit}} {
		if f[1] != "" {
			fmt.Fprintf(&b, "%-25s %s\n", f[0]+":", f[1])
		}
	}
	if len(params) > 0 {
		var rows [][]string
		for _, p := range params {
			rows = append(rows, []string{p.Name, fmt.Sprint(p.Default), p.Range(), p.Unit, p.Help})
		}
		b.WriteString("\n")
		if err := listing(&b, []string{"parameter", "default", "range", "unit", "meaning"}, rows); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
