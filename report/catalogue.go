package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
)

// CatalogueText writes a part of the catalogue for a terminal; what says what it lists: technique.
func CatalogueText(w io.Writer, what string, cards []card.Card) error {
	var rows [][]string
	for _, c := range cards {
		rows = append(rows, []string{c.Name, c.Summary, c.Paper})
	}
	return listing(w, []string{what, "what it does", "source"}, rows)
}

// EntryText writes one entry of the catalogue with its parameters; side, better and unit are those of a measure, otherwise empty.
func EntryText(w io.Writer, c card.Card, side, better, unit string, params param.Set) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n\n%s\n\n", c.Title, c.Name, c.Summary)
	for _, f := range [][2]string{{"source", c.Paper}, {"needs", c.Needs}, {"changes", c.Changes}, {"preserves", c.Preserves},
		{"biases", c.Biases}, {"an intruder still learns", c.Exposes}, {"missing values", c.Missing}, {"cost", c.Cost},
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
