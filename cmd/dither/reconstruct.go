package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/report"
)

type reconstructFlags struct {
	said
	desk.ReconstructRequest
	set  []string
	json bool
}

func (a *app) reconstruct() *cobra.Command {
	f := &reconstructFlags{}
	c := &cobra.Command{
		Use:   "reconstruct RELEASE --noise-model FILE",
		Short: "estimate the original distributions from a release and its noise model",
		Long: `reconstruct takes a release that was randomised with a published noise model (protect
--noise-model-out) and estimates the distribution of every attribute of the original, with standard
errors: distributions, not records. For numbers it uses expectation maximisation (em), for
categories the inverse of their transition matrix (inversion); --method bayes is the iteration of
Agrawal & Srikant. A band is two standard errors wide on either side; a wide band means that the
noise leaves the original uncertain. With --original the custodian sees the truth next to it; that
output is as confidential as the original.`,
		Example: `  dither reconstruct release.csv --noise-model noise.json
  dither reconstruct release.csv --noise-model noise.json --original patients.csv --report page.html
  dither reconstruct release.csv --noise-model noise.json --method bayes --set intervals=50 --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runReconstruct(c.Context(), args[0], f) },
	}
	f.declare(c)
	fl := c.Flags()
	fl.StringVar(&f.Law, "noise-model", "", "the noise model of the release: a `file` written by protect "+
		"--noise-model-out")
	fl.StringVar(&f.ReconstructRequest.Plan, "plan", "", "take the noise model from this plan `file` instead, for the "+
		"custodian")
	fl.StringVar(&f.Original, "original", "", "show the true distributions of this `file`, for the custodian")
	fl.StringVar(&f.Method, "method", "", "em, bayes or inversion (default: em for numbers, inversion for categories)")
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter of the reconstruction: `name=value`, such as intervals=50, "+
		"rounds=2000 or stop=optimum; may be repeated")
	fl.StringVar(&f.Report, "report", "", "write charts of the distributions to this HTML `file`")
	fl.BoolVar(&f.json, "json", false, "print one JSON document")
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite a report that exists")
	c.MarkFlagsMutuallyExclusive("noise-model", "plan")
	return c
}

func (a *app) runReconstruct(ctx context.Context, path string, f *reconstructFlags) (err error) {
	q := f.ReconstructRequest
	if q.Source, err = f.source(path); err != nil {
		return err
	}
	if q.Set, err = sets(f.set); err != nil {
		return err
	}
	r, err := a.desk().Reconstruct(ctx, q)
	if err != nil {
		return err
	}
	if f.json {
		return desk.WriteJSON(a.out, r)
	}
	fmt.Fprintf(a.out, "%s: %s records, released by %s\n", report.Printable(r.Release), thousands(r.Records),
		report.Printable(r.Method))
	if err := report.ReconstructedText(a.out, r.Columns); err != nil {
		return err
	}
	for _, name := range r.Left {
		fmt.Fprintf(a.out, "\n%s: it has no distribution that this reconstruction takes\n", report.Printable(name))
	}
	if q.Report != "" {
		say(a.out, "wrote the page %s", q.Report)
	}
	return nil
}

func (a *app) noiseModel() *cobra.Command {
	var method string
	c := &cobra.Command{
		Use:   "noise-model [FILE]",
		Short: "show a published noise model and what it guarantees for any release",
		Long: `noise-model reads the noise model written by protect --noise-model-out, prints it with its
parameters, and says what it guarantees for every attribute: the width of the interval in which the
original of a released number may lie (Agrawal & Srikant 2000), the entropy privacy of the noise
(Agrawal & Aggarwal 2001), and gamma, the factor by which a released value can change the odds of
two originals, with the resulting bounds on what an intruder believes (Evfimievski, Gehrke & Srikant
2003). It needs no release.

Without FILE it says which techniques have a noise model to publish, and why the others have none;
--method asks that of one.`,
		Example: `  dither noise-model noise.json
  dither noise-model --method mask`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return a.desk().NoiseModelsText(a.out, method)
			case method != "":
				return wrong("noise-model: FILE names its technique; leave out --method")
			}
			return a.desk().NoiseModelText(a.out, args[0])
		},
	}
	c.Flags().StringVar(&method, "method", "", "say whether this `technique` has a noise model to publish")
	return c
}
