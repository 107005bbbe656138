package desk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/bycolumn"
	"github.com/dither-data/dither/protect/within"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
)

// ProtectRequest asks for a release. What is decided of it says its source.
type ProtectRequest struct {
	Source
	Release string // path; its extension says the format
	// path of a plan to apply instead of fitting a technique; the caller then says neither a technique nor parameters
	Plan          string
	SeedFile      string // path of the secret seed; one that does not exist is written; empty forgets a fresh seed
	PlanOut       string // path for the fitted plan, confidential; empty for none
	NoiseModelOut string // path for the law of the release, public; empty for none
	// path for the values of the sensitive column by group, public, where a release goes out as two tables; empty for one
	SensitiveOut string
	Report       string // path for a report in HTML; empty for none
	Record       string // path for the record of the run, public; empty for none
	SignKey      string // path of the SSH key, Ed25519, that the record is signed with; empty for none
	Overwrite    bool   // replace outputs that exist; inputs never
	Spending            // of a technique that promises differential privacy
	// Draws says that new records are asked for: a technique that perturbs those of the table is refused, and where none
	// is named, DefaultSynthesis is taken.
	Draws bool
	// who answers for the release, which its record then says; nil where nobody is asked
	Signed *Signing
}

// Protection is a release that was made, or withheld.
type Protection struct {
	Outcome  *study.Outcome
	Broken   *Broken // the limits that it does not keep: it is then withheld; nil when it was written
	Measured bool    // every measure was taken, not just the certificate
	Files    Files
	Original []study.Measured // of a trial on all: what the original reaches on the axes of the policy's thresholds
	Public   bool             // its report and its document hold nothing that helps an intruder

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
	Sensitive                          string // that of the sensitive table
}

// Protect reads the table, perturbs it, measures what the limits need, and writes the release with its plan unless a
// limit is not kept: then only the report is written, and what is known of the withheld release comes with a *Broken;
// it is closed like any other. All other measures are taken for a report, and for thresholds. All files take their
// places together at the end, so that no old one stands beside a new one. Cost: that of the technique and of the
// measures.
func (d *Desk) Protect(ctx context.Context, q ProtectRequest) (*Protection, error) {
	p, err := d.release(ctx, q, course{})
	if err != nil {
		return nil, err
	}
	return p, refusal(p.Broken)
}

// check refuses what can be seen to be wrong before anything is read.
func (q *ProtectRequest) check(by course) error {
	if q.Release == "" && !by.trial && by.sharded == nil {
		return usage(errors.New("the release has no name"))
	}
	if q.SeedFile != "" && q.Said.Seed != "" {
		return usage(errTwoSeeds)
	}
	m := &q.Said.Method
	if q.Plan != "" && (m.Name != "" || m.Within != nil || len(m.Set) > 0 || q.Said.Stages != nil) {
		return usage(errors.New("a plan brings its technique and parameters"))
	}
	if q.Plan != "" && q.Ledger != "" {
		return &Usage{Field: "ledger", Value: q.Ledger, Err: errors.New("the plan was charged when it was fitted")}
	}
	return nil
}

// files are those of the request.
func (q *ProtectRequest) files(public bool) *files {
	f := &files{
		reads:   q.inputs(),
		plan:    []string{q.Plan},
		seed:    q.SeedFile,
		tables:  []string{q.Release},
		main:    q.Release,
		secret:  []string{q.PlanOut},
		ledger:  q.Ledger,
		replace: q.Overwrite,
		left:    q.seal(),
	}
	for _, path := range []string{q.NoiseModelOut, q.Record} {
		if path != "" {
			f.shown = append(f.shown, path)
		}
	}
	if q.SensitiveOut != "" {
		f.tables = append(f.tables, q.SensitiveOut)
	}
	if q.SignKey != "" {
		f.plan = append(f.plan, q.SignKey)
	}
	if public {
		f.shown = append(f.shown, q.Report)
	} else {
		f.secret = append(f.secret, q.Report)
	}
	return f
}

// seal is that of a report whose release is withheld.
func (q *ProtectRequest) seal() seal { return seal{q.Report, q.Path, q.Release} }

// columns refuses misspelt names of columns.
func (q *ProtectRequest) columns(r *study.Request) error {
	return q.misspelt(namedBy(r.Method.New().Params(), q.Said.Settings())...)
}

// segments refuses a technique that the caller names for the whole table in place of the file's, which works inside
// segments.
func (q *ProtectRequest) segments() error {
	m := &q.Said.Method
	if m.Name == "" || m.Within != nil || strings.HasSuffix(m.Name, within.Suffix) {
		return nil
	}
	if file, err := q.file(); err != nil || file.Method.Within == nil {
		return err
	}
	return usage(errors.New("the policy's technique works inside segments (method, within), the one asked for would " +
		"work " +
		"on the whole table; say inside what it works, too, or leave the technique to the policy"))
}

// DefaultSynthesis is the technique where new records are asked for and none is named.
const DefaultSynthesis = "cartsynthesis"

// draws refuses a technique that does not draw new records.
func draws(m protect.Method) error {
	if slices.Contains(m.Claims, protect.Synthesises) {
		return nil
	}
	var names []string
	for _, o := range catalog.Methods() {
		if slices.Contains(o.Claims, protect.Synthesises) {
			names = append(names, o.Name)
		}
	}
	return &Usage{Field: "method", Value: m.Name, Err: fmt.Errorf("%s perturbs the records of the table; those that draw "+
		"new ones are %s", m.Name, strings.Join(names, ", "))}
}

// DefaultMethod is the technique where none is named.
const DefaultMethod = judge.DefaultMethod

// Default returns the name of the technique that is taken where a policy names none.
func Default(pol *policy.Policy) string { return judge.Default(pol) }

// choose finds the technique of a policy and checks its parameters.
func choose(r *study.Request, pol *policy.Policy) (err error) {
	if r.Method, err = catalog.Method(judge.Technique(pol)); err != nil {
		return usage(err)
	}
	r.Set = pol.Settings()
	if err := judge.Settle(r.Method.New().Params(), r.Set); err != nil {
		return usage(fmt.Errorf("%s: %w", r.Method.Name, bycolumn.Refusal(r.Method, err)))
	}
	return nil
}

// recipe is how the release is made, with what is to be hidden.
func (l *loaded) recipe(ctx context.Context) (study.Request, error) {
	r, pol := l.start, l.t.Policy
	if r.Plan == nil {
		r.Set = maps.Clone(r.Set)
		if _, err := l.t.Hide(ctx, r.Method.New().Params(), r.Set); err != nil {
			return r, err
		}
	}
	if err := l.promise(&r); err != nil {
		return r, err
	}
	r.Keep, r.Pseudonymise, r.KeepOrder = pol.Kept(), pol.Pseudonymised(), pol.KeepOrder
	r.RoundWeights, r.Few, r.Impute, r.Marks = pol.RoundWeights, l.t.Few, pol.Imputation(), pol.ImputeMarks
	if r.Relations = l.t.Relations; l.how != nil {
		r.Restated, r.Imputed = l.how.file.Restated, l.how.file.Imputed
	}
	var err error
	if r.Shared, err = l.shared(ctx); err != nil {
		return r, err
	}
	if r.DatesShift, err = study.ParseDateShift(pol.DatesShift); err != nil {
		return r, usage(err)
	}
	return r, nil
}

// made runs the technique.
func (d *Desk) made(ctx context.Context, r study.Request, l *Loaded) (*study.Protected, error) {
	p := d.begin("protecting")
	defer p.End()
	r.Table, r.Options.Progress, r.Hierarchies = l.Table, steps(p), l.Hierarchies
	made, err := study.Protect(ctx, r)
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

// output is the table that is written, and how.
func (d *Desk) output(path string, l *Loaded, made *study.Protected) (*table.Table, format.Options, error) {
	opt := l.Info.Like(format.Options{})
	if m := l.Policy.File.MissingOut; m != nil {
		opt.MissingOut, opt.MissingMarks = string(*m), nil
	}
	t, opt, dropped := reading.Labelled(&l.Subject, made.Output, opt)
	if n := dropped.Note(); !n.Empty() {
		d.note(n)
	}
	out, err := d.guardFormulas(path, l.Policy, t)
	return out, opt, err
}
