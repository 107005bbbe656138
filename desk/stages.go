package desk

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/dither-data/dither/internal/noise/operators"
	"github.com/dither-data/dither/internal/stats/drift"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/reading"
)

// A release is made in stages. Each is a value that holds the one before and what it adds:
//
//	asked -> loaded -> settled -> made -> measured -> judged -> written -> Protection
//
// A stage is made by the one before, so none can be left out, and it changes neither the request nor what came before.
// Only the files fill up on the way: what is written waits there until all of it takes its place together, at the end.

// course is what a choice or a trial wants of a release besides what the request says.
type course struct {
	all    bool  // every measure is taken
	trial  bool  // nothing is written
	how    *plan // that a run with other parties fitted; nil without one
	sample int   // of a trial: how many people are taken; 0 for all

	sharded *Sharded // the release was made elsewhere, and is judged here; nil for one that is made here

	// Of a choice, which the release confirms; nil where nothing was chosen.
	seen   func(*measure.Release, *study.Protected) error // is shown the release before it is judged
	step   *record.Step                                   // of the record of the run
	worked []study.Demand                                 // limits on how the technique works, as it was measured
	// it goes out only where it keeps the limits against those who know more, too: another candidate may
	strictly bool
}

// asked is a request with what is known before its table is read.
type asked struct {
	d        *Desk
	q        *ProtectRequest // as it was put
	by       course
	in       reader
	files    *files
	start    study.Request                // the technique with its parameters, or the plan
	measures map[string]map[string]string // parameters of measures, by their names
	how      *plan                        // to apply; nil to fit one
}

// loaded is a request with its table.
type loaded struct {
	*asked
	t      *Loaded
	limits *limit.Set
}

// settled is a table with all that decides how its release is made.
type settled struct {
	*loaded
	r     study.Request
	rec   *recorder     // nil without a record
	drift *drift.Report // of the table from the one of the plan; nil where that is not known
}

// made is a release that nobody measured.
type made struct {
	*settled
	p   *study.Protected
	law *modelfile.Model // nil where none can be published
}

// measured is a release with the measures that limits are on, and the verdict by them.
type measured struct {
	*made
	c *judge.Case
}

// judged is a release of which it is decided whether it goes out.
type judged struct {
	*measured
	broken *Broken // the limits that it does not keep: it is withheld; nil when it goes out
	places Files   // where what is made goes
}

// written is a release that waits in its files, or is withheld; the outcome of its case tells of its file.
type written struct {
	*judged
	c *judge.Case
}

// release makes a release, or withholds it. Cost: that of Protect.
func (d *Desk) release(ctx context.Context, q ProtectRequest, by course) (*Protection, error) {
	if err := q.check(by); err != nil {
		return nil, err
	}
	in, ctx, end, err := q.larger(ctx)
	if err != nil {
		return nil, err
	}
	by.sharded.readBy(&in)
	p, err := d.protect(ctx, asked{d: d, q: &q, by: by, in: in, files: q.files(in.pol.Public)})
	if err != nil {
		return nil, end(err)
	}
	p.end = end
	return p, nil
}

// protect goes through the stages.
func (d *Desk) protect(ctx context.Context, q asked) (*Protection, error) {
	defer q.files.discard()
	a, err := q.begin()
	if err != nil {
		return nil, err
	}
	l, err := a.load(ctx)
	if err != nil {
		return nil, err
	}
	s, err := l.settle(ctx)
	if err != nil {
		return nil, err
	}
	m, err := s.perturb(ctx)
	if err != nil {
		return nil, err
	}
	e, err := m.measure(ctx)
	if err != nil {
		return nil, err
	}
	w, err := e.judge().write(ctx)
	if err != nil {
		return nil, err
	}
	return w.place(ctx)
}

// begin finds the technique or the plan, and what is wrong with the files, before the table is read.
func (a asked) begin() (*asked, error) {
	r, pol := study.Request{}, a.in.pol
	var err error
	// before the files: who is told of a file first overwrites it for a call that fails
	if a.measures, err = settingsOf(pol); err == nil && a.fitted() {
		err = a.fits(&r)
		a.in.declared = err == nil && bounds(r.Method.New().Params(), r.Set)
	}
	if err == nil {
		err = a.d.check(a.files)
	}
	if err != nil {
		return nil, err
	}
	a.how = cmp.Or(a.by.how, a.by.sharded.given())
	if a.q.Plan != "" { // a file, which must not be among those that are written
		if a.how, err = readPlan(a.q.Plan); err != nil {
			return nil, err
		}
	}
	if a.how != nil {
		r.Method, r.Plan, a.in.kept = a.how.method, a.how.Plan, a.how.reading()
		if a.q.Draws {
			if err := draws(r.Method); err != nil {
				return nil, err
			}
		}
		if err := cmp.Or(a.q.publishes(r.Method, pol.BlankLookups), a.q.splits(r.Method)); err != nil {
			return nil, err
		}
	}
	a.start = r
	_, err = limitsOf(&policy.Policy{Limits: pol.Limits})
	return &a, err
}

// fits finds the technique, and what is wrong with it.
func (a *asked) fits(r *study.Request) error {
	pol := a.in.pol
	if a.q.Draws && pol.Technique() == "" {
		own := *pol
		own.Method.Name, pol = DefaultSynthesis, &own
	}
	if err := choose(r, pol); err != nil {
		return err
	}
	if a.q.Draws {
		if err := draws(r.Method); err != nil {
			return err
		}
	}
	if a.by.seen == nil { // a choice knows better than the policy
		if err := a.q.segments(); err != nil {
			return err
		}
	}
	return cmp.Or(a.q.columns(r), a.q.publishes(r.Method, a.in.pol.BlankLookups), a.q.splits(r.Method))
}

// load reads the table, and finds what is wrong with the limits and the intruders before anything is made.
func (a *asked) load(ctx context.Context) (*loaded, error) {
	t, err := a.d.told(ctx, a.in)
	if err == nil {
		err = t.recalled.tell(a.d, a.how, t)
	}
	if err != nil {
		return nil, err
	}
	if a.how != nil {
		t.unlisted(a.how)
		a.by.how.takesRoles(t.Table)
	}
	if a.by.trial {
		t.thin(a.by.sample)
	}
	for _, n := range t.doubts() {
		a.d.note(n.Says)
	}
	set, err := limitsOf(t.Policy)
	if err == nil {
		err = judge.Acceptable(set, t.Table.Attrs())
	}
	if err != nil {
		return nil, err
	}
	if err := t.Learnable(); err != nil {
		return nil, err
	}
	if err := judge.Fit(t.Policy.Intruders, t.Table.Attrs()); err != nil {
		return nil, usage(err)
	}
	return &loaded{a, t, set}, nil
}

// settle takes the seed, finds what cannot be together, and begins the record.
func (l *loaded) settle(ctx context.Context) (*settled, error) {
	s := &settled{loaded: l}
	var err error
	if s.r, err = l.recipe(ctx); err != nil {
		return nil, err
	}
	if err := s.fromShards(); err != nil {
		return nil, err
	}
	if s.r.Recur, err = l.recurs(); err != nil {
		return nil, err
	}
	if s.r.Made = l.by.sharded.made(); s.r.Made != nil {
		s.r.Seed = l.by.sharded.Seed
	} else if s.r.Seed, err = l.d.seedOf(l.q.SeedFile, l.t.Policy); err != nil {
		return nil, err
	}
	if err := l.sameSeed(s.r.Seed); err != nil {
		return nil, err
	}
	if s.rec, err = l.d.recorder(l.q, s.r.Seed, l.files); err != nil {
		return nil, err
	}
	asks := append(l.t.Withheld(), l.t.Relations.Errors()...)
	asks = append(asks, said(l.t.leftOut(s.r.Pseudonymise), l.t.weighing(), l.t.unrecognised())...)
	for _, r := range l.t.whose() {
		asks = append(asks, r.Says)
	}
	if l.how != nil {
		asks = append(asks, l.t.OtherUnits(l.how.file.Units)...)
	}
	for _, n := range asks {
		l.d.note(n)
	}
	if l.t.Policy.BlankLookups {
		s.r.Blank, s.r.Besides = l.t.blanks(), l.t.Readings()
	}
	s.drift, err = l.drifted()
	return s, err
}

// perturb runs the technique.
func (s *settled) perturb(ctx context.Context) (*made, error) {
	s.d.charges(&s.q.Spending, &s.r, s.t.File.SHA256)
	p, err := s.d.made(ctx, s.r, s.t)
	if err != nil {
		return nil, err
	}
	if s.r.Plan == nil && s.q.Ledger == "" && unpaid(&s.r, p.Plan) {
		s.d.note(message.Say("told.uncharged"))
	}
	for _, n := range said(slices.Concat([]message.Sentence{s.averages(p)}, p.OfRelations(), p.OfImputation(),
		p.OfValues())...) {
		s.d.note(n)
	}
	law, err := s.lawOf(p)
	return &made{s, p, law}, err
}

// measure says what is known of the release, takes the measures that limits are on, and holds it against these. A
// choice is shown the release first.
func (m *made) measure(ctx context.Context) (*measured, error) {
	rel, err := m.p.Release(m.t.Hierarchies)
	if err != nil {
		return nil, err
	}
	if m.by.seen != nil {
		if err := m.by.seen(rel, m.p); err != nil {
			return nil, err
		}
	}
	o, err := m.known(ctx)
	if err != nil {
		return nil, err
	}
	all := m.q.Report != "" || m.by.all || len(m.t.Policy.Thresholds) > 0
	part, err := m.d.part(rel, m.p.Plan, m.p.Seen(), all || len(m.limits.Limits) > 0, m.t.Asked(), o)
	if err != nil {
		return nil, err
	}
	c := &judge.Case{Subject: &m.t.Subject, Outcome: o, Release: rel, Part: part, Limits: m.limits, Params: m.p.Params,
		Set: m.measures, All: all, Blanked: m.t.Policy.BlankLookups, Worked: m.by.worked, Begin: m.d.begin}
	if err := c.Open(ctx); err != nil {
		return nil, err
	}
	if err := c.Judge(ctx); err != nil {
		return nil, err
	}
	if broken := o.BrokenRelations(); !broken.Empty() {
		m.d.note(broken)
	}
	return &measured{m, c}, nil
}

// known is what is known of the release before it is measured.
func (m *made) known(ctx context.Context) (*study.Outcome, error) {
	o := m.d.outcome(&m.r, m.t, m.p)
	if m.t.Policy.Public {
		o.Params, o.Stronger = nil, nil // some invert a technique's transform
	} else {
		o.Corrections = study.Corrections(m.p.Plan)
		if m.q.Report != "" && m.law != nil {
			var err error
			if o.Operators, err = operators.Compared(ctx, m.r.Method.Name, m.law.Parts, m.p.Original); err != nil {
				return nil, err
			}
		}
	}
	if err := m.driftOf(o); err != nil {
		return nil, err
	}
	if m.how != nil {
		o.ShortSeed = o.ShortSeed || m.how.file.ShortSeed
		o.Excess = study.ExcessOf(m.p.Plan, m.p.Matched, m.p.Released, m.how.file.Params)
	}
	o.Solution = protect.SolutionOf(m.p.Plan)
	o.Patterns = study.PatternsOf(m.p.Plan, m.p.Released)
	o.NotProtected = study.Limits(o)
	return o, nil
}

// judge decides by the verdict what goes out.
func (m *measured) judge() *judged {
	j := &judged{m, judge.Kept(m.c.Outcome.Verdict, m.limits), Files{Report: m.q.Report}}
	if v := m.c.Outcome.Verdict; j.broken == nil && m.by.strictly && v.Outknown {
		j.broken = &Broken{Verdict: "the release is withheld"}
	}
	if j.broken == nil {
		j.broken = m.by.sharded.uncertified(m.c.Outcome)
	}
	if j.broken == nil {
		j.places.Release, j.places.Plan, j.places.Law = m.q.Release, m.q.PlanOut, m.q.NoiseModelOut
		j.places.Sensitive = m.q.SensitiveOut
		if m.by.sharded != nil {
			j.places.Release = m.by.sharded.Name
		}
	}
	return j
}

// write writes the release, its law and its plan unless they are withheld. They are not in their places yet.
func (j *judged) write(ctx context.Context) (*written, error) {
	j.whoIsWho()
	w := &written{j, apart(j.c)}
	released := &w.c.Outcome.ReleasedFile
	*released = study.File{Name: nameOf(OutputName(j.q.Release)), Rows: j.p.Output.Rows(), Columns: j.p.Output.Width()}
	switch {
	case j.by.trial:
		released.Name = ""
	case j.by.sharded != nil:
		released.Name = j.by.sharded.Name
	}
	if j.broken != nil || j.by.trial || j.by.sharded != nil {
		return w, nil
	}
	var err error
	if released.SHA256, err = j.writeTwo(ctx); err != nil {
		return nil, err
	}
	law, err := j.writeLaw(released.SHA256)
	if err != nil || j.q.PlanOut == "" {
		return w, err
	}
	return w, w.writePlan(law)
}

// writePlan writes the plan, with the law of the release and who is who in it.
func (w *written) writePlan(law *modelfile.Model) error {
	o := w.c.Outcome
	file := protect.File{
		Method:   w.r.Method.Name,
		Params:   w.params(),
		Shuffled: !w.r.KeepOrder && !w.p.Synthetic,
		Reading:  reading.Settled(w.t.Policy).Reading(),
		Law:      law,
	}
	file.ShortSeed = o.ShortSeed
	if file.Restated, file.Imputed = w.p.Restated, w.p.Imputed; w.in.space == nil && !w.p.Synthetic {
		file.Pairing = pairing(w.p, o.OriginalFile, o.ReleasedFile)
	}
	var err error
	if file.Baseline, err = w.baseline(); err != nil {
		return err
	}
	if file.Units = w.t.Units(); w.how != nil { // that of a plan that was applied stays, as its baseline does
		file.Units = w.how.file.Units
	}
	if w.r.Recur {
		file.Recurs = o.Commitment
	}
	if w.rec != nil {
		file.Run = w.rec.run(w.q)
	}
	data, err := protect.EncodeFile(file, w.p.Plan)
	if err != nil {
		return err
	}
	return w.files.add(w.q.PlanOut, func(to io.Writer) error { _, err := to.Write(data); return err })
}

// place takes all other measures that were asked for, writes the report and the record, and puts everything in its
// place.
func (w *written) place(ctx context.Context) (*Protection, error) {
	original, err := w.originals(ctx)
	if err != nil {
		return nil, err
	}
	c := apart(w.c)
	if err := c.Rest(ctx); err != nil {
		return nil, err
	}
	opt := report.Options{Public: w.t.Policy.Public}
	if err := w.files.report(w.q.Report, c.Outcome, opt, w.broken != nil); err != nil {
		return nil, err
	}
	p := &Protection{Outcome: c.Outcome, Measured: c.All, Broken: w.broken, Files: w.places, Original: original,
		Public: w.t.Policy.Public}
	if w.rec != nil {
		p.Files.Record = w.q.Record
		if err := w.record(c.Outcome); err != nil {
			return nil, err
		}
	}
	return p, w.files.place()
}

// apart is a case with an outcome of its own: what is added to it does not reach the stage before.
func apart(c *judge.Case) *judge.Case {
	own, o := *c, *c.Outcome
	o.Measures = slices.Clone(o.Measures)
	own.Outcome = &o
	return &own
}

// params are the parameters of the technique: those of the plan where one was applied.
func (m *made) params() []param.Value {
	if m.how != nil {
		return m.how.file.Params
	}
	return m.p.Params
}
