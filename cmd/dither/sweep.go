package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/study"
)

type sweepFlags struct {
	desk.SweepRequest
	json bool
}

func (a *app) sweep() *cobra.Command {
	f := &sweepFlags{}
	c := &cobra.Command{
		Use:   "sweep IN --sensitive FILE -o OUT",
		Short: "hide patterns in transactions larger than memory, in one pass",
		Long: `sweep copies a transaction file (FIMI: numbers separated by spaces) and deletes items until the
sensitive itemsets and rules are hidden, with the sliding window algorithm (Oliveira & Zaiane
2003). The release is that of "dither protect --method swa --keep-order", but only a few windows
are in memory. Nothing is judged: hiding patterns does not hide people. To measure whether people
can be identified, run evaluate on a part that fits into memory. IN is a file, or - for standard
input.`,
		Example: `  dither sweep baskets.dat --sensitive patterns.txt -o release.dat
  dither sweep - --sensitive patterns.txt --psi 0.1 -o release.dat < baskets.dat`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f.Path = args[0]
			return a.runSweep(c.Context(), f)
		},
	}
	fl := c.Flags()
	fl.StringVarP(&f.Output, "output", "o", "", "the release: a .dat or .fimi `file`")
	fl.StringVar(&f.Sensitive, "sensitive", "", "patterns to hide: a `file` with one per line, itemsets (3,17) or rules "+
		"(3,17=>29), optionally with their own threshold (3,17 @ 0.2)")
	fl.Float64Var(&f.Disclosure, "psi", 0, "disclosure threshold: the `share` of the transactions in a window with a "+
		"pattern that may keep it")
	fl.IntVar(&f.Window, "window", 40_000, "window size in `transactions`")
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite an output that exists")
	fl.BoolVar(&f.json, "json", false, "print one JSON document")
	return c
}

func (a *app) runSweep(ctx context.Context, f *sweepFlags) error {
	switch {
	case f.Output == "":
		return wrong("sweep: name the release with -o FILE")
	case f.Sensitive == "":
		return wrong("sweep: name the file of patterns to hide with --sensitive FILE")
	}
	s, err := a.desk().Sweep(ctx, f.SweepRequest)
	if err != nil {
		return err
	}
	if f.json {
		return desk.WriteJSON(a.out, s)
	}
	patterns, now := "patterns", "none has"
	if s.Patterns == 1 {
		patterns = "pattern"
	}
	if s.After > 0 {
		now = "up to " + thousands(s.After) + " have"
	}
	say(a.out, "%s: %s transactions by the sliding window algorithm (SWA)", study.Unjudged.Word(),
		thousands(s.Transactions))
	say(a.out, "%s sensitive %s: the commonest was in %s transactions; %s one of them now", thousands(s.Patterns),
		patterns, thousands(s.Before), now)
	say(a.out, "deleted: %s items of %s transactions", thousands(s.Deleted), thousands(s.Changed))
	say(a.out, "Whether people can be found was not asked: patterns are hidden, people are not. Ask it of a part that "+
		"fits into memory (dither evaluate).")
	say(a.out, "release      %s", s.Release)
	return nil
}
