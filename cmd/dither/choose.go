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
		Short: "find the technique that loses least under the limits, and release by it",
		Long: `choose tries techniques, and techniques one after another, on IN. Those that cannot keep the limits fall out; the others are searched
for the least noise that keeps them, by the upper bound of what intruders find. The one that loses least is released anew with other randomness
and judged by other attacks: only that result counts, and it is written. Where it breaks a limit, the next best is confirmed.

--for says what must not be lost: everything, models, statistics, hiding, or weights of accuracy, rules, associations, correlations, means,
spreads, distributions and detail. --limits says what must be kept. Both have defaults, which are printed. With --iqm FILE, an information
quality model, --for is iqm: what the purposes in that file lack of consistency, accuracy and completeness, to be weighed as iqm-consistency,
iqm-accuracy and iqm-completeness. There a value is as it was or not, so what changes few values by much is better than what changes all a little.

Limits may be on how a technique works, too, measured here on the whole table: --at-most seconds=10 to fit and apply it, growth=1.2, the power
of the records with which these grow, and memory=500, in MB. In a file of limits or a policy the same stand as {measure: seconds, max: 10}.
What breaks one at the worse end of its interval is out, and --verbose says which and by how much. The choice then depends on the machine.

With --trials-on generated no trial touches a record: a table of as many records is drawn from laws that are fitted to IN, and only the release
that confirms the choice is of IN. What these laws do not keep, such as who stands alone, may make another choice best.

With --sensitive FILE the techniques are those that hide the patterns in that file; --set support=0.1 says from where on a pattern can be
found. --set fixes a parameter of all candidates that have it.

With --resume FILE every trial is kept in that file; after a crash or Ctrl-C the same call goes on from there and ends with the same choice.
The seed is then kept in FILE.seed, unless --seed-file names another file.`,
		Example: `  dither choose patients.csv --class readmitted -o release.csv
  dither choose patients.csv --policy patients.yaml --for accuracy=3,rules=1,correlations=1 -o release.csv --report choice.html
  dither choose patients.csv --class readmitted --iqm purposes.yaml --for iqm-consistency=3,iqm-accuracy=1 -o release.csv
  dither choose patients.csv --class readmitted --at-most seconds=10 --at-most memory=500 --at-most growth=1.3 -o release.csv
  dither choose votes.csv --class party --sensitive rules.txt --set support=0.1 --set confidence=0.6 --limits hiding.yaml -o release.csv
  dither choose adult.csv --class income --method framework,shuffle-within+capt+rpt --budget 10m -o release.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runChoose(c.Context(), args[0], f) },
	}
	f.declare(c)
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
	fl.StringSliceVar(&f.Methods, "method", nil, "choose among these `techniques`, with commas between; A+B is one after another (default: all that apply)")
	fl.StringVar(&f.For, "for", "", "what the release must not lose: a `purpose` (everything, models, statistics, hiding, iqm), or weights such as accuracy=3,rules=1")
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter of all candidates that have it, which is then not searched: `name=value`, such as support=0.1; may be repeated")
	fl.StringArrayVar(&f.said.AtMost, "at-most", nil, "a limit besides, in place of what there was on the same: `name=number`, name seconds, growth, memory (MB) or a measure, such as hidingfailure or levelofprivacy; may be repeated")
	fl.DurationVar(&f.Budget, "budget", 0, "take up no further candidate after so long, such as 10m; the choice then depends on the machine and says so")
	fl.StringVar(&f.On, "trials-on", desk.Sample, "what trials are made on: `sample`, records of the table, or generated, a table of nobody drawn from laws fitted to it")
	fl.StringVar(&f.Resume, "resume", "", "keep trials in this `file` and go on from those it has")
	fl.StringVar(&f.SeedFile, "seed-file", "", "read the secret seed from this `file`, or write a fresh one there; with the plan it undoes the noise, so keep it apart")
	fl.StringVar(&f.PlanOut, "plan-out", "", "write the fitted plan and which record of the release is whose to this `file`; it is confidential")
	recordFlags(c, &f.Record, &f.SignKey)
	fl.StringVar(&f.Report, "report", "", "write a report on the release and on the choice to this HTML `file`; it is confidential")
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
	case q.Release == "-" && f.json:
		return q, wrong("choose: -o - and --json both write to standard output; leave out one")
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
	a.aside(q.Release)
	c, broken := a.desk().Choose(ctx, q)
	if c == nil {
		return broken
	}
	if f.json {
		return verdict(desk.WriteJSON(a.out, c.Document()), broken)
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
		say(a.out, "gate: FAIL (no candidate is shown to keep the limits)")
	} else {
		a.gate(o, s)
	}
	return verdict(nil, broken)
}
