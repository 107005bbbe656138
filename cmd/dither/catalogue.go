package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
)

// entry is one catalogue entry for people and for JSON.
type entry struct {
	card.Card
	Side   string    `json:"side,omitempty"`
	Better string    `json:"better,omitempty"`
	Unit   string    `json:"unit,omitempty"`
	Params param.Set `json:"parameters"`
}

func (a *app) methods() *cobra.Command {
	return a.lookUp("methods", "technique", func() (es []entry) {
		for _, m := range catalog.Methods() {
			es = append(es, entry{Card: m.Card, Params: m.New().Params()})
		}
		return es
	}, func(n string) (string, error) { m, err := catalog.Method(n); return m.Name, err })
}

func (a *app) measures() *cobra.Command {
	return a.lookUp("measures", "measure", func() (es []entry) {
		for _, m := range catalog.Measures() {
			es = append(es, entry{Card: m.Card, Side: string(m.Side), Better: string(m.Better), Unit: m.Unit, Params: m.New().Params()})
		}
		return es
	}, func(n string) (string, error) { m, err := catalog.Measure(n); return m.Name, err })
}

func (a *app) miners() *cobra.Command {
	return a.lookUp("miners", "miner", func() (es []entry) {
		for _, m := range catalog.Miners() {
			es = append(es, entry{Card: m.Card, Params: m.New().Params()})
		}
		return es
	}, func(n string) (string, error) { m, err := catalog.Miner(n); return m.Name, err })
}

// lookUp makes a verb that lists a part of the catalogue, or shows one entry whole.
func (a *app) lookUp(verb, what string, all func() []entry, find func(string) (string, error)) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:     verb + " [NAME]",
		Short:   "list the " + verb + ", or show one with its parameters",
		Example: fmt.Sprintf("  dither %s\n  dither %s %s", verb, verb, all()[0].Name),
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			es := all()
			if len(args) == 0 {
				if asJSON {
					return printJSON(a.out, map[string]any{"schema": "dither/" + verb + "/1", verb: es})
				}
				var rows [][]string
				for _, e := range es {
					rows = append(rows, []string{e.Name, e.Summary, e.Paper})
				}
				grid(a.out, []string{what, "what it does", "source"}, rows)
				return nil
			}
			name, err := find(args[0])
			if err != nil {
				return usageError{err}
			}
			for _, e := range es {
				if e.Name != name {
					continue
				}
				if asJSON {
					return printJSON(a.out, e)
				}
				a.showEntry(e)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func (a *app) showEntry(e entry) {
	say(a.out, "%s (%s)\n\n%s\n", e.Title, e.Name, e.Summary)
	var rows [][]string
	for _, f := range [][2]string{{"source", e.Paper}, {"needs", e.Needs}, {"changes", e.Changes}, {"preserves", e.Preserves},
		{"biases", e.Biases}, {"an intruder still learns", e.Exposes}, {"missing values", e.Missing}, {"cost", e.Cost},
		{"side", e.Side}, {"better", e.Better}, {"unit", e.Unit}} {
		if f[1] != "" {
			rows = append(rows, []string{f[0], f[1]})
		}
	}
	for _, r := range rows {
		say(a.out, "%-25s %s", r[0]+":", r[1])
	}
	if len(e.Params) == 0 {
		return
	}
	say(a.out, "")
	rows = nil
	for _, p := range e.Params {
		rows = append(rows, []string{p.Name, fmt.Sprint(p.Default), p.Range(), p.Unit, p.Help})
	}
	grid(a.out, []string{"parameter", "default", "range", "unit", "meaning"}, rows)
}

func (a *app) policySchema() *cobra.Command {
	return &cobra.Command{
		Use:     "policy-schema",
		Short:   "print the JSON schema of policy files, for editors",
		Example: "  dither policy-schema > policy.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.out.Write(policy.Schema())
			return err
		},
	}
}
