package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/report"
)

func (a *app) attack() *cobra.Command {
	f := &evaluateFlags{}
	riskiest := 0
	c := &cobra.Command{
		Use:   "attack ORIGINAL RELEASED",
		Short: "simulate intruders: who can be identified in a release, and what can be learned",
		Long: `attack takes every measure of risk and says in plain sentences what each intruder can do with the
release: identify people, link their records, learn a secret value. It lists the records at
highest risk by their row number in the original, never by their values.

Declare intruders in a policy (section intruders) or on the command line: what they know about the
target, how precisely, what is secret, whether they know that the target is in the file, and
whether they know the technique. With --plan, intruders who know the technique also know the noise
model, as Islam (2007) assumes; without it, distances replace likelihoods.`,
		Example: `  dither attack patients.csv release.csv --class diagnosis --plan plan.json
  dither attack patients.csv release.csv --class diagnosis --knows age~2,sex,ward --secret diagnosis
  dither attack patients.csv release.csv --policy patients.yaml --intruder neighbours.yaml --json`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error { return a.runAttack(c.Context(), args, f, riskiest) },
	}
	f.declare(c)
	c.Flags().Lookup("public").Hidden = true // it is refused
	c.Flags().Lookup("measure").Usage = "take these `measures`, comma-separated; may be repeated (default: all measures " +
		"of risk)"
	c.Flags().IntVar(&riskiest, "riskiest", 10, "how many of the records at highest risk to list for each intruder")
	return c
}

func (a *app) runAttack(ctx context.Context, args []string, f *evaluateFlags, riskiest int) error {
	q, err := f.request(args)
	if err != nil {
		return err
	}
	a.hold(f.json)
	r, broken := a.desk().Attack(ctx, desk.AttackRequest{EvaluateRequest: q, Riskiest: riskiest})
	if r == nil {
		return broken
	}
	if f.json {
		err = desk.WriteJSON(a.out, r.Document())
	} else {
		s := a.screen(f.verbose, reported(q, true)...)
		if err = report.AttackText(a.out, r.Outcome, r.Attacks, s); err == nil {
			a.verdict(r.Outcome, s)
		}
	}
	return verdict(err, broken)
}
