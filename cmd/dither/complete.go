package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/table"
)

// This file says what a shell may put in for a word that is begun: names of the catalogue, columns of the table that is
// named already, parameters of the technique that is named already, each with what it is behind a tab.

// completer returns what may stand for a word, all of it: those that do not begin alike are left out by who asks.
type completer func(c *cobra.Command, args []string, begun string) []string

// flagCompletions are the completers of flags, by name, in every verb that has them.
var flagCompletions = map[string]completer{
	"method":       listed(techniques),
	"measure":      listed(measures),
	"utility":      measures,
	"risk":         measures,
	"miner":        miners,
	"by":           func(*cobra.Command, []string, string) []string { return desk.Strengths() },
	"columns":      listed(columns),
	"then":         columns,
	"class":        columns,
	"keep-text":    columns,
	"leave-out":    listed(columns),
	"pseudonymise": columns,
	"person":       columns,
	"knows":        listed(columns),
	"secret":       listed(columns),
	"missing":      assigned,
	"not-missing":  assigned,
	"dates":        assigned,
	"numbers":      assigned,
	"cut":          assigned,
	"hierarchy":    assigned,
	"items":        layouts,
	"role":         roles,
	"within":       listed(segments),
	"limits":       func(*cobra.Command, []string, string) []string { return limit.Names() },
	"set":          parameters,
}

// complete lets a command and those below it complete their flags.
func complete(c *cobra.Command) {
	for name, f := range flagCompletions {
		if c.Flags().Lookup(name) == nil {
			continue
		}
		_ = c.RegisterFlagCompletionFunc(
			name,
			func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
				out, how := begins(f(c, args, begun), begun), cobra.ShellCompDirectiveNoFileComp
				switch {
				case name == "limits" || name == "hierarchy" && strings.Contains(begun, "="):
					how = cobra.ShellCompDirectiveDefault // a file may follow
				case slices.ContainsFunc(out, func(s string) bool {
					word, _, _ := strings.Cut(s, "\t")
					return strings.HasSuffix(word, "=") || name == "items" && strings.HasSuffix(word, ":")
				}):
					how |= cobra.ShellCompDirectiveNoSpace
				}
				return out, how
			},
		)
	}
	for _, k := range c.Commands() {
		complete(k)
	}
}

// begins leaves out what does not begin with a word, in any letter case.
func begins(all []string, begun string) []string {
	return slices.DeleteFunc(all,
		func(s string) bool { return len(s) < len(begun) || !strings.EqualFold(s[:len(begun)], begun) })
}

// arguments completes the arguments of a verb: the first ones by the given completers, in order, and files where one is
// nil.
func arguments(by ...completer) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= len(by) || by[len(args)] == nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return begins(by[len(args)](c, args, begun), begun), cobra.ShellCompDirectiveNoFileComp
	}
}

// listed completes the last name of a list with commas between.
func listed(one completer) completer {
	return func(c *cobra.Command, args []string, begun string) []string {
		before := begun[:strings.LastIndexByte(begun, ',')+1]
		out := one(c, args, begun[len(before):])
		for k := range out {
			out[k] = before + out[k]
		}
		return out
	}
}

// entries are the names of a part of the catalogue that begin like a word, and where there is none the other names by
// which the field knows an entry.
func entries(part desk.Part) completer {
	return func(_ *cobra.Command, _ []string, begun string) []string {
		var names, others []string
		for _, e := range part.Entries() {
			names = append(names, e.Name+"\t"+e.Title)
			for _, other := range e.Aliases {
				others = append(others, other+"\t"+e.Title+" ("+e.Name+")")
			}
		}
		if names = begins(names, begun); len(names) > 0 {
			return names
		}
		return others
	}
}

var (
	techniques = entries(desk.Methods)
	measures   = entries(desk.Measures)
	generators = entries(desk.Generators)
	miners     = entries(desk.Miners)
)

// columns are those of the table that is named first.
func columns(c *cobra.Command, args []string, _ string) []string {
	if len(args) == 0 {
		return nil
	}
	file := policy.File{Delimiter: flag(c, "delimiter"), Encoding: flag(c, "encoding")}
	s := desk.Source{Path: args[0], Policy: flag(c, "policy"), Said: policy.Policy{File: file}}
	return slices.DeleteFunc(s.Header(), func(name string) bool { return strings.ContainsAny(name, "\t\r\n") })
}

func flag(c *cobra.Command, name string) string {
	if f := c.Flags().Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// assigned are the columns, to each of which something is to be assigned.
func assigned(c *cobra.Command, args []string, begun string) []string {
	out := columns(c, args, begun)
	for k := range out {
		out[k] += "="
	}
	return out
}

// layouts are the layouts of sets of items: behind a column what may stand between items, and the columns that may hold
// one in each of its rows; behind wide: how columns begin that have something in common up to a mark.
func layouts(c *cobra.Command, args []string, begun string) (out []string) {
	names := columns(c, args, begun)
	at := strings.LastIndexByte(begun, ':') + 1
	switch before := begun[:at]; before {
	case "":
		out = append(out, "wide:\ta column of 0 and 1 for each item")
		for _, name := range names {
			out = append(out, name+":")
		}
	case "wide:":
		for _, name := range names {
			if end := strings.IndexAny(name, "_.-"); end > 0 && !slices.Contains(out, before+name[:end+1]) {
				out = append(out, before+name[:end+1])
			}
		}
	default:
		for _, mark := range []string{";", ",", "|", " "} {
			out = append(out, before+mark+"\tbetween the items of a cell")
		}
		for _, name := range names {
			if name+":" != before {
				out = append(out, before+name+"\ta row for each item")
			}
		}
	}
	return out
}

func segments(c *cobra.Command, args []string, begun string) []string {
	return append(
		[]string{"tree\tthe leaves of a decision tree", "forest\tthe leaves of a forest"},
		columns(c, args, begun)...)
}

// roles are the columns or, behind one, the roles.
func roles(c *cobra.Command, args []string, begun string) (out []string) {
	at := strings.LastIndexByte(begun, '=')
	if at < 0 {
		return assigned(c, args, begun)
	}
	for _, name := range table.RoleNames() {
		out = append(out, begun[:at+1]+name)
	}
	return out
}

// parameters are those of the techniques, measures, miners and generators that are named already, or of the default
// ones; behind a name that is a choice, what there is to choose from.
func parameters(c *cobra.Command, args []string, begun string) (out []string) {
	dotted := c.Name() == "compare" || c.Name() == "evaluate" || c.Name() == "attack"
	for _, e := range parametrised(c, args) {
		before := ""
		if dotted {
			before = e.Name + "."
		}
		out = append(out, offers(before, e.Params, begun)...)
	}
	if !dotted {
		return out
	}
	measures := named(desk.Measures, flag(c, "measure"), "")
	if measures == nil {
		measures = desk.Measures.Entries()
	}
	for _, e := range measures {
		out = append(out, offers(e.Name+".", e.Params, begun)...)
	}
	return out
}

// parametrised are the miners, the generator or the techniques whose parameters a command takes.
func parametrised(c *cobra.Command, args []string) []desk.Entry {
	switch {
	case c.Flags().Lookup("miner") != nil && (flag(c, "miner") != "" || c.Name() != "tree"):
		return named(desk.Miners, flag(c, "miner"), "")
	case c.Name() == "generate" && len(args) > 0:
		return named(desk.Generators, args[0], "")
	case c.Name() == "tree":
		return named(desk.Miners, "c45", "")
	case c.Flags().Lookup("method") != nil:
		return named(desk.Methods, flag(c, "method"), desk.DefaultMethod)
	}
	return nil
}

// named are the entries that the value of a flag names, one or a list; usual stands for an empty name.
func named(part desk.Part, value, usual string) (found []desk.Entry) {
	for _, n := range strings.Split(strings.Trim(value, "[]"), ",") {
		if e, err := part.Find(cmp.Or(n, usual)); err == nil {
			found = append(found, e)
		}
	}
	return found
}

// offers begin the parameters of a set, each behind the same prefix: with their help, or, where one is named
// already, with its choices.
func offers(before string, set param.Set, begun string) (out []string) {
	for _, p := range set {
		name := before + p.Name + "="
		if !strings.HasPrefix(begun, name) {
			out = append(out, name+"\t"+p.Help)
			continue
		}
		for _, choice := range p.Choices {
			out = append(out, name+choice)
		}
	}
	return out
}

// tabbed lets the tabs through by which shells tell what completes a word from what explains it.
type tabbed struct{ *checkedWriter }

// Write writes until something fails.
func (t tabbed) Write(p []byte) (int, error) {
	cells := strings.Split(string(p), "\t")
	for k := range cells {
		cells[k] = report.PrintableLines(cells[k])
	}
	return len(p), t.put(strings.Join(cells, "\t"))
}
