package desk

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/search"
	"github.com/dither-data/dither/study/synthetic"
	"github.com/dither-data/dither/study/trial"
)

// ChooseRequest asks for the technique that loses least under the limits, and for the release by it.
type ChooseRequest struct {
	// ProtectRequest says what is released and what it must keep. The technique and its parameters are what is chosen, so
	// the caller says none.
	ProtectRequest
	Methods []string // candidates by any of their names, joined ones too; none takes all that may apply
	// For says what the release must not lose: a purpose (everything, models, statistics, hiding, iqm) or weights such as
	// accuracy=3,rules=1. Empty takes the information quality model where there is one, else hiding where there is
	// something to hide, else everything.
	For string
	// parameters of all candidates that have them, such as the support below which a pattern is hidden: they are not
	// searched
	Fixed  map[string]string
	Budget time.Duration // no further candidate is taken up after so long; 0 for no budget
	// On says what trials are made on: Sample, records of the table, or Generated, a table drawn from laws that are fitted
	// to it (package likeness). The release that confirms the choice is of the table itself. Empty takes Sample.
	On     string
	Grid   int    // of chooser.Request: try a grid instead of searching
	Resume string // path of a checkpoint: trials are kept there, and those that it has are not made again; empty for none
}

// Chosen is what was decided, and the release that confirmed it.
type Chosen struct {
	*search.Choice
	*Protection // of the setting that was confirmed, or of the last that was not; nil where nothing was
	Candidates  []search.Candidate
	Purpose     string             // as it was asked for, or by default
	Defaults    []message.Sentence // what nobody asked for and was taken by default
	Unmeasured  []string           // aspects that count and that the table has nothing of to lose
	Limits      message.Sentence
	Operating   []search.Operating // of what was chosen and of those that lose least
	timed       bool               // limits are on how techniques work
	Records     int                // in the table
	Tried       int                // records that a trial is made on
	Generated   bool               // these were drawn from laws that are fitted to the table

	confirmed int      // settings that were released anew
	shared    []string // digests of what other holders released
}

// What trials of a choice are made on.
const (
	Sample    = "sample"
	Generated = "generated"
)

// Choose searches for the technique and the parameters that lose least under the limits, and releases by them. Notes
// are told once. Where nothing that was confirmed keeps the limits, what was found comes with a *Broken. Cost: some
// hundred releases that are judged, of at most trial.MostRecords records, and the one that goes out.
func (d *Desk) Choose(ctx context.Context, q ChooseRequest) (*Chosen, error) {
	return d.choose(ctx, q, course{})
}

// choose is Choose for releases that are made otherwise.
func (d *Desk) choose(ctx context.Context, q ChooseRequest, by course) (*Chosen, error) {
	if err := q.checkChoice(by); err != nil {
		return nil, err
	}
	if err := q.keepSeed(); err != nil {
		return nil, err
	}
	d, err := d.again(&q)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	out := &Chosen{}
	if out.Candidates, err = d.candidates(&q); err != nil {
		return nil, err
	}
	t, err := d.trials(ctx, &q, out)
	if err != nil {
		return nil, err
	}
	c := t.Request()
	if c.Grid, out.timed = q.Grid, c.Works; c.Works {
		d.note(message.Say("told.machine"))
	}
	c.Confirm = func(ctx context.Context, s search.Setting, w []study.Demand, all bool) (search.Confirmation, error) {
		by.worked, by.strictly = w, all
		return d.confirm(ctx, &q, by, t, s, out)
	}
	if q.Budget > 0 {
		c.Spent = func() bool { return time.Since(start) > q.Budget }
	}
	var kept *checkpoint
	if q.Resume != "" {
		if kept, err = d.resume(&q, t, &c, out); err != nil {
			return nil, err
		}
		defer d.keeps(kept, q.Resume)()
	}
	p := d.begin("choosing")
	var done atomic.Int64
	c.Progress = func(string) { p.Done(done.Add(1), int64(len(c.Candidates))+20) }
	out.Choice, err = search.Choose(ctx, c)
	p.End()
	if kept != nil && errors.Is(err, context.Canceled) {
		return nil, kept.interrupted(q.Resume)
	}
	if err != nil {
		return nil, err
	}
	if out.Operating, err = t.Works(ctx, out.Choice); err != nil {
		return nil, err
	}
	if err := d.report(&q, out); err != nil {
		return nil, err
	}
	return out, refusal(out.refused())
}

// checkChoice refuses a request that settles what is to be chosen, or is not valid.
func (q *ChooseRequest) checkChoice(by course) error {
	if m := &q.Said.Method; m.Name != "" || m.Within != nil || len(m.Set) > 0 || q.Said.Stages != nil || q.Plan != "" {
		return usage(errors.New("a choice is of the technique and its parameters; leave them out, or name candidates"))
	}
	if err := q.check(by); err != nil {
		return err
	}
	if on := cmp.Or(q.On, Sample); on != Sample && on != Generated {
		return &Usage{Field: "trials-on", Value: q.On, Err: fmt.Errorf("expected %s or %s", Sample, Generated)}
	}
	return nil
}

// resume lets a choice keep its trials, and take those that were kept before.
func (d *Desk) resume(q *ChooseRequest, t *trial.Trials, c *search.Request, out *Chosen) (*checkpoint, error) {
	kept, done, err := openTrials(q.Resume, d.fingerprint(q, t, out))
	if err != nil {
		return nil, err
	}
	if n := len(done); n > 0 {
		d.note(message.Say("told.trials").Name("file", q.Resume).Count("n", n))
	}
	c.Done, c.Finished = done, kept.addTrial
	return kept, nil
}

// report writes the page on the release and on the choice.
func (d *Desk) report(q *ChooseRequest, c *Chosen) error {
	if q.Report == "" || c.Protection == nil {
		return nil
	}
	f := &files{secret: []string{q.Report}, replace: q.Overwrite, left: q.seal()}
	if c.Public {
		f.secret, f.shown = nil, f.secret
	}
	defer f.discard()
	told := c.Told()
	told.Untimed = !c.timed
	err := f.report(q.Report, c.Outcome, report.Options{Public: c.Public, Choice: told}, c.refused() != nil)
	if err == nil {
		err = f.place()
	}
	c.Files.Report = q.Report
	return err
}

// Told is the choice as a report tells it.
func (c *Chosen) Told() *report.Choosing {
	return &report.Choosing{
		Choice:     c.Choice,
		Candidates: c.Candidates,
		Purpose:    c.Purpose,
		Limits:     c.Limits,
		Defaults:   c.Defaults,
		Unmeasured: c.Unmeasured,
		Operating:  c.Operating,
		Records:    c.Records,
		Tried:      c.Tried,
		Generated:  c.Generated,
	}
}

// again is the desk with the table that is read more than once, and with every note told once.
func (d *Desk) again(q *ChooseRequest) (*Desk, error) {
	own := *d
	told := map[string]bool{}
	own.Note = func(n Note) {
		if text := n.Says.String(); !told[text] {
			told[text] = true
			d.remark(n)
		}
	}
	if q.Path == standardInput && d.In != nil {
		data, err := io.ReadAll(d.In)
		if err != nil {
			return nil, err
		}
		own.In = bytes.NewReader(data)
	}
	return &own, nil
}

// rewound lets standard input be read again.
func (d *Desk) rewound() {
	if r, ok := d.In.(*bytes.Reader); ok {
		_, _ = r.Seek(0, io.SeekStart) // to the start there is always a way
	}
}

// files are those of the release, and the checkpoint.
func (q *ChooseRequest) files(public bool) *files {
	f := q.ProtectRequest.files(public)
	f.ledger = q.Resume
	return f
}

// candidates are those that are named or, of techniques that hide where something is to be hidden, all, with what a
// policy says of its stages. Files that cannot be read or written are refused.
func (d *Desk) candidates(q *ChooseRequest) ([]search.Candidate, error) {
	p, err := q.policy()
	if err != nil {
		return nil, err
	}
	if err := d.check(q.files(p.Public)); err != nil {
		return nil, err
	}
	all, err := trial.Candidates(q.Methods, p.SensitiveFile != "" || len(p.Sensitive) > 0, p)
	if err != nil {
		return nil, err
	}
	if len(p.Shared) > 0 {
		if all, err = sharing(all, len(q.Methods) > 0); err != nil {
			return nil, err
		}
		d.note(message.Say("told.sharing").Listed("techniques", sharers()))
	}
	if all, err = search.Fix(all, q.Fixed); err != nil {
		return nil, usage(err)
	}
	return all, nil
}

// keepSeed names a file for the seed of a choice that is to go on later, where nobody says which it is.
func (q *ChooseRequest) keepSeed() error {
	if q.Resume == "" || q.SeedFile != "" {
		return nil
	}
	file, err := q.file()
	if err == nil && file.With(&q.Said).Seed == "" {
		q.SeedFile = q.Resume + ".seed"
	}
	return err
}

// trials loads the table and makes ready for trials.
func (d *Desk) trials(ctx context.Context, q *ChooseRequest, out *Chosen) (*trial.Trials, error) {
	if _, err := limitsOf(&policy.Policy{Limits: q.Said.Limits}); err != nil {
		return nil, err
	}
	in := reader{Source: q.Source}
	l, err := d.told(ctx, in)
	if err != nil {
		return nil, err
	}
	d.rewound()
	set, err := limitsOf(l.Policy)
	if err == nil {
		err = cmp.Or(judge.Acceptable(set, l.Table.Attrs()), l.Learnable())
	}
	if err != nil {
		return nil, err
	}
	if err := judge.Fit(l.Policy.Intruders, l.Table.Attrs()); err != nil {
		return nil, usage(err)
	}
	t := &trial.Trials{Subject: &l.Subject, Limits: set, Candidates: out.Candidates, From: l.Table,
		KeepOrder: l.Policy.KeepOrder}
	if t.Purpose, err = trial.PurposeOf(t.Subject, q.For); errors.Is(err, trial.ErrNoModel) {
		err = &Usage{Field: "for", Value: t.Purpose.Name, Err: fmt.Errorf("%w: --iqm FILE names one, and "+
			"dither inspect --write-iqm FILE proposes one", trial.ErrNoModel)}
	}
	if err != nil {
		return nil, err
	}
	if !t.Purpose.Assumed.Empty() {
		out.Defaults = append(out.Defaults, t.Purpose.Assumed)
	}
	if l.Policy.Limits == "" && len(l.Policy.Thresholds) == 0 {
		out.Defaults = append(out.Defaults, message.Say("assumed.limits").Part("source", set.Source.Sentence()))
	}
	others, err := d.shared(ctx, in, l)
	if err != nil {
		return nil, err
	}
	t.Shared, out.shared = others.table, others.sums
	seed, err := d.seedOf(q.SeedFile, l.Policy)
	if err != nil {
		return nil, err
	}
	t.Source = rng.New(seed).Fork("choose")
	if out.Generated = q.On == Generated; out.Generated {
		if t.From, err = synthetic.Draw(ctx, l.Table, t.Source.Fork("likeness")); err != nil {
			return nil, err
		}
	}
	if out.Unmeasured, err = t.Open(ctx); err != nil {
		return nil, err
	}
	out.Purpose, out.Limits, out.Records, out.Tried = t.Purpose.Name, set.Sentence(), l.Table.Rows(), t.Records()
	return t, nil
}

// confirm releases by a setting, with other randomness than any trial, and judges the release as any that goes out.
func (d *Desk) confirm(ctx context.Context, q *ChooseRequest, by course, t *trial.Trials, s search.Setting,
	out *Chosen) (done search.Confirmation, err error) {
	c := &out.Candidates[s.Candidate]
	r := q.ProtectRequest
	r.Said.Method = policy.Method{Name: c.Method.Name, Set: policy.Texts(c.Params(s))}
	r.Report, by.all = "", by.all || q.Report != ""
	// How often something was confirmed is part of what the figures mean: each try may pass by chance.
	out.confirmed++
	// what stands there is the record of the confirmation before, which was withheld
	r.Overwrite = q.Overwrite || out.confirmed > 1
	by.step = &record.Step{Kind: "choose",
		Counts: map[string]int{"candidates": len(out.Candidates), "seeds": trial.Seeds, "confirmation": out.confirmed}}
	if out.Generated {
		by.step.Facts = map[string]string{"trials on": Generated}
	}
	by.seen = func(rel *measure.Release, made *study.Protected) error {
		var err error
		done.Losses, err = t.Losses(ctx, rel, made)
		return err
	}
	d.rewound()
	if out.Protection, err = d.release(ctx, r, by); err != nil {
		return done, err
	}
	if out.Outcome.Private {
		d.note(message.Say("told.chosenPrivate"))
	}
	v := out.Outcome.Verdict
	done.Keeps, done.Demands = out.Broken == nil, v.Demands
	done.Outknown = !done.Keeps && v.State != study.Withheld && v.State != study.Unjudged
	return done, nil
}

// fingerprint is a hash of everything that a trial depends on.
func (d *Desk) fingerprint(q *ChooseRequest, t *trial.Trials, out *Chosen) string {
	of := t.Subject
	c := study.CompareRequest{
		Version: d.Version,
		Seed:    study.SeedOf(t.Source),
		Data: []study.DataSet{{Name: "choose", Table: of.Table,
			Sensitive: of.Sensitive, Set: map[string]string{judge.Modelled: of.Model}}},
	}
	for _, a := range t.Candidates {
		c.Settings = append(c.Settings, study.Setting{Name: a.Name, Method: a.Method, Set: a.Set})
	}
	c.Measures = append(c.Measures, search.Specs(t.Purpose.Aspects)...)
	for _, i := range of.Policy.Intruders {
		c.Measures = append(c.Measures, study.Spec{Intruder: &i})
	}
	rest := map[string]string{"keep": strings.Join(of.Policy.Kept(), "\n"),
		"pseudonymise": fmt.Sprint(of.Policy.Pseudonymised()), "order": fmt.Sprint(t.KeepOrder, of.Policy.BlankLookups)}
	if q.On == Generated {
		rest["on"] = q.On
	}
	if of.Policy.RoundWeights > 0 {
		rest["weights"] = fmt.Sprint(of.Policy.RoundWeights)
	}
	if of.Policy.Imputation() != "" {
		rest["impute"] = fmt.Sprint(of.Policy.Imputation(), of.Policy.ImputeMarks)
	}
	if out.shared != nil {
		rest["shared"] = fmt.Sprint(out.shared)
	}
	if of.Policy.Sums == policy.SumsByShares {
		rest["sums"] = of.Policy.Sums
	}
	if of.Policy.DatesShift != "" {
		rest["dates"] = of.Policy.DatesShift
	}
	for _, l := range t.Limits.Limits {
		rest["limit "+l.Measure] += fmt.Sprint(bound64(l.Min), bound64(l.Max), l.Columns, l.Declared, l.IfAny)
	}
	maps.Copy(c.Data[0].Set, rest)
	return c.Fingerprint()
}

func bound64(v *float64) any {
	if v == nil {
		return "none"
	}
	return *v
}

// State is what follows for the release: withheld where there is none.
func (c *Chosen) State() study.State {
	if c.Protection == nil {
		return study.Withheld
	}
	return c.Outcome.Verdict.State
}

// refused says why nothing was chosen; nil where something was.
func (c *Chosen) refused() *Broken {
	if c.Chosen != nil {
		return nil
	}
	if c.Protection != nil && c.Broken != nil {
		return c.Broken
	}
	return trial.Nothing(c.Limits)
}
