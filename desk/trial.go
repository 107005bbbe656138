package desk

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/chooser"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// Records that a choice makes its trials on: fewer people are easier to find, so what keeps the limits on some of the records keeps them on all.
const (
	mostTrialRows  = 50_000
	leastTrialRows = 500
)

// trials makes the releases that a choice looks at, and judges them as the one that goes out.
type trials struct {
	d       *Desk
	q       *ProtectRequest
	blank   bool // cells are blanked
	l       *Loaded
	set     *limit.Set
	aspects []chooser.Aspect
	asked   []chooser.Candidate
	base    measure.Base
	src     rng.Source
	from    *table.Table // what trials are made on, or on records of

	confirmed int // settings that were released anew

	mu     sync.Mutex
	tables map[float64]*excerpt // by the share of the records
}

// excerpt is some of the records, and what is learned from them as they are.
type excerpt struct {
	table    *table.Table
	identity *measure.Release
}

// of returns a share of the records, those of one person together.
func (t *trials) of(share float64) *excerpt {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.from.Rows()
	rows := min(int(math.Ceil(share*float64(min(n, mostTrialRows)))), n)
	if p := t.tables[share]; p != nil {
		return p
	}
	p := &excerpt{table: t.from}
	if rows < n {
		p.table = t.from.Gather(somePeople(t.from, rows, t.src.Fork("records")))
	}
	o := study.WithoutIdentifiers(p.table)
	p.identity = &measure.Release{Original: o, Released: o, Paired: true, Hierarchies: t.l.Hierarchies}
	t.tables[share] = p
	return p
}

// somePeople draws people until they have so many records, and returns the rows of these in their order.
func somePeople(t *table.Table, rows int, src rng.Source) (out []int) {
	name := judge.Named(t, table.Person)
	of := study.Whose(t, study.Persons(t, []string{name})[name])
	if name == "" || of == nil {
		out = src.Rand().Perm(t.Rows())[:rows]
		slices.Sort(out)
		return out
	}
	of = slices.Clone(of)
	drawn := map[int32]bool{}
	mine := map[int32]int{}
	for _, p := range of {
		mine[p]++
	}
	for _, k := range src.Rand().Perm(len(mine)) {
		if rows <= 0 {
			break
		}
		drawn[int32(k)] = true
		rows -= mine[int32(k)]
	}
	for i, p := range of {
		if drawn[p] {
			out = append(out, i)
		}
	}
	return out
}

// applicable leaves the aspects that the table can lose, and returns the names of the others that would count.
func (t *trials) applicable(ctx context.Context) (missed []string, err error) {
	p := t.of(1)
	t.base = chooser.NewBase(p.identity.Original)
	taken, err := t.lost(ctx, p.identity, nil)
	if err != nil {
		return nil, err
	}
	asked := t.aspects
	can, cannot := chooser.Applicable(asked, taken, t.base)
	for _, a := range asked {
		if a.Weight > 0 && slices.Contains(cannot, a.Name) {
			missed = append(missed, a.Name)
		}
	}
	t.aspects = can
	return missed, nil
}

// lost takes the measures of the aspects.
func (t *trials) lost(ctx context.Context, r *measure.Release, made *study.Protected) ([]study.Measured, error) {
	specs := chooser.Specs(t.aspects)
	t.l.Weigh(specs)
	if made != nil {
		if _, err := t.l.HideFrom(ctx, specs, made.Params); err != nil {
			return nil, err
		}
	} else if _, err := t.l.HideFrom(ctx, specs, nil); err != nil {
		return nil, err
	}
	return study.Evaluate(ctx, r, specs, t.src.Fork("losses"), nil)
}

// request asks for the release of a trial.
func (t *trials) request(ctx context.Context, tr chooser.Trial, from *table.Table) (*study.Request, error) {
	c := &t.asked[tr.Candidate]
	r := &study.Request{Table: from, Method: c.Method, Set: c.Params(tr.Setting), Keep: t.l.Policy.Kept(), KeepOrder: t.q.KeepOrder, Hierarchies: t.l.Hierarchies,
		Pseudonymise: slices.Concat(t.q.Pseudonymise, t.l.Policy.Pseudonymised()), Seed: study.SeedOf(t.src.Fork("release").Fork(strconv.Itoa(tr.Seed)))}
	if t.blank {
		r.Blank = judge.Binding(t.l.Policy.Intruders, intruder.Defaults(from.Attrs()))
	}
	_, err := t.l.Hide(ctx, c.Method.New().Params(), r.Set)
	return r, err
}

// try makes a trial: a release, held against the limits and, where it keeps them or that is asked for, measured by what it loses.
func (t *trials) try(ctx context.Context, tr chooser.Trial) (chooser.Tried, error) {
	if tr.Works {
		return t.worked(ctx, tr.Setting)
	}
	p := t.of(tr.Share)
	r, err := t.request(ctx, tr, p.table)
	if err != nil {
		return chooser.Tried{Err: err.Error()}, ctx.Err()
	}
	made, err := study.Protect(ctx, *r)
	if err != nil {
		return chooser.Tried{Err: err.Error()}, ctx.Err()
	}
	rel, err := made.Release(t.l.Hierarchies)
	if err != nil {
		return chooser.Tried{Err: err.Error()}, ctx.Err()
	}
	if rel.Exact == nil && made.Original.Rows() == p.identity.Original.Rows() {
		rel.Base = p.identity
	}
	out := chooser.Tried{Unjudged: true}
	if !tr.Unjudged {
		if out, err = t.held(ctx, tr, r, made, rel); err != nil || !out.Keeps() && !tr.Losses {
			return out, err
		}
	}
	taken, err := t.lost(ctx, rel, made)
	if err != nil {
		return out, err
	}
	out.Losses = chooser.Losses(t.aspects, taken, rel, t.base)
	return out, nil
}

// held holds the release of a trial against the limits.
func (t *trials) held(ctx context.Context, tr chooser.Trial, r *study.Request, made *study.Protected, rel *measure.Release) (out chooser.Tried, err error) {
	o := t.d.outcome(r, t.l, made)
	o.Patterns = study.PatternsOf(made.Plan, made.Released)
	need := judge.Needed(judge.Size{Records: made.Original.Rows(), Columns: made.Original.Width()}, made.Params, t.set, false, rel.Segments != nil)
	if _, err := t.l.HideFrom(ctx, need.Limits, made.Params); err != nil {
		return out, err
	}
	for k := range need.Limits {
		harder(&need.Limits[k], tr.Effort)
	}
	whom := t.l.Policy.Intruders
	if whom == nil {
		whom = intruder.Defaults(made.Original.Attrs())
		if !slices.ContainsFunc(t.set.Limits, func(l limit.Limit) bool { return l.Declared }) { // thresholds of the policy hold against all
			whom = whom[:1]
		}
	}
	if whom, err = t.l.People(rel, whom); err != nil {
		return out, err
	}
	o.People = study.Whose(o.Original, rel.Persons[rel.Person])
	seed := study.SeedOf(t.src.Fork("attacks").Fork(strconv.Itoa(tr.Seed))) // of whatever effort: more people are these and others
	e, err := judge.Evidence(ctx, o, rel, rel, t.set, t.l.Policy.Intruders, whom, seed)
	if err != nil {
		return out, err
	}
	if o.Measures, err = study.Evaluate(ctx, rel, study.Against(need.Limits, whom), rng.New(seed), nil); err != nil {
		return out, err
	}
	out.Demands = study.Judge(o, *e).Demands
	for _, m := range o.Measures {
		a, ok := m.Value.Detail.(measure.Assault)
		undecided := func(d study.Demand) bool {
			return d.Measure == m.Name && d.Against == m.Intruder && d.Standing == study.Unproven
		}
		if ok && m.Err == "" && slices.ContainsFunc(out.Demands, undecided) {
			out.More = out.More || 2*a.Attack().Tried < a.Attack().People-1
		}
	}
	return out, nil
}

// harder asks a measure that tries people for twice as many, so many times over, and for nothing that the limits do not ask.
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
