package trial

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/search"
	"github.com/dither-data/dither/table"
)

// request asks for the release of a trial.
func (t *Trials) request(ctx context.Context, tr search.Trial, from *table.Table) (*study.Request, error) {
	c := &t.Candidates[tr.Candidate]
	pol := t.Subject.Policy
	r := &study.Request{
		Table:        from,
		Method:       c.Method,
		Set:          c.Params(tr.Setting),
		Keep:         pol.Kept(),
		Pseudonymise: pol.Pseudonymised(),
		RoundWeights: pol.RoundWeights,
		Impute:       pol.Imputation(),
		Marks:        pol.ImputeMarks,
		Few:          t.Subject.Few,
		KeepOrder:    t.KeepOrder,
		Hierarchies:  t.Subject.Hierarchies,
		Relations:    t.Subject.Relations,
		Shared:       t.Shared,
		Seed:         study.SeedOf(t.Source.Fork("release").Fork(strconv.Itoa(tr.Seed))),
	}
	var err error
	if r.DatesShift, err = study.ParseDateShift(pol.DatesShift); err != nil {
		return nil, err
	}
	if pol.BlankLookups {
		r.Blank, r.Besides = t.Subject.Binding(intruder.Defaults(from.Attrs())), t.Subject.Readings()
	}
	_, err = t.Subject.Hide(ctx, c.Method.New().Params(), r.Set)
	return r, err
}

// try makes a trial: a release, held against the limits and, where it keeps them or that is asked for, measured by what
// it loses.
func (t *Trials) try(ctx context.Context, tr search.Trial) (search.Tried, error) {
	if tr.Works {
		return t.worked(ctx, tr.Setting)
	}
	p := t.of(tr.Share)
	r, err := t.request(ctx, tr, p.table)
	if err != nil {
		return search.Tried{Err: err.Error()}, ctx.Err()
	}
	made, err := study.Protect(ctx, *r)
	if err != nil {
		return search.Tried{Err: err.Error()}, ctx.Err()
	}
	rel, err := made.Release(t.Subject.Hierarchies)
	if err != nil {
		return search.Tried{Err: err.Error()}, ctx.Err()
	}
	if rel.Exact == nil && made.Original.Rows() == p.identity.Original.Rows() {
		rel.Work = p.identity.Work.Another()
	}
	out := search.Tried{Unjudged: true}
	if !tr.Unjudged {
		if out, err = t.held(ctx, tr, r, made, rel); err != nil || !out.Keeps() && !tr.Losses {
			return out, err
		}
	}
	taken, err := t.taken(ctx, rel, made.Params)
	if err != nil {
		return out, err
	}
	if made.Synthetic { // what it loses could not be held against what others lose
		if names := search.Unmeasured(t.Purpose.Aspects, taken); names != nil {
			out.Err = message.Say("out.nobody").Listed("aspects", names).String()
			return out, nil
		}
	}
	out.Losses = search.Losses(t.Purpose.Aspects, taken, rel, t.base)
	return out, nil
}

// held holds the release of a trial against the limits.
func (t *Trials) held(ctx context.Context, tr search.Trial, r *study.Request, made *study.Protected,
	rel *measure.Release) (out search.Tried, err error) {
	o := t.Subject.Made(r, made)
	o.Patterns = study.PatternsOf(made.Plan, made.Released)
	limits := judge.Holding(o, t.Limits)
	size := judge.Size{Records: made.Original.Rows(), Columns: made.Original.Width()}
	need := judge.Needed(size, made.Params, limits, false, rel.AsMade().Segments != nil)
	need.Related(t.Subject, limits)
	if _, err := t.Subject.HideFrom(ctx, need.Limits, made.Params); err != nil {
		return out, err
	}
	for k := range need.Limits {
		harder(&need.Limits[k], tr.Effort)
	}
	whom := t.Subject.Policy.Intruders
	if whom == nil {
		whom = intruder.Defaults(made.Original.Attrs())
	}
	if whom, err = t.Subject.People(rel, whom); err != nil {
		return out, err
	}
	o.Told(rel)
	// Of whatever effort: more people are these and others.
	seed := study.SeedOf(t.Source.Fork("attacks").Fork(strconv.Itoa(tr.Seed)))
	e, err := t.Subject.Evidence(ctx, o, rel, rel, limits, t.Subject.Binding(whom), whom, seed)
	if err != nil {
		return out, err
	}
	if o.Measures, err = study.Evaluate(ctx, rel, study.Against(need.Limits, whom), rng.New(seed), nil); err != nil {
		return out, err
	}
	v := study.Judge(o, *e)
	out.Demands, out.Outknown = v.Demands, v.Outknown
	for _, m := range o.Measures {
		a, ok := m.Value.Detail.(measure.Assault)
		undecided := func(d study.Demand) bool {
			return d.Measure == m.Name && d.Against == m.Intruder && d.Standing == study.Unproven
		}
		if ok && m.Err.Empty() && slices.ContainsFunc(out.Demands, undecided) {
			out.More = out.More || 2*a.Attack().Tried < a.Attack().People-1
		}
	}
	return out, nil
}

// harder asks a measure that tries people for twice as many, so many times over, and for nothing that the limits do not
// ask.
func harder(s *study.Spec, effort int) {
	params := s.Measure.New().Params()
	if params.Has("brief") {
		s.Set["brief"] = "true"
	}
	if effort == 0 || !params.Has("people") {
		return
	}
	own := maps.Clone(s.Set)
	for _, v := range params.Values() {
		if _, given := own[v.Name]; !given {
			own[v.Name] = fmt.Sprint(v.Value)
		}
	}
	for _, name := range []string{"people", "pairs"} {
		if n, err := strconv.Atoi(own[name]); err == nil {
			s.Set[name] = strconv.Itoa(n << effort)
		}
	}
}
