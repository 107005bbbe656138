package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) man() *cobra.Command {
	dir, replace := "", false
	c := &cobra.Command{
		Use:   "man -o FOLDER",
		Short: "write the manual pages",
		Long: `man writes a manual page for every command into a new folder, with the text of --help. "man
./man1/dither-protect.1" shows one. Pages carry the current date, or that of the environment
variable SOURCE_DATE_EPOCH.`,
		Example: "  dither man -o man1",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if dir == "" {
				return wrong("man: name a new folder with -o FOLDER")
			}
			day, err := pageDay()
			if err != nil {
				return err
			}
			if err := os.Mkdir(dir, 0o755); errors.Is(err, fs.ErrExist) && !replace {
				return wrong("%s exists; --force replaces the pages in it", dir)
			} else if err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
			root := a.root(nil)
			root.InitDefaultCompletionCmd()
			n, err := writePages(root, dir, day)
			if err != nil {
				return err
			}
			say(a.out, "%s: %s manual pages", dir, strconv.Itoa(n))
			return nil
		},
	}
	c.Flags().StringVarP(&dir, "output", "o", "", "the `folder` to write")
	c.Flags().BoolVar(&replace, "force", false, "replace pages in a folder that exists")
	return c
}

// pageDay is the day that the pages are of.
func pageDay() (time.Time, error) {
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		return time.Now(), nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is not a number of seconds: %q", epoch)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// writePages writes the page of a command and of all below it, and returns how many these are.
func writePages(c *cobra.Command, dir string, day time.Time) (n int, err error) {
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			continue
		}
		more, err := writePages(sub, dir, day)
		if err != nil {
			return 0, err
		}
		n += more
	}
	return n + 1, os.WriteFile(filepath.Join(dir, pageName(c)+".1"), []byte(manPage(c, day)), 0o644)
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage is the page of a command in the macros of man(7).
func manPage(c *cobra.Command, day time.Time) string {
	c.InitDefaultHelpCmd()
	c.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".nh\n.TH \"%s\" \"1\" \"%s\" \"%s\" \"dither\"\n", strings.ToUpper(pageName(c)),
		day.Format("Jan 2006"), roff("dither "+buildVersion()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(pageName(c)), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n\\fB%s\\fP\n", roff(c.UseLine()))
	long := c.Long
	if long == "" {
		long = c.Short
	}
	b.WriteString(".SH DESCRIPTION\n")
	for k, part := range strings.Split(strings.Trim(long, "\n"), "\n\n") {
		if k > 0 {
			b.WriteString(".PP\n")
		}
		paragraph(&b, part)
	}
	options(&b, "OPTIONS", c.NonInheritedFlags())
	options(&b, "OPTIONS OF ALL COMMANDS", c.InheritedFlags())
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n")
		asItStands(&b, c.Example)
	}
	var others []string
	if c.HasParent() {
		others = append(others, pageName(c.Parent()))
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			others = append(others, pageName(sub))
		}
	}
	fmt.Fprintf(&b, ".SH SEE ALSO\n\\fB%s\\fP(1)\n", strings.Join(roffs(others), "\\fP(1), \\fB"))
	return b.String()
}

// paragraph writes a paragraph, one with indented lines as it stands.
func paragraph(b *strings.Builder, text string) {
	if strings.HasPrefix(text, " ") || strings.HasPrefix(text, "\t") || strings.Contains(text, "\n ") ||
		strings.Contains(text, "\n\t") {
		asItStands(b, text)
		return
	}
	b.WriteString(strings.Join(roffs(strings.Split(text, "\n")), "\n") + "\n")
}

// asItStands writes lines that keep their ends.
func asItStands(b *strings.Builder, text string) {
	b.WriteString(".EX\n" + strings.Join(roffs(strings.Split(text, "\n")), "\n") + "\n.EE\n")
}

// options writes a section of flags, as --help tells them.
func options(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	b.WriteString(".SH " + title + "\n")
	groups := grouped(flags)
	for _, g := range groups {
		if len(groups) > 1 {
			b.WriteString(".SS " + roff(g.title) + "\n")
		}
		for _, name := range g.names {
			option(b, flags.Lookup(name))
		}
	}
}

// option writes a flag.
func option(b *strings.Builder, f *pflag.Flag) {
	name, usage := pflag.UnquoteUsage(f)
	b.WriteString(".TP\n")
	if f.Shorthand != "" {
		fmt.Fprintf(b, "\\fB%s\\fP, ", roff("-"+f.Shorthand))
	}
	fmt.Fprintf(b, "\\fB%s\\fP", roff("--"+f.Name))
	if name != "" {
		fmt.Fprintf(b, " \\fI%s\\fP", roff(name))
	}
	switch f.DefValue {
	case "", "0", "false", "[]":
	default:
		usage += " (default " + f.DefValue + ")"
	}
	b.WriteString("\n" + roff(usage) + "\n")
}

// roff writes a line of text so that no macro and no escape is read from it, with hyphens that can be copied into a
// shell.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}

// roffs is roff of every line.
func roffs(lines []string) []string {
	out := make([]string, len(lines))
	for k, l := range lines {
		out[k] = roff(l)
	}
	return out
}
