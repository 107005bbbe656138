package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/build"
)

// app is the command line with its streams.
type app struct {
	in       io.Reader
	out, err io.Writer
	raw      io.Writer // standard output, for what -o - writes
	beats    beats     // of the log that standard error may be
}

// desk serves the requests; what it tells goes to standard error.
func (a *app) desk() *desk.Desk {
	return &desk.Desk{Version: build.Version(), In: a.in, Out: a.raw, Note: a.note, Begin: a.progress}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "dither",
		Short:         "noise that keeps the pattern: release a table about people that is still worth mining",
		Long:          rootLong,
		Version:       build.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddGroup(&cobra.Group{ID: "release", Title: "Make a release:"},
		&cobra.Group{ID: "study", Title: "Study one:"}, &cobra.Group{ID: "catalogue", Title: "Look things up:"})
	add := func(group string, cs ...*cobra.Command) {
		for _, c := range cs {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	add("release", a.demo(), a.inspect(), a.hierarchy(), a.protect(), a.sweep())
	add("study", a.evaluate(), a.attack(), a.compare(), a.mine(), a.generate())
	add("catalogue", a.lookUp(desk.Methods), a.lookUp(desk.Measures), a.lookUp(desk.Miners), a.lookUp(desk.Generators), a.policySchema())
	root.SetCompletionCommandGroupID("catalogue")
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

func unknownVerb(c *cobra.Command, verb string) error {
	msg := fmt.Sprintf("unknown command %q", verb)
	if near := c.SuggestionsFor(verb); len(near) > 0 {
		msg += "; did you mean " + strings.Join(near, " or ") + "?"
	} else {
		msg += fmt.Sprintf("; %q lists them", c.CommandPath()+" --help")
	}
	return errors.New(msg)
}
