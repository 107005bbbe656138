package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/drift"
	"github.com/dither-data/dither/internal/operators"
	"github.com/dither-data/dither/law/published"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/within"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// ProtectRequest asks for a release.
type ProtectRequest struct {
	Source
	Release       string            // path; its extension says the format
	Method        string            // the technique by any of its names; empty takes the policy's or the Framework
	Within        string            // tree, forest, or columns with commas: inside whose segments the technique works; empty for the whole table
	Set           map[string]string // parameters of the technique, which win over the policy's, and of measures that are taken, by measure.name
	Pseudonymise  []string          // identifiers that get a keyed pseudonym instead of being dropped, besides the policy's
	Plan          string            // path of a plan to apply instead of fitting a technique; Method and Set are then empty
	SeedFile      string            // path of the secret seed; one that does not exist is written; empty forgets a fresh seed
	PlanOut       string            // path for the fitted plan, confidential; empty for none
	LawOut        string            // path for the law of the release, public; empty for none
	Report        string            // path for a report in HTML; empty for none
	Public        bool              // the report and the document hold nothing that helps an intruder
	Recur         bool              // the same people are in other releases: by one seed and plan a value that stays is released alike; so says a policy or a plan, too
	KeepOrder     bool              // write the records in the order of the original instead of a random one
	Overwrite     bool              // replace outputs that exist; inputs never
	Limits        string            // what the release must keep: default, hipaa, ema, none, or the path of a file; empty takes the policy's or the default
	Accept        []string          // limits that are overridden, as limit.Set.Accept reads them
	AtMost        []string          // limits besides, name=value, each in place of what there was on the same measure
	GuardFormulas bool              // put an apostrophe before categories that a spreadsheet would run as formulas
	Record        string            // path for the record of the run, public; empty for none
	SignKey       string            // path of the SSH key, Ed25519, that the record is signed with; empty for none
	BlankLookups  bool              // blank few cells, until none of the intruders whom the limits bind can look anybody up; so says a policy, too

	measures map[string]map[string]string // parameters of measures, by their names

	// Of a choice, which this confirms: every measure is taken, and the release is shown to whoever chooses before it is judged.
	all    bool
	seen   func(*measure.Release, *study.Protected) error
	step   *record.Step // of the record of the run; nil where nothing was chosen
	worked []study.Demand

	trial  bool // nothing is written
	sample int  // of a trial: how many people are taken; 0 for all

	how *plan          // the plan to apply; nil without one
	law *published.Law // of the release that was made; nil where none can be published
	rec *recorder      // nil without a record

	drift *drift.Report // of the table from the one of the plan; nil where that is not known
}

// Protection is a release that was made, or withheld.
type Protection struct {
	Outcome  *study.Outcome
	Broken   *Broken // the limits that it does not keep: it is then withheld; nil when it was written
	Measured bool    // every measure was taken, not just the certificate
	Files    Files
	Original []study.Measured // of a trial on all: what the original reaches on the axes of the policy's thresholds
	public   bool             // its document is for whoever receives the release

	end func(error) error
}

// Close gives back what the tables take. Nothing of the outcome's tables may be used any more.
func (p *Protection) Close() error {
	if p.end == nil {
		return nil
	}
	return p.end(nil)
}

// Files says where what was made is; a withheld release and its plan are nowhere.
type Files struct {
	Release, Report, Plan, Law, Record string // paths; empty for what was not made
}

// Protect reads the table, perturbs it, measures what the limits need, and writes the release with its plan unless a limit is not kept: then
// only the report is written. All other measures are taken for a report, and for thresholds. All files take their places together at the end, so that no old
// one stands beside a new one.
// Cost: that of the technique and of the measures.
func (d *Desk) Protect(ctx context.Context, q ProtectRequest) (*Protection, error) {
	if err := cmp.Or(q.check(), q.split()); err != nil {
		return nil, err
	}
	ctx, end, err := q.larger(ctx)
	if err != nil {
		return nil, err
	}
	p, err := d.protect(ctx, q)
	if err != nil {
		return nil, end(err)
	}
	p.end = end
	return p, nil
}

// protect is Protect for a request that may have a space.
func (d *Desk) protect(ctx context.Context, q ProtectRequest) (*Protection, error) {
	r := study.Request{Set: maps.Clone(q.Set), Pseudonymise: q.Pseudonymise, Shuffle: !q.KeepOrder}
	var wrong error
	if q.Plan == "" { // before the files: who is told of a file first overwrites it for a call that fails
		wrong = cmp.Or(q.technique(&r), q.columns(&r), q.publishes(r.Method))
	}
	f := q.files()
	defer f.discard()
	if err := cmp.Or(wrong, d.check(f)); err != nil {
		return nil, err
	}
	if q.Plan != "" { // a file, which must not be among those that are written
		if err := cmp.Or(q.technique(&r), q.publishes(r.Method)); err != nil {
			return nil, err
		}
	}
	if _, err := limitsOf(judge.Demanded{Limits: q.Limits}, &policy.Policy{}, ""); err != nil {
		return nil, err
	}
	l, err := d.told(ctx, q.Source)
	if err == nil {
		err = l.recalled.tell(d, q.how, l)
	}
	if err != nil {
		return nil, err
	}
	if q.trial {
		l.thin(q.sample)
	}
	for _, n := range l.Profile.Doubts() {
		d.note(n)
	}
	set, err := limitsOf(judge.Demanded{Limits: q.Limits, AtMost: q.AtMost, Accept: q.Accept, Keep: q.keptTexts(l.Policy)}, l.Policy, q.Policy)
	if err == nil {
		err = judge.Acceptable(set, l.Table.Attrs())
	}
	if err != nil {
		return nil, err
	}
	if err := l.Learnable(); err != nil {
		return nil, err
	}
	if err := judge.Fit(l.Policy.Intruders, l.Table.Attrs()); err != nil {
		return nil, usage(err)
	}
	if err := cmp.Or(q.fromPolicy(ctx, &r, l), q.publishes(r.Method), q.fromShards(&r, l)); err != nil {
		return nil, err
	}
	if err := q.seeded(d, &r, l); err != nil {
		return nil, err
	}
	if q.rec, err = d.recorder(&q, r.Seed, f); err != nil {
		return nil, err
	}
	for _, n := range []string{l.leftOut(r.Pseudonymise), l.repeating(), l.weighing()} {
		if n != "" {
			d.note(n)
		}
	}
	q.blanks(&r, l)
	if q.drift, err = q.drifted(d, l); err != nil {
		return nil, err
	}
	made, err := d.made(ctx, &r, l)
	if err != nil {
		return nil, err
	}
	if n := q.averages(&r, l, made); n != "" {
		d.note(n)
	}
	if q.law, err = q.lawOf(&r, made); err != nil {
		return nil, err
	}
	return d.judged(ctx, &q, f, &r, l, made, set)
}

// judged measures a release, judges it, and writes it or not.
func (d *Desk) judged(ctx context.Context, q *ProtectRequest, f *files, r *study.Request, l *Loaded, made *study.Protected, set *limit.Set) (*Protection, error) {
	rel, err := made.Release(l.Hierarchies)
	if err != nil {
		return nil, err
	}
	if q.seen != nil {
		if err := q.seen(rel, made); err != nil {
			return nil, err
		}
	}
	o := d.outcome(r, l, made)
	if q.rec != nil {
		if q.rec.params = made.Params; q.how != nil {
			q.rec.params = q.how.file.Params
		}
	}
	if q.Public {
		o.Params = nil // some invert a technique's transform
	} else {
		o.Corrections = study.Corrections(made.Plan)
		if q.Report != "" && q.law != nil {
			if o.Operators, err = operators.Compared(ctx, r.Method.Name, q.law.Parts, made.Original); err != nil {
				return nil, err
			}
		}
	}
	if err := q.driftOf(o, q.drift, made); err != nil {
		return nil, err
	}
	o.Patterns = study.PatternsOf(made.Plan, made.Released)
	o.NotProtected = study.Limits(o)
	all := q.Report != "" || q.all || len(l.Policy.Thresholds) > 0
	part, err := d.part(rel, made.Plan, all || len(set.Limits) > 0, r.Seed, o)
	if err != nil {
		return nil, err
	}
	c := &judge.Case{Subject: &l.Subject, Outcome: o, Release: rel, Part: part, Limits: set, Params: made.Params, Set: q.measures, All: all,
		Seed: r.Seed, Blanked: q.BlankLookups, Worked: q.worked, Begin: d.begin}
	if err := c.Open(ctx); err != nil {
		return nil, err
	}
	if err := c.Judge(ctx); err != nil {
		return nil, err
	}
	p := &Protection{Outcome: o, Measured: all, Broken: judge.Withheld(o.Verdict, "the release is withheld"), Files: Files{Report: q.Report}, public: q.Public}
	if p.Broken == nil {
		p.Files.Release, p.Files.Plan, p.Files.Law = q.Release, q.PlanOut, q.LawOut
	}
	d.whoIsWho(p, q)
	if err := d.write(ctx, p, q, f, l, r.Method.Name, made); err != nil {
		return nil, err
	}
	specs, whom := c.Specs()
	if p.Original, err = q.originals(ctx, rel, l, specs, whom, r.Seed); err != nil {
		return nil, err
	}
	if err := c.Rest(ctx); err != nil {
		return nil, err
	}
	if err := f.report(q.Report, o, q.Public); err != nil {
		return nil, err
	}
	if err := q.record(f, p, l, set); err != nil {
		return nil, err
	}
	return p, f.place()
}

// check refuses what can be seen to be wrong before anything is read.
func (q *ProtectRequest) check() error {
	if q.Release == "" && !q.trial {
		return usage(errors.New("the release has no name"))
	}
	if q.Plan != "" && (q.Method != "" || q.Within != "") {
		return usage(errors.New("a plan brings its technique and parameters"))
	}
	return nil
}

// files are those of the request.
func (q *ProtectRequest) files() *files {
	f := &files{reads: q.inputs(q.Limits), plan: []string{q.Plan}, seed: q.SeedFile, tables: []string{q.Release}, main: q.Release, secret: []string{q.PlanOut}, replace: q.Overwrite}
	for _, path := range []string{q.LawOut, q.Record} {
		if path != "" {
			f.shown = append(f.shown, path)
		}
	}
	if q.SignKey != "" {
		f.plan = append(f.plan, q.SignKey)
	}
	if q.Public {
		f.shown = append(f.shown, q.Report)
	} else {
		f.secret = append(f.secret, q.Report)
	}
	return f
}

// technique finds the technique or the plan before the table is read, so that a wrong request fails at once.
func (q *ProtectRequest) technique(r *study.Request) error {
	if q.Plan != "" {
		how, err := readPlan(q.Plan)
		if err == nil {
			r.Method, r.Plan, q.how, q.kept = how.method, how.Plan, how, how.file.Reading
		}
		return err
	}
	if q.Method == "" && q.Policy != "" {
		return nil // the policy may name it
	}
	return choose(r, q.inside(q.Method, r))
}

// columns refuses misspelt names of columns.
func (q *ProtectRequest) columns(r *study.Request) error {
	var more []word
	if r.Method.New != nil { // else the policy names the technique
		more = namedBy(r.Method.New().Params(), r.Set)
	}
	for _, n := range q.Pseudonymise {
		more = append(more, word{"pseudonymise", n})
	}
	return q.misspelt(more...)
}

// inside returns the name of a technique, inside segments where the request says so: then the parameters that make these are added.
func (q *ProtectRequest) inside(name string, r *study.Request) string {
	if q.Within == "" {
		return name
	}
	if r.Set == nil {
		r.Set = map[string]string{}
	}
	by := q.Within
	if by != within.Tree && by != within.Forest {
		by, r.Set[within.Prefix+"columns"] = within.Columns, by
	}
	r.Set[within.Prefix+"by"] = by
	return strings.TrimSuffix(cmp.Or(name, DefaultMethod), within.Suffix) + within.Suffix
}

// DefaultMethod is the technique where none is named.
const DefaultMethod = judge.DefaultMethod

// choose finds the technique of a name and checks its parameters.
func choose(r *study.Request, name string) (err error) {
	if r.Method, err = catalog.Method(cmp.Or(name, DefaultMethod)); err != nil {
		return usage(err)
	}
	if err := judge.Settle(r.Method.New().Params(), r.Set); err != nil {
		return usage(fmt.Errorf("%s: %w", r.Method.Name, err))
	}
	return nil
}

// fromPolicy adds what the policy says and the request does not.
func (q *ProtectRequest) fromPolicy(ctx context.Context, r *study.Request, l *Loaded) error {
	if r.Plan == nil && r.Method.Name == "" {
		set := l.Policy.Settings()
		maps.Copy(set, r.Set)
		r.Set = set
		if err := choose(r, q.inside(l.Policy.Technique(), r)); err != nil {
			return err
		}
	}
	if q.Method != "" && q.seen == nil && q.Within == "" && l.Policy.Method.Within != nil && !strings.HasSuffix(q.Method, within.Suffix) {
		return usage(errors.New("the policy's technique works inside segments (method, within), the one asked for would work on the whole table; " +
			"say inside what it works, too, or leave the technique to the policy"))
	}
	if r.Plan == nil {
		if _, err := l.Hide(ctx, r.Method.New().Params(), r.Set); err != nil {
			return err
		}
	}
	q.BlankLookups = q.BlankLookups || l.Policy.BlankLookups
	r.Keep = l.Policy.Kept()
	r.Pseudonymise = append(r.Pseudonymise, l.Policy.Pseudonymised()...)
	return nil
}

// made runs the technique.
func (d *Desk) made(ctx context.Context, r *study.Request, l *Loaded) (*study.Protected, error) {
	p := d.begin("protecting")
	defer p.End()
	r.Table, r.Options.Progress, r.Hierarchies = l.Table, steps(p), l.Hierarchies
	made, err := study.Protect(ctx, *r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.File.Name, err)
	}
	return made, nil
}

// outcome is what is known of a release before it is measured.
func (d *Desk) outcome(r *study.Request, l *Loaded, p *study.Protected) *study.Outcome {
	o := l.Made(r, p)
	o.Version = d.Version
	return o
}

// write writes the release and its plan unless they are withheld. They are not in their places yet.
func (d *Desk) write(ctx context.Context, p *Protection, q *ProtectRequest, f *files, l *Loaded, method string, made *study.Protected) error {
	released := &p.Outcome.ReleasedFile
	*released = study.File{Name: nameOf(OutputName(q.Release)), Rows: made.Output.Rows(), Columns: made.Output.Width()}
	if q.trial {
		released.Name = ""
	}
	if p.Broken != nil || q.trial {
		return nil
	}
	out, opt, err := d.output(q, l, made)
	if err != nil {
		return err
	}
	sum, err := f.table(ctx, q.Release, out, opt)
	if released.SHA256 = sum; err == nil {
		err = q.writeLaw(f, sum)
	}
	if err != nil || q.PlanOut == "" {
		return err
	}
	return p.writePlan(q, f, l, method, made)
}

// output is the table that is written, and how.
func (d *Desk) output(q *ProtectRequest, l *Loaded, made *study.Protected) (*table.Table, format.Options, error) {
	opt := l.Info.Like(format.Options{})
	if m := l.Policy.File.MissingOut; m != nil {
		opt.MissingOut, opt.MissingMarks = string(*m), nil
	}
	out, err := d.guardFormulas(q, made.Output)
	return out, opt, err
}

// writePlan writes the plan and who is who in the release.
func (p *Protection) writePlan(q *ProtectRequest, f *files, l *Loaded, method string, made *study.Protected) error {
	how, err := q.reading(l.Policy)
	if err != nil {
		return err
	}
	file := protect.File{Method: method, Params: made.Params, Shuffled: !q.KeepOrder, Reading: how, Law: q.law}
	if q.space == nil {
		file.Pairing = pairing(made, p.Outcome.OriginalFile, p.Outcome.ReleasedFile)
	}
	if q.how != nil {
		file.Params = q.how.file.Params
	}
	if file.Baseline, err = q.baseline(made); err != nil {
		return err
	}
	if q.Recur {
		file.Recurs = p.Outcome.Commitment
	}
	if q.rec != nil {
		file.Run = q.rec.run(q)
	}
	data, err := protect.EncodeFile(file, made.Plan)
	if err != nil {
		return err
	}
	return f.add(q.PlanOut, func(w io.Writer) error { _, err := w.Write(data); return err })
}
