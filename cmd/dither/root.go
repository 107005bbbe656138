package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/text/spelling"
)

// app is the command line with its streams.
type app struct {
	in       io.Reader
	out, err io.Writer
	raw      io.Writer // standard output, for what -o - writes
	beats    beats     // of the log that standard error may be
	format   string    // of a table that goes to standard output
	silent   bool      // standard error gets a document, and nothing beside it
	told     bool      // which it got
	judged   bool      // the verdict was printed on a terminal
	events   bool      // standard error gets a line of JSON for all that is said
	holds    bool      // notes are kept for below the verdict
	held     []desk.Note
}

// desk serves the requests; what it tells goes to standard error.
func (a *app) desk() *desk.Desk {
	return &desk.Desk{
		Version:    buildVersion(),
		In:         a.in,
		Out:        a.raw,
		Format:     a.format,
		Note:       a.note,
		Begin:      a.progress,
		Passphrase: a.passphrase(),
		Keeps:      keeping,
	}
}

// verb is a command below the root.
type verb struct {
	group, name string
	make        func() *cobra.Command
}

// called returns the verb that arguments begin with, or all where they begin with none: the flags of all of them take a
// good part of the start of the program.
func called(all []verb, args []string) []verb {
	if len(args) > 0 {
		if k := slices.IndexFunc(all, func(v verb) bool { return v.name == args[0] }); k >= 0 {
			return all[k : k+1]
		}
	}
	return all
}

// formerVerbs and formerFlags are names of the version before, and what else a flag is called in papers, which are
// understood and not shown.
var (
	formerVerbs = map[string]string{"law": "noise-model"}
	formerFlags = map[string]string{"law": "noise-model", "law-out": "noise-model-out", "phi": "psi"}
)

// currentVerb returns arguments that begin with the name that the verb has today.
func currentVerb(args []string) []string {
	if len(args) == 0 || formerVerbs[args[0]] == "" {
		return args
	}
	return append([]string{formerVerbs[args[0]]}, args[1:]...)
}

// currentFlag returns the name that a flag has today.
func currentFlag(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	return pflag.NormalizedName(cmp.Or(formerFlags[name], name))
}

// verbs returns those of the program that such arguments need.
func (a *app) verbs(args []string) []verb {
	lookUp := func(p desk.Part) verb { return verb{"catalogue", p.Name, func() *cobra.Command { return a.lookUp(p) }} }
	mine := func() *cobra.Command { return a.mine(args[min(1, len(args)):]) }
	joined := func() *cobra.Command { return a.joint(args[min(1, len(args)):]) }
	return called([]verb{
		{
			"release",
			"demo",
			a.demo,
		}, {"release", "inspect", a.inspect}, {"release", "hierarchy", a.hierarchy}, {"release", "policy", a.policy},
		{"release", "protect", a.protect}, {"release", "synthesise", a.synthesise}, {"release", "choose", a.choose},
		{"release", "workbench", a.workbench},
		{"release", "sweep", a.sweep}, {"release", "tabulate", a.tabulate},
		{
			"study",
			"evaluate",
			a.evaluate,
		}, {"study", "attack", a.attack}, {"study", "verify", a.verify}, {"study", "compare", a.compare},
		{"study", "mine", mine}, {"study", "reconstruct", a.reconstruct}, {"study", "noise-model", a.noiseModel},
		{"study", "generate", a.generate}, {"study", "budget", a.budget}, {"study", "joint", joined},
		lookUp(
			desk.Methods,
		), lookUp(desk.Measures), lookUp(desk.Miners), lookUp(desk.Generators), {"catalogue", "schema", a.schema},
		{"catalogue", "policy-schema", a.policySchema}, {"catalogue", "man", a.man},
	}, args)
}

// root is the command line for these arguments.
func (a *app) root(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:           "dither",
		Short:         "noise that keeps the pattern: release a table about people that is still worth mining",
		Long:          rootLong,
		Version:       buildVersion(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usageError{meant(c, err)} })
	root.AddGroup(&cobra.Group{ID: "release", Title: "Make a release:"},
		&cobra.Group{ID: "study", Title: "Study one:"}, &cobra.Group{ID: "catalogue", Title: "Look things up:"})
	for _, v := range a.verbs(args) {
		c := v.make()
		c.GroupID = v.group
		root.AddCommand(c)
	}
	root.PersistentFlags().BoolVar(&a.events, "events", false, "write notes, progress and errors to standard error as "+
		"lines of JSON, for programs that call dither")
	root.PersistentFlags().Lookup("events").Hidden = true // docs/json.md describes it
	root.SetGlobalNormalizationFunc(currentFlag)
	root.SetCompletionCommandGroupID("catalogue")
	helpStyle(root)
	usageArgs(root)
	complete(root)
	return root
}

// usageArgs makes every complaint about arguments a usage error.
func usageArgs(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				if c.HasSubCommands() && len(args) > 0 {
					return usageError{unknownVerb(c, args[0])}
				}
				return usageError{fmt.Errorf("%s: %w; %q shows how", c.Name(), err, c.CommandPath()+" --help")}
			}
			return nil
		}
	}
	for _, k := range c.Commands() {
		usageArgs(k)
	}
}

// meant adds to a complaint about a flag that a command does not have the one that it may be meant to be.
func meant(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	if near := spelling.Nearest(unknown.GetSpecifiedName(), known); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return fmt.Errorf("%w; %q lists them", err, c.CommandPath()+" --help")
}

func unknownVerb(c *cobra.Command, verb string) error {
	msg := fmt.Sprintf("unknown command %q", verb)
	if near := c.SuggestionsFor(verb); len(near) > 0 {
		msg += "; did you mean " + strings.Join(near, " or ") + "?"
	} else {
		msg += fmt.Sprintf("; %q lists them", c.CommandPath()+" --help")
	}
	return errors.New(msg)
}
