package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
)

func (a *app) schema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "list the JSON documents, or print the JSON Schema of one",
		Long: `schema lists the documents that commands print with --json and the files that they write, or
prints the JSON Schema (2020-12) of one: its keys, what they mean, and when a key is null or
absent. NAME may also be the value of the field "schema" in a document. Editors can use the schema
of policy files to complete and check a policy as you type. docs/json.md says what stays the same
between versions.`,
		Example: `  dither schema
  dither schema protect
  dither schema policy > policy.schema.json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: arguments(schemas),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listSchemas()
			}
			return a.printSchema(args[0])
		},
	}
}

// policySchema is what "schema policy" was called once.
func (a *app) policySchema() *cobra.Command {
	return &cobra.Command{
		Use:     "policy-schema",
		Short:   "print the JSON Schema of policy files (same as schema policy)",
		Example: "  dither policy-schema > policy.schema.json",
		Hidden:  true,
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return a.printSchema("policy") },
	}
}

func (a *app) printSchema(name string) error {
	s, err := desk.FindSchema(name)
	if err != nil {
		return err
	}
	_, err = a.out.Write(s.Text())
	return err
}

func (a *app) listSchemas() error {
	for _, s := range desk.Schemas() {
		if _, err := fmt.Fprintf(a.out, "%-14s  %s\n", s.Name, s.What); err != nil {
			return err
		}
	}
	return nil
}

// schemas completes the names of documents.
func schemas(*cobra.Command, []string, string) (out []string) {
	for _, s := range desk.Schemas() {
		out = append(out, s.Name+"\t"+s.What)
	}
	return out
}
