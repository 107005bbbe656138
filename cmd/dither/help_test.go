package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestFlagGroups: every flag of every verb stands in its help once, many of them in groups of at most 20, and no text
// of a flag takes more than three lines of 100 columns.
func TestFlagGroups(t *testing.T) {
	everyCommand(func(c *cobra.Command) {
		if c.HasSubCommands() {
			return
		}
		c.InitDefaultHelpFlag()
		help := flagUsages(c.LocalFlags())
		var want []string
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				want = append(want, f.Name)
			}
		})
		var got, titles []string
		lines, held := 0, 0 // of the flag, of the group
		for line := range strings.Lines(help) {
			text := strings.TrimRight(line, "\n")
			switch {
			case text == "":
			case !strings.HasPrefix(text, " "):
				titles, held, lines = append(titles, text), 0, 0
			case strings.HasPrefix(text, "      --") || strings.HasPrefix(text, "  -"):
				_, rest, _ := strings.Cut(text, "--")
				got, lines = append(got, strings.Fields(rest)[0]), 1
				held++
			default:
				lines++
			}
			if len([]rune(text)) > helpWidth || lines > 3 {
				t.Errorf("%s: line %d of %s: %s", c.CommandPath(), lines, got[len(got)-1], text)
			}
			if held > 20 {
				t.Errorf("%s: more than 20 flags under %q", c.CommandPath(), titles[len(titles)-1])
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: help has the flags %q, want %q", c.CommandPath(), got, want)
		}
		if (len(titles) > 1) != (len(want) >= manyFlags) {
			t.Errorf("%s: %d flags in the groups %q", c.CommandPath(), len(want), titles)
		}
	})
}
