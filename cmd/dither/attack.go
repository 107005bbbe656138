package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
)

type attackFlags struct {
	evaluateFlags
	riskiest int
}

func (a *app) attack() *cobra.Command {
	f := &attackFlags{}
	c := &cobra.Command{
		Use:   "attack ORIGINAL RELEASED",
		Short: "play the intruder: who can be picked out of a release, and what can be learned",
		Long: `attack takes every measure of risk and says in sentences what each intruder can do with the release: pick a person out of it, link its
records with others, learn a secret value. It lists the records at the highest risk by their row number in the original, never by
their values.

An intruder is declared in a policy (section intruders) or on the command line: what is known of the target, how exactly, what is
secret, whether the target is known to be in the file, and whether the technique is known. With --plan the intruder who knows
the technique knows the law of its noise, as Islam (2007) assumes; without it, distances stand in for likelihoods.`,
		Example: `  dither attack patients.csv release.csv --class diagnosis --plan release.plan
  dither attack patients.csv release.csv --class diagnosis --knows age~2,sex,ward --secret diagnosis
  dither attack patients.csv release.csv --policy patients.yaml --intruder neighbours.yaml --json`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error { return a.runAttack(c.Context(), args[0], args[1], f) },
	}
	f.evaluateFlags.flags(c)
	c.Flags().Lookup("public").Hidden = true // it is refused
	c.Flags().Lookup("measure").Usage = "take this measure; may be repeated (default: all measures of risk)"
	c.Flags().IntVar(&f.riskiest, "riskiest", 10, "how many of the records at the highest risk to list for each intruder")
	return c
}

func (a *app) runAttack(ctx context.Context, original, released string, f *attackFlags) error {
	switch {
	case f.riskiest < 0:
		return usageError{fmt.Errorf("--riskiest %d: expected at least 0", f.riskiest)}
	case f.public:
		return usageError{errors.New("what an intruder can do with a release is confidential, so no report of it is public; leave out --public")}
	}
	if f.measures == nil {
		for _, m := range catalog.Measures() {
			if m.Side == measure.Risk {
				f.measures = append(f.measures, m.Name)
			}
		}
	}
	o, l, err := a.measured(ctx, original, released, &f.evaluateFlags)
	if err != nil {
		return err
	}
	attacks := study.Attacks(o, f.riskiest)
	if f.json {
		err = printJSON(a.out, attackDoc(o, attacks))
	} else if err = report.AttackText(a.out, o, attacks); err == nil && f.report != "" {
		say(a.out, "\nreport       %s  (confidential: keep it apart from the release)", f.report)
	}
	if err != nil {
		return err
	}
	return gate(l.policy, o.Measures, false, "the release breaks the policy")
}

func attackDoc(o *study.Outcome, attacks []study.Attack) any {
	return struct {
		Schema   string         `json:"schema"`
		Version  string         `json:"version"`
		Original study.File     `json:"original"`
		Released study.File     `json:"released"`
		Holdout  *study.File    `json:"holdout,omitempty"`
		Attacks  []study.Attack `json:"attacks"`
		Measures []measureDoc   `json:"measures"`
	}{"dither/attack/1", o.Version, o.OriginalFile, o.ReleasedFile, o.HoldoutFile, attacks, measureDocs(o.Measures)}
}
