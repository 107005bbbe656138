// Package trial makes the trial releases for a choice and judges them like the final one. Package chooser decides which
// are made; this package reads no files.
package trial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/search"
	"github.com/dither-data/dither/table"
)

// Records that trials are made on: fewer people are easier to find, so what keeps the limits on some of the records
// keeps them on all.
const (
	MostRecords  = 50_000
	leastRecords = 500
)

// Seeds is with how many seeds the least noise must keep the limits.
const Seeds = 3

// ErrNoModel is a purpose that an information quality model must say, where there is none. It is inside a *judge.Usage.
var ErrNoModel = errors.New("no information quality model says what the table is for")

// Trials makes releases of a subject, which hold nothing but what they are judged by. Its fields are set before the
// first.
type Trials struct {
	Subject    *judge.Subject
	Limits     *limit.Set
	Candidates []search.Candidate
	KeepOrder  bool // releases keep the order of the records
	Purpose    Purpose
	From       *table.Table // trials are made on it or on records of it: the subject's table, or one like it
	Source     rng.Source
	Shared     *table.Table // what other holders released of the same columns; nil for nothing

	base   measure.Base
	mu     sync.Mutex
	tables map[float64]*excerpt // by the share of the records
}

// Purpose is what a release must not lose.
type Purpose struct {
	Name    string // a purpose or weights, as package chooser takes them
	Aspects []search.WeightedLoss
	Assumed message.Sentence // why this one counts, in words, where nobody asked for any
}

// PurposeOf reads what a release of a subject must not lose. Empty takes the information quality model where there is
// one, else hiding where there is something to hide, else everything. What cannot be read is a *judge.Usage.
func PurposeOf(s *judge.Subject, asked string) (Purpose, error) {
	p := Purpose{Name: asked}
	if asked == "" {
		p.Name = "everything"
		if s.Sensitive != "" {
			p.Name = "hiding"
		}
		p.Assumed = message.Say("assumed.purpose").Name("purpose", p.Name)
		if s.Model != "" {
			p.Name = judge.Modelled
			p.Assumed = message.Say("assumed.model")
		}
	}
	var err error
	if p.Aspects, err = search.Purpose(p.Name, search.LossNames()); err != nil {
		return p, &judge.Usage{Field: "for", Value: p.Name, Err: err}
	}
	modelled := func(a search.WeightedLoss) bool { return search.Modelled(a.Name) }
	if s.Model == "" && slices.ContainsFunc(p.Aspects, modelled) {
		return p, &judge.Usage{Field: "for", Value: p.Name, Err: ErrNoModel}
	}
	return p, nil
}

// Request is what a search by these trials is asked for; who asks adds how a choice is confirmed. Open goes before it.
func (t *Trials) Request() search.Request {
	return search.Request{Candidates: t.Candidates, Aspects: t.Purpose.Aspects, Seeds: Seeds,
		LeastShare: min(1, leastRecords/float64(t.Records())), Works: t.onWork() != nil, Try: t.try}
}

// Nothing is what follows where no candidate is shown to keep the limits.
func Nothing(limits message.Sentence) *judge.Broken {
	return &judge.Broken{
		Verdict:  "nothing is released",
		Breaches: []string{message.Say("out.nothing").Part("limits", limits).String()},
	}
}

// Records is how many records a trial is made on at most.
func (t *Trials) Records() int { return t.of(1).table.Rows() }

// excerpt is some of the records, and what is learned from them as they are.
type excerpt struct {
	table    *table.Table
	identity *measure.Release
}

// of returns a share of the records, those of one person together.
func (t *Trials) of(share float64) *excerpt {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.From.Rows()
	rows := min(int(math.Ceil(share*float64(min(n, MostRecords)))), n)
	if p := t.tables[share]; p != nil {
		return p
	}
	p := &excerpt{table: t.From}
	if rows < n {
		p.table = t.From.Gather(somePeople(t.From, rows, t.Source.Fork("records")))
	}
	o := study.WithoutIdentifiers(p.table)
	p.identity = &measure.Release{
		Original: o,
		Released: o,
		Paired:   true,
		Recoding: measure.Recoding{Hierarchies: t.Subject.Hierarchies},
		Work:     measure.NewWorkspace(),
	}
	if t.tables == nil {
		t.tables = map[float64]*excerpt{}
	}
	t.tables[share] = p
	return p
}

// somePeople draws people until they have so many records, and returns the rows of these in their order.
func somePeople(t *table.Table, rows int, src rng.Source) (out []int) {
	name := judge.Named(t, table.Person)
	of := study.OwnersOf(t, study.Persons(t, []string{name})[name])
	if name == "" || of == nil {
		return t.Drawn(rows, src)
	}
	of = slices.Clone(of)
	drawn := map[int32]bool{}
	mine := map[int32]int{}
	for _, p := range of {
		mine[p]++
	}
	all := len(mine)
	for _, k := range rng.Order(src.Fork("people").Stream(), all, all, t.Identities(of, all), 0) {
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

// Open leaves the aspects that the table can lose, and returns the names of the others that would count. Where none is
// left that counts it is a *judge.Usage. Cost: that of their measures.
func (t *Trials) Open(ctx context.Context) (unmeasured []string, err error) {
	if l := t.Limits.Find(limit.Seed); t.Source.Short() && (l == nil || l.Max == nil || *l.Max < 1) {
		return nil, &judge.Usage{Field: "seed", Err: errors.New("a release that a short seed draws is withheld, as short " +
			"seeds can be tried out: name a secret one (--seed-file), or accept that before anything is tried (--accept seed)")}
	}
	p := t.of(1)
	t.base = search.NewBase(p.identity.Original)
	taken, err := t.taken(ctx, p.identity, nil)
	if err != nil {
		return nil, err
	}
	asked := t.Purpose.Aspects
	can, cannot := search.Applicable(asked, taken, t.base)
	for _, a := range asked {
		if a.Weight > 0 && slices.Contains(cannot, a.Name) {
			unmeasured = append(unmeasured, a.Name)
		}
	}
	if !slices.ContainsFunc(can, func(a search.WeightedLoss) bool { return a.Weight > 0 }) {
		return unmeasured, &judge.Usage{Field: "for", Value: t.Purpose.Name,
			Err: fmt.Errorf("the table has nothing of %s to lose", strings.Join(unmeasured, ", "))}
	}
	t.Purpose.Aspects = can
	return unmeasured, nil
}

// Losses are what a release of the whole table loses, by aspect. Cost: that of their measures.
func (t *Trials) Losses(ctx context.Context, r *measure.Release, made *study.Protected) ([]float64, error) {
	base := t.base
	if t.From != t.Subject.Table { // a likeness, whose class may have other shares
		base = search.NewBase(r.Original)
	}
	taken, err := t.taken(ctx, r, made.Params)
	if err != nil {
		return nil, err
	}
	return search.Losses(t.Purpose.Aspects, taken, r, base), nil
}

// taken are the measures of the aspects.
func (t *Trials) taken(ctx context.Context, r *measure.Release, technique []param.Value) ([]study.Measured, error) {
	specs := search.Specs(t.Purpose.Aspects)
	t.Subject.Weigh(specs)
	if _, err := t.Subject.HideFrom(ctx, specs, technique); err != nil {
		return nil, err
	}
	return study.Evaluate(ctx, r, specs, t.Source.Fork("losses"), nil)
}
