package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
)

type chooseFlags struct {
	said
	desk.ChooseRequest
	json    bool
	verbose bool
}

func (a *app) choose() *cobra.Command {
	f := &chooseFlags{}
	c := &cobra.Command{
		Use:   "choose IN -o OUT",
		Short: "find the technique that loses least under the limits, and make the release with it",
		Long: `choose tries techniques and compositions of techniques on IN. Candidates that cannot meet the
limits are out; for the others it searches the least noise that meets them, by the upper bound of
what intruders find. The candidate that loses least is released again, with fresh randomness and
fresh attacks: only that result is judged and written. If it breaks a limit, the next best is
confirmed.

Techniques that draw new records (see synthesise) are candidates like others. Nobody can be found
among records that stand for nobody, so they must meet the same limits by what they tell of people
beyond others, who are kept out of the fit for that. Where a purpose cannot be measured without
knowing which record is whose, they are out, and --verbose says so. Those under differential
privacy need declared domains; their epsilon does not count what the choice itself tells.

--for says what must not be lost: everything, models, statistics, hiding, or weights for accuracy,
rules, associations, correlations, means, spreads, distributions, margins and detail. --limits says
what must be met. Both have defaults, which are printed.

With --iqm FILE, an information quality model, --for is iqm: the deficits of the purposes in
consistency, accuracy and completeness, weighted as iqm-consistency, iqm-accuracy and
iqm-completeness. There a value is either unchanged or not, so changing a few values a lot is
better than changing all values a little.

Limits may also apply to performance, measured here on the whole table: --at-most seconds=10 to
fit and apply the technique, growth=1.2, the exponent with which this grows in the number of
records, and memory=500, in MB. In a limits file or a policy: {measure: seconds, max: 10}. A
candidate that breaks one at the worse end of its interval is out, and --verbose says which and by
how much. The choice then depends on the machine.

With --trials-on generated no trial touches a record: trials use a synthetic table of the same
size, drawn from distributions fitted to IN, and only the release that confirms the choice is of
IN. What these distributions do not preserve, such as who is unique, may change the choice.

With --sensitive FILE the candidates are the techniques that hide the patterns in that file, alone
and after one that protects people; --set support=0.1 is the support above which a pattern counts
as frequent. --set fixes a parameter of all candidates that have it. The stages of a policy are a
candidate, with what they set, and all candidates hide by their thresholds.

With --resume FILE every trial is saved in that file; after a crash or Ctrl-C the same command
continues from there and makes the same choice. The seed is then saved in FILE.seed, unless
--seed-file names another file.`,
		Example: `  dither choose patients.csv --class readmitted -o release.csv
  dither choose patients.csv --policy patients.yaml --for accuracy=3,rules=1 -o release.csv
  dither choose patients.csv --class readmitted --iqm purposes.yaml -o release.csv
  dither choose patients.csv --class readmitted --at-most seconds=10 -o release.csv
  dither choose votes.csv --sensitive rules.txt --limits hiding.yaml -o release.csv
  dither choose adult.csv --class income --method framework,mdav+pram --budget 10m -o release.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runChoose(c.Context(), args[0], f) },
	}
	f.declare(c)
	a.formatFlag(c)
	return c
}

func (f *chooseFlags) declare(c *cobra.Command) {
	f.said.declare(c)
	f.limitFlags(c)
	f.hierarchyFlag(c)
	f.sensitiveFlag(c)
	f.modelFlag(c)
	f.releaseFlags(c)
	fl := c.Flags()
	fl.StringVarP(&f.Release, "output", "o", "", "the release: a `file`, or - for standard output")
	fl.StringSliceVar(&f.Methods, "method", nil, "choose among these `techniques`, comma-separated; A+B applies B after "+
		"A (default: all that apply)")
	fl.StringVar(&f.For, "for", "", "what must not be lost: a `purpose` (everything, models, statistics, hiding, iqm), "+
		"or weights such as accuracy=3,rules=1")
	fl.StringArrayVar(&f.set, "set", nil, "fix a parameter of all candidates that have it: `name=value`, such as "+
		"support=0.1; may be repeated")
	fl.StringArrayVar(&f.said.AtMost, "at-most", nil, "add or replace a limit: `name=number`, where name is seconds, "+
		"growth, memory (MB) or a measure, such as hidingfailure; may be repeated")
	fl.DurationVar(&f.Budget, "budget", 0, "start no further candidate after this time, such as 10m; the choice then "+
		"depends on the machine")
	fl.StringVar(&f.On, "trials-on", desk.Sample, "data for trials: `sample` (records of the table) or generated (a "+
		"synthetic table drawn from distributions fitted to it)")
	fl.StringVar(&f.Resume, "resume", "", "save trials in this `file` and continue from those in it")
	fl.StringVar(&f.SeedFile, "seed-file", "", "read the secret seed from this `file`, or write a new one there; with "+
		"the plan it undoes the noise, so store it separately")
	f.seedFlag(c)
	fl.StringVar(&f.PlanOut, "plan-out", "", "write the fitted plan, and which released row came from which original "+
		"row, to this `file`; confidential")
	recordFlags(c, &f.Record, &f.SignKey)
	fl.StringVar(&f.Report, "report", "", "write a report on the release and the choice to this HTML `file`; confidential")
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite outputs that exist")
	fl.BoolVar(&f.json, "json", false, "print one JSON document")
	verboseFlag(c, &f.verbose)
}

// request is what the flags ask for.
func (f *chooseFlags) request(in string) (q desk.ChooseRequest, err error) {
	q = f.ChooseRequest
	switch {
	case q.Release == "":
		return q, wrong("choose: name the release with -o FILE")
	case q.Budget < 0:
		return q, wrong("choose: --budget %s: expected a time above 0, such as 10m", q.Budget)
	}
	if q.Fixed, err = sets(f.set); err != nil {
		return q, err
	}
	q.Source, err = f.source(in)
	return q, err
}

func (a *app) runChoose(ctx context.Context, in string, f *chooseFlags) error {
	q, err := f.request(in)
	if err != nil {
		return err
	}
	a.aside(q.Release, f.json)
	c, broken := a.desk().Choose(ctx, q)
	if c == nil {
		return broken
	}
	if f.json {
		return a.documented(c.Document(), broken)
	}
	var made []report.Made
	var o *study.Outcome
	if c.Protection != nil {
		o, made = c.Outcome, protectedFiles(c.Protection, q.SeedFile)
	}
	s := a.screen(f.verbose, made...)
	if err := report.ChoiceText(a.out, c.Told(), o, s); err != nil {
		return err
	}
	if o == nil {
		say(a.out, "%s", report.NothingChosen())
	} else {
		a.verdict(o, s)
	}
	return verdict(nil, broken)
}
