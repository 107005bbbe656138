package dither

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"   // those for tables of records
	_ "github.com/dither-data/dither/catalog/techniques" // likewise
	"github.com/dither-data/dither/internal/noise/noisekey"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/bycolumn"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// Release is a release that was made and judged. It is as confidential as the original until Write has written it.
type Release struct {
	origin  *Data // that the caller gave
	from    *Data // with the hierarchies of the call
	made    *study.Protected
	outcome *study.Outcome
	limits  *limit.Set
	others  *others
}

// Withheld is the error for a release that does not keep its limits, or is not shown to keep them.
type Withheld struct {
	Verdict *study.Verdict // of the release; of a choice that found none worth making, the state and the limits alone
	err     error
}

// Error is one line that says what is broken, without any value of the table.
func (w *Withheld) Error() string { return w.err.Error() }

// Protect releases a table by the technique of its policy, or the default one, and judges the release by the policy's
// limits, or the default ones. Records come in random order, noise is keyed by table and plan, a person's value is
// drawn once, and identifiers are left out.
//
// A release that does not keep its limits is returned with an error of type *Withheld, so that it can be looked at;
// Write refuses it. Any other error comes without a release. Cost: that of the technique and of the measures.
func Protect(ctx context.Context, d *Data, opts ...Option) (*Release, error) {
	o := optionsOf(opts)
	own, err := d.with(o.hierarchies)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.subject.File.Name, err)
	}
	if o.plan != nil {
		own = own.unlisted(study.Schema(o.plan.Schema()))
	}
	r, err := own.release(ctx, &o)
	if err != nil {
		return nil, err
	}
	r.origin = d
	if err := r.count(&o); err != nil {
		return nil, err
	}
	return r, r.withheld()
}

// release makes a release and judges it.
func (d *Data) release(ctx context.Context, o *options) (*Release, error) {
	r := &Release{from: d}
	limits, err := d.ready(o)
	var q *study.Request
	if err == nil {
		q, err = d.request(ctx, o)
	}
	if err == nil {
		r.limits = limits
		r.made, err = study.Protect(ctx, *q)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.subject.File.Name, err)
	}
	return r, r.judge(ctx, q, o)
}

// ready finds what is wrong with what does not depend on the technique, and returns the limits.
func (d *Data) ready(o *options) (*limit.Set, error) {
	if short := d.subject.Policy.Seed; short != "" && !o.seeded {
		var err error
		if o.seed, err = rng.ShortSeed(string(short)); err != nil {
			return nil, err
		}
		o.seeded = true
	}
	if d.subject.Policy.Recur && !o.seeded {
		return nil, errors.New("people recur, so the next release needs the seed of this one: give one with Seed, and keep " +
			"it")
	}
	limits, err := d.limits()
	if err != nil {
		return nil, err
	}
	return limits, cmp.Or(d.subject.Learnable(), judge.Fit(d.subject.Policy.Intruders, d.subject.Table.Attrs()))
}

// count counts a release by a fresh seed among those of its table.
func (r *Release) count(o *options) (err error) {
	if !o.seeded {
		r.others, err = released(r.made.Original)
	}
	return err
}

// withheld is the error of a release that is withheld; nil for one that is not.
func (r *Release) withheld() error {
	if b := judge.Withheld(r.outcome.Verdict, "the release is withheld"); b != nil {
		return &Withheld{r.outcome.Verdict, b}
	}
	return nil
}

// request is what the policy and the options ask for.
func (d *Data) request(ctx context.Context, o *options) (*study.Request, error) {
	pol := d.subject.Policy
	q := &study.Request{
		Table:        d.subject.Table,
		Keep:         pol.Kept(),
		Pseudonymise: pol.Pseudonymised(),
		KeepOrder:    pol.KeepOrder,
		Seed:         o.seed,
		Hierarchies:  d.subject.Hierarchies,
		Relations:    d.subject.Relations,
		Plan:         o.plan,
		Recur:        pol.Recur,
	}
	var err error
	if q.DatesShift, err = study.ParseDateShift(pol.DatesShift); err != nil {
		return nil, err
	}
	q.RoundWeights, q.Few, q.Impute, q.Marks = pol.RoundWeights, d.subject.Few, pol.Imputation(), pol.ImputeMarks
	q.Options.Progress = o.told("protecting")
	if pol.BlankLookups {
		q.Blank = d.subject.Binding(intruder.Defaults(d.subject.Table.Attrs()))
	}
	switch {
	case o.method != nil:
		q.Method = *o.method
	default:
		if q.Method, err = catalog.Method(judge.Technique(pol)); err != nil {
			return nil, err
		}
	}
	if q.Plan != nil {
		return q, nil
	}
	switch {
	case o.set != nil:
		q.Set = o.set
	case o.method == nil || q.Method.Name == pol.Technique():
		q.Set = pol.Settings()
	}
	if q.Set == nil {
		q.Set = map[string]string{}
	}
	declared := q.Method.New().Params()
	if err := judge.Settle(declared, q.Set); err != nil {
		return nil, fmt.Errorf("%s: %w", q.Method.Name, bycolumn.Refusal(q.Method, err))
	}
	_, err = d.subject.Hide(ctx, declared, q.Set)
	return q, err
}

// limits are those of the policy, or the default ones.
func (d *Data) limits() (*limit.Set, error) {
	set, err := limitsOf(d.subject.Policy)
	if err != nil {
		return nil, err
	}
	return set, judge.Acceptable(set, d.subject.Table.Attrs())
}

// limitsOf are the limits of a policy, or the default ones.
func limitsOf(pol *policy.Policy) (*limit.Set, error) {
	set, err := limit.Preset(pol.Limits)
	if err != nil {
		text, missing := wholefile.Read(pol.Limits)
		if missing != nil {
			return nil, err
		}
		if set, err = limit.Parse(pol.Limits, text); err != nil {
			return nil, err
		}
		for k := range set.Limits {
			if err := judge.Judgeable(&set.Limits[k]); err != nil {
				return nil, fmt.Errorf("%s: %w", pol.Limits, err)
			}
		}
	}
	return judge.Limits(set, pol)
}

// judge measures the release and judges it.
func (r *Release) judge(ctx context.Context, q *study.Request, o *options) error {
	s := r.from.subject
	rel, err := r.made.Release(s.Hierarchies)
	if err != nil {
		return err
	}
	r.outcome = s.Made(q, r.made)
	r.outcome.Corrections = study.Corrections(r.made.Plan)
	r.outcome.Patterns = study.PatternsOf(r.made.Plan, r.made.Released)
	r.outcome.NotProtected = study.Limits(r.outcome)
	r.outcome.ReleasedFile = study.File{Rows: r.made.Output.Rows(), Columns: r.made.Output.Width()}
	c := &judge.Case{Subject: s, Outcome: r.outcome, Release: rel, Limits: r.limits, Params: r.made.Params,
		All: len(s.Policy.Thresholds) > 0, Blanked: s.Policy.BlankLookups, Set: s.Policy.MeasureSettings(),
		Worked: o.worked, Begin: o.begin()}
	if err := c.Open(ctx); err != nil {
		return err
	}
	if err := c.Judge(ctx); err != nil {
		return err
	}
	return c.Rest(ctx)
}

// Verdict says whether the release may go out, with reasons, remedies and the figures of every limit.
func (r *Release) Verdict() *study.Verdict { return r.outcome.Verdict }

// Measures are the figures that were taken.
func (r *Release) Measures() []study.Measured { return r.outcome.Measures }

// Notes are remarks for the custodian, such as which values are withheld, and what the release does not protect
// against.
func (r *Release) Notes() []message.Sentence {
	out := slices.Concat(r.from.subject.Noticed, r.outcome.Notes, study.Texts(r.outcome.NotProtected))
	if n := r.others.count(); n > 1 {
		out = append(out, message.Say("note.averaging").Count("n", n))
	}
	return out
}

// Plan is the fitted plan. It is confidential: it holds ranges and rules of the original.
func (r *Release) Plan() protect.Plan { return r.made.Plan }

// Table is what Write writes. It is an error where the release may not go out.
func (r *Release) Table() (*table.Table, error) {
	if err := r.mayLeave(); err != nil {
		return nil, err
	}
	t, _, err := r.output()
	return t, err
}

// mayLeave refuses a release that is withheld, or that nobody judged although no one asked for that.
func (r *Release) mayLeave() error {
	if err := r.withheld(); err != nil {
		return err
	}
	if b := judge.Kept(r.outcome.Verdict, r.limits); b != nil {
		return b
	}
	return nil
}

// released counts a release of a table by a fresh seed, and returns the count of all.
func released(t *table.Table) (*others, error) {
	key, err := noisekey.Of("table", t)
	if err != nil {
		return nil, err
	}
	return ledger.add(key), nil
}
