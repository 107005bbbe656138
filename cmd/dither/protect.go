package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/text/bytesize"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
)

type protectFlags struct {
	said
	desk.ProtectRequest
	shuffle bool
	json    bool
	verbose bool
	memory  bytesize.Size
}

func (a *app) protect() *cobra.Command {
	f := &protectFlags{}
	c := &cobra.Command{
		Use:   "protect IN -o OUT",
		Short: "perturb a table and write the release",
		Long: `protect perturbs IN and writes the release. The default technique, segment synthesis, draws
every column anew inside the leaves of a decision tree, keeps every record in its leaf (and counts
them), and preserves distributions and relations among two and three columns. Identifiers are
dropped, and records are written in random order. --plan-out records which original row each
released row came from; evaluate and attack need it to measure single records. --keep-order is for
tables whose order matters, such as time series; anyone who knows the order of the original can then
identify each record.

IN is a file, or - for standard input, in one of these formats:
` + format.Titles("or") + `.
With -o - the release goes to standard output, as text or as --format says, and all messages to
standard error; with --json the document alone.`,
		Example: `  dither protect patients.csv --class diagnosis -o release.csv
  dither protect patients.csv --policy patients.yaml -o release.csv --report report.html
  dither protect adult.csv --class income --method framework --set spread=20 -o adult.parquet
  dither protect adult.csv --class income --method gadp --within tree -o adult.csv
  dither protect census.csv --class income --method framework --memory 2GiB -o release.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runProtect(c.Context(), args[0], f) },
	}
	f.declare(c)
	a.formatFlag(c)
	return c
}

func (f *protectFlags) declare(c *cobra.Command) {
	f.said.declare(c)
	f.limitFlags(c)
	f.hierarchyFlag(c)
	f.sensitiveFlag(c)
	f.modelFlag(c)
	f.releaseFlags(c)
	fl := c.Flags()
	fl.StringVarP(&f.Release, "output", "o", "", "the release: a "+format.Extensions()+" `file`, or - for standard output")
	fl.StringVar(&f.Policy.Method.Name, "method", "",
		"the technique (default "+desk.DefaultMethod+"); \"dither methods\" lists them")
	fl.StringVar(&f.within, "within", "", "apply the technique within `segments`: tree (its leaves), forest "+
		"(intersections of leaves), or the values of these columns, comma-separated")
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter of the technique: `name=value`, or of a measure: "+
		"measure.name=value; may be repeated")
	fl.StringVar(&f.SeedFile, "seed-file", "", "read the secret seed from this `file`, or write a new one there; with "+
		"the plan it undoes the noise, so store it separately")
	f.seedFlag(c)
	fl.StringVar(&f.Plan, "plan", "", "apply the plan in this `file` instead of fitting the technique")
	fl.StringVar(&f.PlanOut, "plan-out", "", "write the fitted plan, and which released row came from which original "+
		"row, to this `file`; confidential")
	fl.StringVar(&f.NoiseModelOut, "noise-model-out", "", "write the noise model (public) to this `file`, so that "+
		"recipients can estimate the original distributions (mine itemsets --noise-model)")
	fl.StringVar(&f.SensitiveOut, "sensitive-table-out", "", "release two tables (anatomy): OUT has the number of each "+
		"record's group in place of the sensitive column, and this `file` has the column's values by group, counted")
	fl.StringVar(&f.Report, "report", "", "write a report to this HTML `file`")
	recordFlags(c, &f.Record, &f.SignKey)
	fl.BoolVar(&f.said.Public, "public", false, "make the report publishable: no original values, and no parameters or "+
		"corrections that help an intruder")
	fl.BoolVar(&f.said.Recur, "recur", false, "the same people are in other releases: with the same seed and plan, an "+
		"unchanged value is released identically every time, so that several releases reveal no more than one")
	fl.BoolVar(&f.shuffle, "shuffle", false, "")
	fl.Lookup("shuffle").Hidden = true // it was asked for once
	c.MarkFlagsMutuallyExclusive("keep-order", "shuffle")
	spendingFlags(c, &f.Spending)
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite outputs that exist")
	fl.BoolVar(&f.json, "json", false, "print one JSON document")
	verboseFlag(c, &f.verbose)
	memoryFlag(c, &f.memory)
}

// request is what the flags ask for.
func (f *protectFlags) request(in string) (q desk.ProtectRequest, err error) {
	q = f.ProtectRequest
	switch {
	case q.Release == "":
		return q, wrong("protect: name the release with -o FILE")
	case f.said.Public && q.Report == "":
		return q, wrong("protect: --public is about the report; name one with --report FILE")
	case q.Plan != "" && (f.said.Method.Name != "" || f.within != "" ||
		slices.ContainsFunc(f.set, func(s string) bool { return !strings.Contains(s, ".") })):
		return q, wrong("protect: the plan sets the technique and its parameters; leave out --method, --within and --set")
	}
	q.Source, err = f.released(in)
	q.Memory = int64(f.memory)
	return q, err
}

func (a *app) runProtect(ctx context.Context, in string, f *protectFlags) error {
	q, err := f.request(in)
	if err != nil {
		return err
	}
	if f.shuffle {
		a.note(desk.Note{Says: message.Say("told.shuffle")})
	}
	a.aside(q.Release, f.json)
	allow(f.memory)
	a.hold(f.json)
	p, broken := a.desk().Protect(ctx, q)
	if p == nil {
		return broken
	}
	defer p.Close()
	if f.json {
		return a.documented(p.Document(), broken)
	}
	s := a.screen(f.verbose, protectedFiles(p, q.SeedFile)...)
	if !p.Measured {
		s.After++
	}
	if err := report.Text(a.out, p.Outcome, s); err != nil {
		return err
	}
	if !p.Measured {
		say(a.out, "--report measures what became of rules, accuracy and correlations, too.")
	}
	a.verdict(p.Outcome, s)
	return verdict(nil, broken)
}

// verdict says, at the end of every text, what became of the release, and what to do next.
func (a *app) verdict(o *study.Outcome, s report.Screen) {
	say(a.out, "%s", o.Verdict.Line())
	for _, line := range s.Next(o) {
		say(a.out, "%s", line)
	}
	if c, ok := a.out.(*checkedWriter); ok {
		a.judged = terminal(c.w)
	}
}

// protectedFiles says where everything is.
func protectedFiles(p *desk.Protection, seed string) (out []report.Made) {
	made := p.Files
	for _, m := range []report.Made{{What: "release", Path: desk.OutputName(made.Release)},
		{What: "second table", Path: made.Sensitive},
		{What: "report", Path: made.Report, Confidential: !p.Public},
		{What: "noise model", Path: made.Law}, {What: "record", Path: made.Record},
		{What: "plan", Path: made.Plan, Confidential: true}, {What: "seed", Path: seed, Confidential: true}} {
		if m.Path != "" {
			out = append(out, m)
		}
	}
	return out
}

// verdict is the error of printing, that of the limits, or both.
func verdict(printing, broken error) error {
	switch {
	case broken == nil:
		return printing
	case printing == nil:
		return broken
	}
	return lost{printing, broken}
}

// documented prints a document of a release. Where it stands alone on standard error, it says what is wrong, too.
func (a *app) documented(doc any, broken error) error {
	if a.silent && a.events {
		a.tell(event{Event: "document"})
	}
	err := desk.WriteJSON(a.out, doc)
	a.told = a.silent && err == nil
	return verdict(err, broken)
}

// lost is a release that does not keep its limits, of which the text could not be printed.
type lost struct{ printing, broken error }

// Error is what is wrong with the release.
func (l lost) Error() string { return l.broken.Error() }

// Unwrap returns both errors.
func (l lost) Unwrap() []error { return []error{l.printing, l.broken} }
