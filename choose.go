package dither

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/search"
	"github.com/dither-data/dither/study/trial"
)

// Purpose says what a release is for, and what it is chosen from.
type Purpose struct {
	// For is what the release must not lose: everything, models, statistics, hiding or iqm, or weights such as
	// accuracy=3,rules=1. Empty takes the policy's information quality model or, without one, hiding where something is to
	// be hidden, else everything.
	For     string
	Methods []string // candidates by any of their published names, joined ones too; none takes all that may apply
	// no further candidate is taken up after so long: the choice then depends on the machine; 0 for no budget
	Budget time.Duration
}

// Choice is what was decided, what was found on the way, and the release by it. It is confidential.
type Choice struct {
	*search.Choice                    // candidates by their place in Candidates, losses in the order of Aspects, in [0, 1]
	Candidates     []search.Candidate // what was chosen from
	For            string             // as it was asked for, or by default
	Unmeasured     []string           // what counts and the table has nothing of to lose

	Technique string            // that was chosen; empty where none was
	Set       map[string]string // its parameters that differ from their defaults
	Release   *Release          // by what was chosen; else the last that was made anew and withheld, or nil
}

// Choose searches for the technique and the parameters that lose least of what a release is for under the limits of the
// policy, and releases by them as Protect does. The technique of the policy has no say. Many releases are looked at,
// and the best of many is partly the luckiest: only the release that is made and judged anew counts.
//
// Where no release keeps the limits, what was found comes with an error of type *Withheld. Any other error comes
// without a choice; a purpose or a candidate that cannot be read is a *judge.Usage that names it. Cost: some hundred
// releases that are judged, of at most trial.MostRecords records, and the one that is confirmed.
func Choose(ctx context.Context, d *Data, p Purpose, opts ...Option) (*Choice, error) {
	o := optionsOf(opts)
	own, err := d.with(o.hierarchies)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.subject.File.Name, err)
	}
	if o.method != nil {
		return nil, errors.New("a choice is of the technique: leave out Technique, and name candidates in Methods")
	}
	start := time.Now()
	c := &Choice{}
	t, err := own.trials(p, &o)
	if err == nil {
		c.Unmeasured, err = t.Open(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.subject.File.Name, err)
	}
	c.Candidates, c.For = t.Candidates, t.Purpose.Name
	q := t.Request()
	q.Confirm = func(ctx context.Context, s search.Setting, worked []study.Demand,
		strictly bool) (search.Confirmation, error) {
		of, by := &c.Candidates[s.Candidate], o
		by.method, by.set, by.worked = &of.Method, of.Params(s), worked
		done, err := c.confirm(ctx, own, t, &by)
		if err == nil && done.Keeps && strictly && c.Release.Verdict().Outknown {
			done.Keeps, done.Outknown = false, true
		}
		return done, err
	}
	if p.Budget > 0 {
		q.Spent = func() bool { return time.Since(start) > p.Budget }
	}
	if tell := o.told("choosing"); tell != nil {
		done := 0
		q.Progress = func(string) { done++; tell(done, max(done, len(q.Candidates)+20)) }
	}
	if c.Choice, err = search.Choose(ctx, q); err != nil {
		return nil, err
	}
	if c.Chosen != nil {
		of := &c.Candidates[c.Chosen.Candidate]
		c.Technique, c.Set = of.Method.Name, of.Params(c.Chosen.Setting)
	}
	if c.Release != nil {
		c.Release.origin = d
	}
	return c, c.conclude(&o, t.Limits.Sentence())
}

// trials makes ready for trials.
func (d *Data) trials(p Purpose, o *options) (*trial.Trials, error) {
	limits, err := d.ready(o)
	if err != nil {
		return nil, err
	}
	s := d.subject
	t := &trial.Trials{Subject: s, Limits: limits, From: s.Table, Source: rng.New(o.seed).Fork("choose"),
		KeepOrder: s.Policy.KeepOrder}
	if t.Candidates, err = trial.Candidates(p.Methods, s.Sensitive != "", s.Policy); err != nil {
		return nil, err
	}
	t.Purpose, err = trial.PurposeOf(s, p.For)
	return t, err
}

// confirm makes the release by a setting, with other randomness than any trial, and judges it as any that goes out.
func (c *Choice) confirm(
	ctx context.Context,
	d *Data,
	t *trial.Trials,
	o *options,
) (done search.Confirmation, err error) {
	if c.Release, err = d.release(ctx, o); err != nil {
		return done, err
	}
	rel, err := c.Release.made.Release(d.subject.Hierarchies)
	if err != nil {
		return done, err
	}
	if done.Losses, err = t.Losses(ctx, rel, c.Release.made); err != nil {
		return done, err
	}
	v := c.Release.Verdict()
	done.Keeps, done.Demands = v.State != study.Withheld, v.Demands
	return done, nil
}

// conclude counts the release that was made last, and says where none may go out.
func (c *Choice) conclude(o *options, limits message.Sentence) error {
	if c.Release == nil {
		return &Withheld{&study.Verdict{State: study.Withheld, Limits: limits}, trial.Nothing(limits)}
	}
	if err := c.Release.count(o); err != nil {
		return err
	}
	return c.Release.withheld()
}
