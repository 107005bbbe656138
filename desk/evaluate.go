package desk

import (
	"context"
	"errors"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
)

// EvaluateRequest asks what a release is worth beside its original. Whom it is measured against, and what it must keep, says its
// source.
type EvaluateRequest struct {
	Source          // the original; the release and the hold-out are read in the same way
	Released string // path
	Holdout  string // path of a table of records that are in neither; empty for none
	Plan     string // path of the plan the release was made with; empty when it is not known
	// EarlierPlan are the paths of the plans of the earlier releases, which know whose their records are, in the same order; none when they are not known.
	EarlierPlan []string
	Measures    []string // by any of their names; none takes all
	SeedFile    string   // path of the seed of sampled measures, as in ProtectRequest; empty takes one that follows from the tables
	Report      string   // path for a report in HTML; empty for none
	Unpaired    bool     // the release is in another order: no measure of single records is taken
	Paired      bool     // rows are in the same order, however little they look like it
	Overwrite   bool     // replace a report that exists
	Record      string   // path for the record of the run, public; empty for none
	SignKey     string   // path of the SSH key, Ed25519, that the record is signed with; empty for none
}

// evaluating is a request with how it is served.
type evaluating struct {
	EvaluateRequest
	in       reader // of the original, and of what is compared with it
	command  string // as the record says it
	public   bool   // the report and the document hold nothing that helps an intruder
	unchosen bool   // the measures are all of a kind, and nobody named them
}

// Evaluation is what was found out about a release.
type Evaluation struct {
	Outcome *study.Outcome
	Broken  *Broken // the limits that it does not keep; nil when it keeps all
	Record  string  // path of the record; empty where none was asked for
	Public  bool    // its report and its document hold nothing that helps an intruder

	end func(error) error
}

// Close gives back what the tables take. Nothing of the outcome's tables may be used any more.
func (e *Evaluation) Close() error {
	if e.end == nil {
		return nil
	}
	return e.end(nil)
}

// Evaluate takes measures of a release, judges it and writes a report. Where measures are named, limits on others are not judged,
// and the verdict says so. The evaluation of a release that must not go out comes with a *Broken, and is closed like any other.
// Cost: that of the measures.
func (d *Desk) Evaluate(ctx context.Context, q EvaluateRequest) (*Evaluation, error) {
	e, err := d.evaluation(ctx, evaluating{EvaluateRequest: q, command: "evaluate"})
	if err != nil {
		return nil, err
	}
	return e, refusal(e.Broken)
}

// evaluation is Evaluate, whatever became of the release.
func (d *Desk) evaluation(ctx context.Context, q evaluating) (*Evaluation, error) {
	in, ctx, end, err := q.larger(ctx, q.Released, q.Holdout)
	if err != nil {
		return nil, err
	}
	q.in, q.public = in, in.pol.Public && q.command != "attack" // what an intruder can do is never public
	e, err := d.evaluate(ctx, q)
	if err != nil {
		return nil, end(err)
	}
	e.end = end
	return e, nil
}

// evaluate is evaluation of tables that may have a space.
func (d *Desk) evaluate(ctx context.Context, q evaluating) (*Evaluation, error) {
	specs, err := q.specs()
	if err != nil {
		return nil, err
	}
	if err := q.earlierPlans(); err != nil {
		return nil, err
	}
	if err := q.misspelt(wordsIn(specs)...); err != nil {
		return nil, err
	}
	f := q.files()
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, err
	}
	how, err := q.made()
	if err == nil {
		err = q.small(how)
	}
	if err != nil {
		return nil, err
	}
	in := q.in
	in.kept = how.reading()
	l, err := d.told(ctx, in)
	if err == nil {
		err = l.recalled.tell(d, how, l)
	}
	if err != nil {
		return nil, err
	}
	taken, err := l.HideFrom(ctx, specs, nil)
	if err == nil && !taken && q.Said.SensitiveFile != "" {
		err = &Usage{Field: "sensitive", Value: q.Said.SensitiveFile, Err: errors.New("no measure that is taken has a use for it")}
	}
	if err == nil && !l.Weigh(specs) && q.Said.IQM != "" {
		err = &Usage{Field: judge.Modelled, Value: q.Said.IQM, Err: errors.New("no measure that is taken has a use for it")}
	}
	if err != nil {
		return nil, err
	}
	set, err := limitsOf(l.Policy)
	if err == nil {
		err = judge.Acceptable(set, l.Table.Attrs())
	}
	if err != nil {
		return nil, err
	}
	o := &study.Outcome{Version: d.Version, OriginalFile: l.File}
	r, err := d.pair(ctx, l, how, &q, o)
	if err != nil {
		return nil, err
	}
	list, err := judge.Against(l.Policy, l.Table.Attrs(), r.Original.Attrs())
	if err != nil {
		return nil, err
	}
	if list, err = l.People(r, list); err != nil {
		return nil, err
	}
	o.People = study.Whose(o.Original, r.Persons[r.Person])
	s, err := d.seed(q.SeedFile)
	if err != nil {
		return nil, err
	}
	rec, err := d.recorderOf(&q, s, how, f)
	if err != nil {
		return nil, err
	}
	if q.SeedFile == "" {
		s = judge.Drawing(s, o)
	}
	specs, left := q.within(specs, r.Original.Width(), set)
	specs, risks, refused, err := q.walked(specs, r)
	if err != nil {
		return nil, err
	}
	part, err := d.measured(ctx, &q, r, how, study.Against(specs, list), study.Against(risks, list), set.Find(limit.Lookup) != nil, s, o)
	if err != nil {
		return nil, err
	}
	if left = append(left, refused...); left != nil || risks != nil { // measures that are named stay in the order in which they are
		o.Measures = judge.InOrder(append(o.Measures, left...))
	}
	o.NotProtected = study.Limits(o)
	e, err := judge.Evidence(ctx, o, r, part, set, l.Policy.Intruders, list, s)
	if err != nil {
		return nil, err
	}
	e.Partial = len(q.Measures) > 0
	o.Verdict = study.Judge(o, *e)
	if err := f.report(q.Report, o, q.public); err != nil {
		return nil, err
	}
	if err := q.record(rec, f, o, set); err != nil {
		return nil, err
	}
	if err := f.place(); err != nil {
		return nil, err
	}
	return &Evaluation{Outcome: o, Broken: judge.Withheld(o.Verdict, "the release must not go out"), Record: q.Record, Public: q.public}, nil
}

// within keeps what was not asked for by name within a minute or so where columns are many: slow measures that no limit is on are left out, and said, and the
// others are bounded as in a report. What was set by hand stays.
func (q *evaluating) within(specs []study.Spec, columns int, set *limit.Set) (take []study.Spec, left []study.Measured) {
	if columns <= judge.Wide || len(q.Measures) > 0 && !q.unchosen {
		return specs, nil
	}
	return judge.Within(specs, columns, set)
}

// made reads the plan of the release; nil when the plan is not known.
func (q *evaluating) made() (*plan, error) {
	if q.Plan == "" {
		return nil, nil
	}
	return readPlan(q.Plan)
}

// files are those of the request.
func (q *evaluating) files() *files {
	f := &files{reads: append(q.inputs(), q.Released, q.Holdout), plan: append([]string{q.Plan}, q.EarlierPlan...),
		seed: q.SeedFile, secret: []string{q.Report}, replace: q.Overwrite}
	if q.public {
		f.secret, f.shown = nil, f.secret
	}
	if q.Record != "" {
		f.shown = append(f.shown, q.Record)
	}
	if q.SignKey != "" {
		f.plan = append(f.plan, q.SignKey)
	}
	return f
}

// AttackRequest asks what intruders can do with a release. It takes all measures of risk unless it names some, and its report cannot be public.
type AttackRequest struct {
	EvaluateRequest
	Riskiest int // how many of the records at the highest risk to list for each intruder, at least 0
}

// Raid is what intruders can do with a release.
type Raid struct {
	Evaluation
	Attacks []study.Attack // one per intruder
}

// Attack plays the intruders. What they can do with a release that must not go out comes with a *Broken. Cost: that of the
// measures.
func (d *Desk) Attack(ctx context.Context, q AttackRequest) (*Raid, error) {
	switch {
	case q.Riskiest < 0:
		return nil, number("riskiest", q.Riskiest, "expected at least 0")
	case q.Said.Public:
		return nil, usage(ErrPublicAttack)
	case q.Memory != 0:
		return nil, usage(errors.New("an attack has all records in memory: leave out memory, or evaluate, which tries some people"))
	}
	own := evaluating{EvaluateRequest: q.EvaluateRequest, command: "attack", unchosen: len(q.Measures) == 0}
	if own.unchosen {
		own.Measures = nil
		for _, m := range catalog.Measures() {
			if m.Side == measure.Risk {
				own.Measures = append(own.Measures, m.Name)
			}
		}
	}
	e, err := d.evaluation(ctx, own)
	if err != nil {
		return nil, err
	}
	return &Raid{*e, study.Attacks(e.Outcome, q.Riskiest)}, refusal(e.Broken)
}
