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
		Use:   "reconstruct RELEASE --law LAW",
		Short: "estimate what the original of a release looked like, by the law it was randomised with",
		Long: `reconstruct takes a release whose values were randomised by a published law (protect --law-out) and estimates the distribution of every attribute
of the original, each with its error: distributions, not records. Numbers take expectation and maximisation (em), categories the inverse of their transitions
(inversion); --method bayes is the iteration of Agrawal & Srikant. A band is two standard errors, and wide where the noise leaves open what there was. With --original the
custodian sees the truth beside it; what is printed is then as confidential as the original.`,
		Example: `  dither reconstruct release.csv --law law.json
  dither reconstruct release.csv --law law.json --original patients.csv --report shapes.html
  dither reconstruct release.csv --law law.json --method bayes --set intervals=50 --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runReconstruct(c.Context(), args[0], f) },
	}
	f.declare(c)
	fl := c.Flags()
	fl.StringVar(&f.Law, "law", "", "the law of the release: a `file` that protect --law-out wrote")
	fl.StringVar(&f.ReconstructRequest.Plan, "plan", "", "take the law from this plan `file` instead, for the custodian")
	fl.StringVar(&f.Original, "original", "", "show the truth from this `file`, for the custodian")
	fl.StringVar(&f.Method, "method", "", "em, bayes or inversion (default: em for numbers, inversion for categories)")
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter of the reconstruction: `name=value`, such as intervals=50, rounds=2000 or stop=optimum; may be repeated")
	fl.StringVar(&f.Report, "report", "", "draw the distributions on a page: an HTML `file`")
	fl.BoolVar(&f.json, "json", false, "print one JSON document")
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite a page that exists")
	c.MarkFlagsMutuallyExclusive("law", "plan")
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
	fmt.Fprintf(a.out, "%s: %s records, released by %s\n", report.Printable(r.Release), thousands(r.Records), report.Printable(r.Method))
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

func (a *app) law() *cobra.Command {
	return &cobra.Command{
		Use:   "law LAW",
		Short: "what a published law promises: how private a value is, whatever the release",
		Long: `law reads what protect --law-out wrote and says what it promises of every attribute: the width of the interval that a released number leaves for the original
(Agrawal & Srikant 2000), the entropy privacy of its noise (Agrawal & Aggarwal 2001), and by how much a released value can change the odds of two originals, gamma, with the
bounds that follow for what an intruder believes (Evfimievski, Gehrke & Srikant 2003). It needs no release.`,
		Example: "  dither law law.json",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.desk().LawText(a.out, args[0]) },
	}
}
