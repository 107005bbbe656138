package desk

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
)

// A release that is there already is evaluated in stages, as one is made in stages (stages.go):
//
//	posed -> opened -> paired -> ready -> weighed -> Evaluation
//
// Each holds the one before and what it adds, and changes neither the request nor what came before.

// task is what a verb takes of a request.
type task struct {
	command  string   // as the record says it
	measures []string // by any of their names; none takes all
	named    bool     // it was the user who named them
}

// posed is a request with what is known before a table is read.
type posed struct {
	d      *Desk
	q      *EvaluateRequest // as it was put
	as     task
	in     reader // of the original, and of what is compared with it
	files  *files
	public bool         // the report and the document hold nothing that helps an intruder
	specs  []study.Spec // the measures, with the parameters of the request
	how    *plan        // that the release was made with; nil where that is not known
}

// opened is a request with its original.
type opened struct {
	*posed
	t       *Loaded
	specs   []study.Spec // with what the table hands them
	limits  *limit.Set
	earlier []earlier
}

// paired is a release beside its original, with what is known of it before it is measured.
type paired struct {
	*opened
	r    *measure.Release
	o    *study.Outcome
	cast *judge.Cast
}

// ready is a release with all that decides how it is measured.
type ready struct {
	*paired
	rec   *recorder // nil without a record
	asked judge.Asked
}

// weighed is a release with its measures and the verdict.
type weighed struct {
	*ready
	c *judge.Case
}

// evaluation goes through the stages, with the tables in a space where they are larger than the memory.
func (d *Desk) evaluation(ctx context.Context, q EvaluateRequest, as task) (*Evaluation, error) {
	in, ctx, end, err := q.larger(ctx, q.Released, q.Holdout)
	if err != nil {
		return nil, err
	}
	public := in.pol.Public && as.command != "attack" // what an intruder can do is never public
	e, err := d.evaluate(ctx, posed{d: d, q: &q, as: as, in: in, public: public, files: q.files(public)})
	if err != nil {
		return nil, end(err)
	}
	e.end = end
	return e, nil
}

// evaluate goes through the stages.
func (d *Desk) evaluate(ctx context.Context, q posed) (*Evaluation, error) {
	defer q.files.discard()
	p, err := q.begin()
	if err != nil {
		return nil, err
	}
	l, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	b, err := l.pair(ctx)
	if err != nil {
		return nil, err
	}
	r, err := b.settle()
	if err != nil {
		return nil, err
	}
	w, err := r.measure(ctx)
	if err != nil {
		return nil, err
	}
	return w.place()
}

// begin finds what is wrong with the request before a table is read, and reads the plan.
func (p posed) begin() (*posed, error) {
	var err error
	if p.specs, err = p.measures(); err != nil {
		return nil, err
	}
	if err := p.q.contradicts(); err != nil {
		return nil, err
	}
	if err := p.q.misspelt(wordsIn(p.specs)...); err != nil {
		return nil, err
	}
	if err := p.d.check(p.files); err != nil {
		return nil, err
	}
	if p.q.Plan != "" {
		if p.how, err = readPlan(p.q.Plan); err != nil {
			return nil, err
		}
	}
	p.in.kept, p.in.key = p.how.reading(), p.q.Key
	return &p, p.small()
}

// synthetic reports whether the release's records were drawn anew, as its plan says.
func (p *posed) synthetic() bool { return p.how != nil && protect.Synthetic(p.how.Plan) }

// unpaired reports whether no record is to be taken for anybody's.
func (p *posed) unpaired() bool { return p.q.Unpaired || p.synthetic() }

// open reads the original, and finds what is wrong with the limits before anything is compared.
func (p *posed) open(ctx context.Context) (*opened, error) {
	t, err := p.d.told(ctx, p.in)
	if err == nil {
		err = t.recalled.tell(p.d, p.how, t)
	}
	if err != nil {
		return nil, err
	}
	specs, err := p.handed(ctx, t)
	if err != nil {
		return nil, err
	}
	set, err := limitsOf(t.Policy)
	if err == nil {
		err = judge.Acceptable(set, t.Table.Attrs())
	}
	if err != nil {
		return nil, err
	}
	return &opened{p, t, specs, set, p.q.earlierOf(t.Policy.Earlier)}, nil
}

// handed are the measures with the list of what is sensitive and with the quality model, which nobody names in vain.
func (p *posed) handed(ctx context.Context, t *Loaded) ([]study.Spec, error) {
	specs := slices.Clone(p.specs)
	for k := range specs {
		specs[k].Set = maps.Clone(specs[k].Set)
	}
	hidden, err := t.HideFrom(ctx, specs, nil)
	if err != nil {
		return nil, err
	}
	modelled, useless := t.Weigh(specs), errors.New("no measure that is taken has a use for it")
	switch {
	case !hidden && p.q.Said.SensitiveFile != "":
		return nil, &Usage{Field: judge.Hidden, Value: p.q.Said.SensitiveFile, Err: useless}
	case !modelled && p.q.Said.IQM != "":
		return nil, &Usage{Field: judge.Modelled, Value: p.q.Said.IQM, Err: useless}
	}
	return specs, nil
}

// settle begins the record, and decides which measures are taken. Where columns are many, slow
// ones that nobody named and no limit is on are left out.
func (b *paired) settle() (*ready, error) {
	seed, err := b.d.seed(b.q.SeedFile)
	if err != nil {
		return nil, err
	}
	rec, err := b.recorder(seed)
	if err != nil {
		return nil, err
	}
	asked := judge.Asked{Cast: b.cast, Specs: b.specs, Partial: len(b.as.measures) > 0}
	if !b.as.named {
		asked.Specs, asked.Left = judge.Within(asked.Specs, b.r.Original.Width(), b.limits)
	}
	if asked, err = b.walked(asked); err != nil {
		return nil, err
	}
	return &ready{b, rec, asked}, nil
}

// measure takes the measures, and judges the release.
func (r *ready) measure(ctx context.Context) (*weighed, error) {
	o, part := *r.o, r.r
	o.ShortSeed = r.how != nil && r.how.file.ShortSeed
	if r.in.space != nil && r.r.Paired {
		var p protect.Plan
		var seen study.Seen
		if r.how != nil {
			p, seen = r.how.Plan, study.Sees(r.how.file)
		}
		var err error
		people := r.limits.Find(limit.Lookup) != nil ||
			slices.ContainsFunc(r.asked.Specs, func(s study.Spec) bool { return s.Measure.Shards == "" })
		if part, err = r.d.part(r.r, p, seen, people, r.t.Asked(), &o); err != nil {
			return nil, err
		}
	}
	c := &judge.Case{Subject: &r.t.Subject, Outcome: &o, Release: r.r, Part: part, Limits: r.limits, Begin: r.d.begin}
	if r.q.Unpaired && r.how == nil {
		c.Limits = r.limits.WithoutPairs()
	}
	if err := c.Ask(ctx, r.asked); err != nil {
		return nil, err
	}
	return &weighed{r, c}, c.Judge(ctx)
}

// place writes the report and the record, and puts them in their places.
func (w *weighed) place() (*Evaluation, error) {
	o := w.c.Outcome
	if err := w.files.report(w.q.Report, o, report.Options{Public: w.public}, false); err != nil {
		return nil, err
	}
	if err := w.record(); err != nil {
		return nil, err
	}
	broken := judge.Withheld(o.Verdict, "the release must not go out")
	return &Evaluation{Outcome: o, Broken: broken, Record: w.q.Record, Public: w.public}, w.files.place()
}
