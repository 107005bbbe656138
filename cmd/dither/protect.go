package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/hierarchy"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

type protectFlags struct {
	input
	out, method, seedFile, planIn, planOut, report string
	set, pseudonymise                              []string
	public, shuffle, force, json                   bool
}

func (a *app) protect() *cobra.Command {
	f := &protectFlags{}
	c := &cobra.Command{
		Use:   "protect IN -o OUT",
		Short: "perturb a table and write the release",
		Long: `protect perturbs IN by the chosen technique and writes the release. The default technique, the Framework, perturbs every column
and keeps every record inside its leaf of a decision tree, which is then counted. Identifiers are dropped. IN is a ` + format.Titles("or") + ` file, or - for standard input.`,
		Example: `  dither protect patients.csv --class diagnosis -o release.csv
  dither protect patients.csv --policy patients.yaml -o release.csv --report report.html
  dither protect adult.csv --class income --method framework --set spread=20 --set p=0.05 -o adult.parquet`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runProtect(c.Context(), args[0], f) },
	}
	f.input.flags(c)
	f.hierarchyFlag(c)
	fl := c.Flags()
	fl.StringVarP(&f.out, "output", "o", "", "the release: a "+format.Extensions()+" `file`")
	fl.StringVar(&f.method, "method", "", "the technique (default framework); \"dither methods\" lists them")
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter of the technique: `name=value`; may be repeated")
	fl.StringArrayVar(&f.pseudonymise, "pseudonymise", nil, "give this identifier `column` a keyed pseudonym instead of dropping it; may be repeated")
	fl.StringVar(&f.seedFile, "seed-file", "", "read the secret seed from this `file`, or write a fresh one there; with the plan it undoes the noise, so keep it apart")
	fl.StringVar(&f.planIn, "plan", "", "apply the plan in this `file` instead of fitting the technique")
	fl.StringVar(&f.planOut, "plan-out", "", "write the fitted plan to this `file`; it is confidential")
	fl.StringVar(&f.report, "report", "", "write a report to this HTML `file`")
	fl.BoolVar(&f.public, "public", false, "make the report fit to publish: no parameters or corrections that help an intruder, no original values")
	fl.BoolVar(&f.shuffle, "shuffle", false, "write the records in a random order, so that their place tells nothing")
	fl.BoolVar(&f.force, "force", false, "overwrite outputs that exist")
	fl.BoolVar(&f.json, "json", false, "print one JSON document")
	return c
}

func (f *protectFlags) check(in string) error {
	if f.out == "" {
		return usageError{fmt.Errorf("protect: name the release with -o FILE")}
	}
	if f.public && f.report == "" {
		return usageError{fmt.Errorf("protect: --public is about the report; name one with --report FILE")}
	}
	if f.planIn != "" && (f.method != "" || len(f.set) > 0) {
		return usageError{fmt.Errorf("protect: --plan brings its technique and parameters; leave out --method and --set")}
	}
	if err := distinct(f.out, f.report, f.planOut, f.seedFile); err != nil {
		return err
	}
	for _, p := range []string{f.out, f.report, f.planOut} {
		if err := free(p, f.force, in, f.policy, f.planIn, f.seedFile); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) runProtect(ctx context.Context, in string, f *protectFlags) error {
	if err := f.check(in); err != nil {
		return err
	}
	q := study.Request{Pseudonymise: f.pseudonymise, Shuffle: f.shuffle}
	if err := f.technique(&q); err != nil {
		return err
	}
	l, err := a.load(ctx, in, &f.input)
	if err != nil {
		return err
	}
	l.remarks(a)
	if err := l.learnable(); err != nil {
		return err
	}
	if err := fit(l.policy.Intruders, l.table.Attrs()); err != nil {
		return err
	}
	if err := f.fromPolicy(&q, l); err != nil {
		return err
	}
	if q.Seed, err = seed(f.seedFile); err != nil {
		return err
	}
	bar := a.progress("protecting")
	q.Table, q.Options.Progress, q.Hierarchies = l.table, bar.steps, l.hierarchies
	p, err := study.Protect(ctx, q)
	bar.finish()
	if err != nil {
		return fmt.Errorf("%s: %w", l.file.Name, err)
	}
	o := &study.Outcome{Version: version(), Method: &q.Method.Card, Params: p.Params, Commitment: rng.Commitment(q.Seed),
		OriginalFile: l.file, Changes: p.Changes, Notes: p.Notes, Shuffled: f.shuffle, Original: p.Matched, Released: p.Released}
	_, o.Generalised = p.Plan.(protect.Recoder)
	if o.Measures, err = a.judge(ctx, p, q.Hierarchies, o.Params, l.policy, f.report != "" || len(l.policy.Thresholds) > 0, q.Seed); err != nil {
		return err
	}
	if f.public {
		o.Params = nil // some invert a technique's transform
	} else {
		o.Corrections = study.Corrections(p.Plan)
	}
	o.NotProtected = study.Limits(o)
	verdict := gate(l.policy, o.Measures, true, "the release is withheld")
	if err := f.write(ctx, l, q.Method.Name, p, o, verdict == nil); err != nil {
		return err
	}
	if f.json {
		return errors.Join(verdict, printJSON(a.out, protectDoc(o, f, verdict == nil)))
	}
	if err := report.Text(a.out, o); err != nil {
		return err
	}
	if f.report == "" && len(l.policy.Thresholds) == 0 {
		say(a.out, "\nOnly the certificate was counted. --report, or dither evaluate, measures what became of rules, accuracy and correlations.")
	}
	f.files(a.out, verdict == nil)
	return verdict
}

// technique finds the technique or the plan before the table is read, so that a wrong call fails at once.
func (f *protectFlags) technique(q *study.Request) (err error) {
	if q.Set, err = sets(f.set); err != nil {
		return err
	}
	if f.planIn != "" {
		data, err := os.ReadFile(f.planIn)
		if err != nil {
			return err
		}
		pf, plan, err := protect.Decode(data, func(name string) (protect.Method, bool) {
			m, err := catalog.Method(name)
			return m, err == nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", f.planIn, err)
		}
		q.Plan = plan
		q.Method, err = catalog.Method(pf.Method)
		return err
	}
	if f.method == "" && f.policy != "" {
		return nil // the policy may name it
	}
	return chooseMethod(q, f.method)
}

func chooseMethod(q *study.Request, name string) (err error) {
	if name == "" {
		name = "framework"
	}
	if q.Method, err = catalog.Method(name); err != nil {
		return usageError{err}
	}
	if err := q.Method.New().Params().Apply(q.Set); err != nil {
		return usageError{fmt.Errorf("%s: %w", q.Method.Name, err)}
	}
	return nil
}

// fromPolicy adds what the policy says and the flags do not.
func (f *protectFlags) fromPolicy(q *study.Request, l *loaded) error {
	pol := l.policy
	if q.Plan == nil && q.Method.Name == "" {
		for k, v := range pol.Method.Settings() {
			if _, ok := q.Set[k]; !ok {
				q.Set[k] = v
			}
		}
		if err := chooseMethod(q, pol.Method.Name); err != nil {
			return err
		}
	}
	q.Keep = pol.Kept()
	q.Pseudonymise = append(q.Pseudonymise, pol.Pseudonymised()...)
	return nil
}

// reportBounds bound, by parameter, the work of a measure for a report: above them measures sample and say so. A measure that a threshold of the
// policy is on, and dither evaluate and attack, take the measure's own, larger bounds.
var reportBounds = map[string]string{"pairs": "10000000", "targets": "100", "restarts": "1"}

// large is the number of records above which a report leaves out the slow measures, each of which takes as long as protecting and all the others
// together, unless a threshold is on them.
const large = 5000

var slow = []string{"attributeinference", "classifier", "clusterquality", "conditionalprivacy", "dcr", "knowledge", "nndr", "score"}

// judge takes the certificate and, if all is set, every measure, with the tree parameters of the technique.
func (a *app) judge(ctx context.Context, p *study.Protected, h hierarchy.Set, params []param.Value, pol *policy.Policy, all bool, seed [32]byte) ([]study.Measured, error) {
	r, err := p.Release(h)
	if err != nil {
		return nil, err
	}
	var specs []study.Spec
	var left []study.Measured
	for _, m := range catalog.Measures() {
		gated := slices.ContainsFunc(pol.Thresholds, func(t policy.Threshold) bool { return t.Measure == m.Name })
		switch {
		case m.Name == "segments" && r.Segments == nil || m.Name != "segments" && !all:
		case p.Original.Rows() > large && slices.Contains(slow, m.Name) && !gated:
			left = append(left, study.Measured{Card: m.Card, Side: m.Side, Better: m.Better, Unit: m.Unit,
				Err: fmt.Sprintf("left out of a report on more than %s records; dither %s takes it", thousands(large), taker(m))})
		default:
			specs = append(specs, bounded(m, params, !gated))
		}
	}
	withstand := pol.Intruders
	if withstand == nil {
		withstand = intruder.Defaults(p.Original.Attrs())
	}
	bar := a.progress("measuring")
	defer bar.finish()
	taken, err := study.Evaluate(ctx, r, study.Against(specs, withstand), rng.New(seed).Fork("evaluate"), func(done, total int, _ string) { bar.steps(done, total) })
	return append(taken, left...), err
}

// taker is the verb that takes a measure by default.
func taker(m measure.Measure) string {
	if m.Side == measure.Risk {
		return "attack"
	}
	return "evaluate"
}

// bounded asks for a measure with the tree parameters of the technique and, for a report, with less work.
func bounded(m measure.Measure, params []param.Value, report bool) study.Spec {
	s := study.Spec{Measure: m, Set: map[string]string{}}
	declared := m.New().Params()
	own := map[string]string{}
	for _, v := range params {
		own[v.Name] = fmt.Sprint(v.Value)
	}
	for name, v := range study.ForMeasures(own) {
		if declared.Has(name) {
			s.Set[name] = v
		}
	}
	for name, bound := range reportBounds {
		if declared.Has(name) && report {
			s.Set[name] = bound
		}
	}
	return s
}

// write writes the plan, the release unless it is withheld, and the report, which holds the release's hash. Whatever fails, the message
// says what was written before.
func (f *protectFlags) write(ctx context.Context, l *loaded, method string, p *study.Protected, o *study.Outcome, release bool) error {
	opt := l.info.Like(format.Options{})
	if m := l.policy.File.MissingOut; m != nil {
		opt.MissingOut, opt.MissingMarks = string(*m), nil
	}
	if f.planOut != "" && release {
		data, err := protect.EncodeFile(protect.File{Method: method, Params: p.Params, Shuffled: f.shuffle}, p.Plan)
		if err != nil {
			return err
		}
		if err := whole(f.planOut, 0o600, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
			return err
		}
	}
	o.ReleasedFile = study.File{Name: base(f.out), Rows: p.Output.Rows(), Columns: p.Output.Width()}
	if release {
		sum, err := format.Write(ctx, f.out, p.Output, opt)
		if err != nil {
			return err
		}
		o.ReleasedFile.SHA256 = sum
	}
	if f.report == "" {
		return nil
	}
	err := writeReport(f.report, o, f.public)
	if err != nil && release {
		err = fmt.Errorf("the release was written, the report was not: %w", err)
	}
	return err
}

// writeReport writes a report; the internal one is confidential, so only its owner may read it.
func writeReport(path string, o *study.Outcome, public bool) error {
	mode := fs.FileMode(0o600)
	if public {
		mode = 0o644
	}
	return whole(path, mode, func(w io.Writer) error { return report.HTML(w, o, report.Options{Public: public}) })
}

// files says where everything is.
func (f *protectFlags) files(w io.Writer, release bool) {
	say(w, "")
	if release {
		say(w, "release      %s", f.out)
	}
	for _, p := range [][2]string{{"report", f.report}, {"plan", f.planOut}, {"seed", f.seedFile}} {
		if p[1] == "" || p[0] == "plan" && !release {
			continue
		}
		note := ""
		if p[0] != "report" || !f.public {
			note = "  (confidential: keep it apart from the release)"
		}
		say(w, "%-12s %s%s", p[0], p[1], note)
	}
}

func protectDoc(o *study.Outcome, f *protectFlags, release bool) any {
	type files struct {
		Release string `json:"release,omitempty"` // absent when it was withheld
		Report  string `json:"report,omitempty"`
		Plan    string `json:"plan,omitempty"`
	}
	where := files{Release: f.out, Report: f.report, Plan: f.planOut}
	if !release {
		where.Release, where.Plan = "", ""
	}
	return struct {
		Schema       string        `json:"schema"`
		Version      string        `json:"version"`
		Original     study.File    `json:"original"`
		Released     study.File    `json:"released"`
		Method       string        `json:"method"`
		Paper        string        `json:"paper"`
		Parameters   []param.Value `json:"parameters,omitempty"` // absent with --public
		Commitment   string        `json:"seedCommitment"`
		Columns      []changeDoc   `json:"columns"`
		Notes        []string      `json:"notes,omitempty"`
		Corrections  []string      `json:"corrections,omitempty"` // absent with --public
		Measures     []measureDoc  `json:"measures"`
		NotProtected []string      `json:"notProtected"`
		Files        files         `json:"files"`
	}{"dither/protect/1", o.Version, o.OriginalFile, o.ReleasedFile, o.Method.Name, o.Method.Paper, o.Params, o.Commitment,
		changeDocs(o.Changes), o.Notes, o.Corrections, measureDocs(o.Measures), o.NotProtected, where}
}
