package study

import (
	"context"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/noise/domains"
	"github.com/dither-data/dither/internal/noise/noisekey"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Relations are what holds between the columns of a table in every record.
type Relations struct {
	Declared []relation.Relation // by the custodian; they may be public
	Found    []relation.Found    // in the table; they are about its records, so they are confidential
	// Loose were found, too, and a release need not keep them, as the custodian wants: it is judged by them.
	Loose []relation.Found
	// Doubted hold in every record, which chance might explain: nothing is kept or judged by them.
	Doubted []relation.Relation
	Shares  bool // sums keep their total and shares, not their parts
	Wide    bool // the table has too many columns (relation.Widest), so they were not looked for
	Large   bool // the table is larger than the memory, so they were not looked for
}

// All returns those that a release keeps: those declared, and those found that were not declared.
func (r *Relations) All() []relation.Relation { return with(r.Declared, r.Found) }

// Known returns those that a release is judged by: those that it keeps, and those that it need not.
func (r *Relations) Known() []relation.Relation { return with(r.All(), r.Loose) }

// with returns relations, and those found that are not among them.
func with(list []relation.Relation, found []relation.Found) []relation.Relation {
	out := slices.Clone(list)
	for _, f := range found {
		if !slices.ContainsFunc(out, func(o relation.Relation) bool { return o.Equal(&f.Relation) }) {
			out = append(out, f.Relation)
		}
	}
	return out
}

// restate prepares a release of new records, and works out how the release keeps relations, unless the plan says so.
func (p *Protected) restate(q *Request, src rng.Source) (err error) {
	if err := p.anew(q, src); err != nil {
		return err
	}
	if q.Made != nil {
		for _, f := range q.Relations.Loose {
			p.Unkept = append(p.Unkept, relation.Left{Relation: f.Relation, Why: message.Say("relation.left.parts")})
		}
		return nil
	}
	if q.Plan != nil {
		if p.Restated = q.Restated; p.Restated == nil {
			return nil
		}
		if p.Original, err = p.Original.Conform(p.Restated.Attrs, false); err == nil {
			err = p.stillHold()
		}
		return err
	}
	if q.Method.Purpose == protect.Samples || q.Method.Purpose == protect.Baselines {
		return nil
	}
	return p.keepRelations(q, q.Relations.All())
}

// stillHold notes which relations of a plan that was given do not hold in the table at hand: the release keeps them all
// the same, and so shows what the table does not have.
func (p *Protected) stillHold() error {
	for _, r := range p.Restated.Relations() {
		b, err := r.Bind(p.Original)
		if err != nil {
			return err
		}
		checked, broken := b.Count(p.Original)
		if !relation.Tolerated(broken, checked) {
			p.Broken = append(p.Broken, relation.Found{Relation: r, Checked: checked, Broken: broken})
		}
	}
	return nil
}

// bound takes back what keeps relations that were found, where the noise of the technique bounds what is learned: what
// was found is not covered by the bound. It reports whether the plan is to be fitted again.
func (p *Protected) bound(q *Request) (again bool, err error) {
	if p.Restated == nil || !Private(p.Plan) || len(q.Relations.Found) == 0 {
		return false, nil
	}
	p.Restated, p.Unkept = nil, nil
	for _, r := range q.Relations.All()[len(q.Relations.Declared):] {
		p.Unkept = append(p.Unkept, relation.Left{Relation: r, Why: message.Say("relation.left.bound")})
	}
	return true, p.keepRelations(q, q.Relations.Declared)
}

// keepRelations restates the table for relations.
func (p *Protected) keepRelations(q *Request, list []relation.Relation) (err error) {
	if len(list) == 0 {
		return nil
	}
	fixed := q.fixed(p.Original)
	p.Nearly = slices.ContainsFunc(q.Relations.Found, func(f relation.Found) bool { return f.Broken > 0 })
	var left []relation.Left
	coarse := slices.Contains(q.Method.Claims, protect.Recodes)
	p.Restated, left, err = relation.Restate(p.seen(), list, relation.RestateOptions{
		Fixed: func(name string) bool {
			j := p.Original.Find(name)
			return fixed[name] || !p.Synthetic && j >= 0 && p.Original.Attr(j).Role&(table.Class|table.Weight) != 0
		},
		Coarse:     coarse,
		Public:     p.bounded,
		Suppresses: q.Method.Suppresses,
		Shares:     q.Relations.Shares,
		Together: func(name string) bool {
			j := p.Original.Find(name)
			return coarse && j >= 0 && p.Original.Attr(j).Role&table.Quasi != 0
		},
	})
	p.Unkept = append(p.Unkept, left...)
	return err
}

// fixed returns the columns of a table that are not restated: those that are kept, and those that the parameters of the
// technique, patterns that it is to hide among them, or a hierarchy, name.
func (q *Request) fixed(t *table.Table) map[string]bool {
	out := map[string]bool{}
	for _, name := range q.Keep {
		out[name] = true
	}
	for name := range q.Hierarchies {
		out[name] = true
	}
	for _, c := range protect.LikeOf(q.Set[protect.LikeName]) {
		out[c.Column] = true
	}
	for _, value := range q.Set {
		for _, name := range param.SplitNames(value) {
			out[name] = true
		}
	}
	var columns []string
	for j := range t.Width() {
		columns = append(columns, t.Attr(j).Name)
	}
	for _, p := range q.Method.New().Params().Patterns() {
		for _, name := range basket.Named(q.Set[p], columns) {
			out[name] = true
		}
	}
	return out
}

// reduced is the table as the technique sees it.
func (p *Protected) reduced() (*table.Table, error) { return p.Restated.Reduce(p.seen()) }

// seen is the original as far as a technique may see it, its gaps filled where that is asked for. Where the technique
// promises something of one record more or less, it is without grids of numbers that one record can change, and with
// its gaps.
func (p *Protected) seen() *table.Table {
	if p.bounded {
		return domains.Public(p.Original)
	}
	return p.filled()
}

// restore puts the release of the reduced table together again.
func (p *Protected) restore(q *Request, reduced *table.Table, src rng.Source) error {
	if p.Restated == nil {
		return nil
	}
	if p.Synthetic {
		var err error
		p.Released, p.Restored, err = p.Restated.Restore(nil, p.Released, relation.Draws{Source: src, Anew: true})
		return err
	}
	original, err := matching(p.filled(), p.Released), error(nil)
	var keys []uint64
	if by, err := protect.SegmentsOf(p.Plan, reduced); err != nil {
		return err
	} else if by != nil {
		keys = make([]uint64, reduced.Rows())
		if err := by.Route(reduced, keys); err != nil {
			return err
		}
		if p.Released.Rows() != reduced.Rows() {
			keys = nil
		}
	}
	by := relation.Draws{Source: src, Segments: keys}
	if q.Recur {
		by.Persons = noisekey.Persons(q.Table.Column(q.Table.WithRole(table.Person)), src.Fork("person"))
		by.Alike, _, _ = protect.Recurring(p.Plan)
	}
	p.Released, p.Restored, err = p.Restated.Restore(original, p.Released, by)
	return err
}

// matching returns the records of a table that another has, in its order, by their identities.
func matching(t, has *table.Table) *table.Table {
	if t.Rows() == has.Rows() {
		return t
	}
	at := make(map[table.RecordID]int, t.Rows())
	for i := range t.Rows() {
		at[t.ID(i)] = i
	}
	rows := make([]int, has.Rows())
	for i := range rows {
		rows[i] = at[has.ID(i)]
	}
	return t.Gather(rows)
}

// recoded returns records in the schema of the release: as general as it is.
func recoded(r *relation.Restatement, g noisemodel.Recoder, t *table.Table) (*table.Table, error) {
	if r == nil {
		return g.Recode(t)
	}
	t, err := t.Conform(r.Attrs, true)
	if err != nil {
		return nil, err
	}
	reduced, err := r.Reduce(t)
	if err != nil {
		return nil, err
	}
	if p, ok := g.(protect.Plan); ok {
		if reduced, err = fitted(reduced, p); err != nil {
			return nil, err
		}
	}
	if reduced, err = g.Recode(reduced); err != nil {
		return nil, err
	}
	out, _, err := r.Restore(t, reduced, relation.Draws{})
	return out, err
}

// restatedRecoding is the recoding of a plan that sees a restated table.
type restatedRecoding struct {
	noisemodel.Recoder
	by *relation.Restatement
}

func (r restatedRecoding) Recode(t *table.Table) (*table.Table, error) {
	return recoded(r.by, r.Recoder, t)
}

// RecodingOf returns how a plan generalises, of a table that is restated for it; nil where it does not.
func RecodingOf(p protect.Plan, by *relation.Restatement) Recoding {
	g, ok := p.(noisemodel.Recoder)
	switch {
	case !ok:
		return nil
	case by == nil:
		return g
	}
	return restatedRecoding{g, by}
}

// WithRestated is WithPlan for a plan that sees a restated table: segments and mechanisms are of Reduced.
func WithRestated(r *measure.Release, p protect.Plan, by *relation.Restatement) error {
	return WithSeen(r, p, Seen{Restated: by})
}

// WithSeen is WithPlan for a plan that sees a table otherwise than it is: segments and mechanisms are of Reduced.
func WithSeen(r *measure.Release, p protect.Plan, how Seen) (err error) {
	by := how.Restated
	if how == (Seen{}) {
		return WithPlan(r, p)
	}
	schema := p.Schema()
	if by != nil {
		schema = by.Attrs
	}
	if how.Imputed != nil {
		schema = how.Imputed.Schema()
	}
	original, holdout := &r.Original, &r.Holdout
	if r.Exact != nil {
		original, holdout = &r.Exact, &r.ExactHoldout
	}
	for _, t := range []**table.Table{original, holdout} {
		if *t != nil && protect.Conforms(*t, schema) != nil {
			if *t, err = (*t).Conform(schema, true); err != nil {
				return err
			}
		}
	}
	made := &measure.Release{Paired: r.Paired, Owners: r.Owners, Places: r.Places, Work: measure.NewWorkspace()}
	for _, t := range []struct {
		to *(*table.Table)
		of *table.Table
		as *table.Table // what its gaps are filled in as; nil for what is not filled in
	}{{&made.Original, *original, r.Released}, {&made.Released, r.Released, nil}, {&made.Holdout, *holdout, *holdout},
		{&made.Matched, r.Matched, r.Released}} {
		if t.of == nil {
			continue
		}
		if t.as != nil {
			if t.of, err = how.filled(t.of, p, t.as); err != nil {
				return err
			}
		}
		if *t.to, err = by.Reduce(t.of); err != nil {
			return err
		}
	}
	if g := RecodingOf(p, by); g != nil {
		if err := recode(r, g); err != nil {
			return err
		}
	}
	r.Reduced = made
	return WithPlan(made, p)
}

// Restated returns how another table is released by a technique that sees a restated table (Again), and whether the
// records that it releases are nobody's.
func Restated(
	by *relation.Restatement,
	synthetic bool,
	release func(context.Context, *table.Table, rng.Source) (*table.Table, error),
) func(context.Context, *table.Table, rng.Source) (*table.Table, error) {
	if by == nil {
		return release
	}
	return func(ctx context.Context, t *table.Table, src rng.Source) (*table.Table, error) {
		reduced, err := by.Reduce(t)
		if err != nil {
			return nil, err
		}
		made, err := release(ctx, reduced, src)
		if err != nil {
			return nil, err
		}
		draws := relation.Draws{Source: src.Fork("relations"), Anew: synthetic}
		if !synthetic {
			t = matching(t, made)
		}
		out, _, err := by.Restore(t, made, draws)
		return out, err
	}
}
