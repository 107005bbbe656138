package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is how many columns help takes, and manyFlags from how many flags on they stand in groups.
const helpWidth, manyFlags = 100, 12

// flagGroup is flags that belong together, by their names, in every verb that has them.
type flagGroup struct {
	title string
	names []string
}

// flagGroups are the groups in the order of help. Flags of none of them are the verb's own, and stand first.
var flagGroups = []flagGroup{
	{"What is written", []string{"output", "format", "report", "public", "plan-out", "seed-file", "noise-model-out",
		"sensitive-table-out", "page", "csv", "labels", "record", "sign-key", "resume", "force"}},
	{"What the columns are", []string{"class", "role", "policy", "leave-out", "keep-text", "pseudonymise", "items", "cut",
		"hierarchy", "relation", "relations", "sums"}},
	{"How the release is made", []string{"method", "within", "set", "plan", "seed", "recur", "keep-order", "dates-shift",
		"impute", "impute-marks", "round-weights", "blank-lookups", "guard-formulas", "sensitive", "shared", "ledger",
		"purpose"}},
	{"When it may go out", []string{"limits", "at-most", "accept", "sampled-from", "iqm"}},
	{"What intruders know", []string{"intruder", "knows", "secret", "outsider", "unaware", "gaps", "leaked-plan",
		"riskiest"}},
	{"How the table is read", []string{"delimiter", "encoding", "header", "no-header", "skip", "sheet", "query", "layout",
		"missing", "not-missing", "complete", "dates", "numbers", "merge-variants", "memory"}},
	{"What is printed", []string{"json", "verbose", "help"}},
}

// grouped divides the flags that help shows into the groups that they belong to; few of them are one group.
func grouped(flags *pflag.FlagSet) (out []flagGroup) {
	own := flagGroup{title: "Flags"}
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Deprecated == "" {
			own.names = append(own.names, f.Name)
		}
	})
	if len(own.names) < manyFlags {
		return []flagGroup{own}
	}
	for _, g := range flagGroups {
		has := flagGroup{title: g.title}
		for _, name := range g.names {
			if k := slices.Index(own.names, name); k >= 0 {
				own.names, has.names = slices.Delete(own.names, k, k+1), append(has.names, name)
			}
		}
		if has.names != nil {
			out = append(out, has)
		}
	}
	if len(own.names) > 0 {
		out = slices.Insert(out, 0, own)
	}
	return out
}

// flagUsages writes flags by their groups, wrapped, each group with a column of its own for the texts.
func flagUsages(flags *pflag.FlagSet) string {
	var b strings.Builder
	for _, g := range grouped(flags) {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		for _, name := range g.names {
			set.AddFlag(flags.Lookup(name))
		}
		b.WriteString("\n\n" + g.title + ":\n" + strings.TrimRight(set.FlagUsagesWrapped(helpWidth), " \n"))
	}
	return b.String()
}

// The functions of templates belong to the program, not to a command.
func init() { cobra.AddTemplateFunc("flagUsages", flagUsages) }

// helpStyle begins the help of every command with what it does and examples, and wraps its flags, by groups.
func helpStyle(root *cobra.Command) {
	usage := root.UsageTemplate()
	for _, change := range [][2]string{
		{"{{if .HasExample}}\n\nExamples:\n{{.Example}}{{end}}", ""},
		{"\n\nFlags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}", "{{flagUsages .LocalFlags}}"},
	} {
		usage = strings.Replace(usage, change[0], change[1], 1)
	}
	root.SetUsageTemplate(usage)
	root.SetHelpTemplate("{{.Short}}\n\n{{if .HasExample}}Examples:\n{{.Example}}\n\n{{end}}" +
		"{{with .Long}}{{. | trimTrailingWhitespaces}}\n\n{{end}}{{.UsageString}}")
}
