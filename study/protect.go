package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/impute"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/protect/stages"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Request asks for a release.
type Request struct {
	Table        *table.Table // roles set, the class categorical
	Method       protect.Method
	Set          map[string]string   // parameters that differ from their defaults
	Keep         []string            // columns to leave alone, whatever the technique
	Pseudonymise []string            // identifiers that get a pseudonym; all others are dropped
	KeepOrder    bool                // leave the records in their order; else their place tells nothing
	Blank        []intruder.Intruder // blank cells until none of them can look anybody up
	Besides      []profile.Reading   // whose the records may be besides; the table has the columns
	Seed         rng.Seed
	Options      protect.Options
	// Persons says whose the records are where the table lacks the column with the role Person; nil takes the column.
	Persons     map[table.RecordID]int32
	Hierarchies hierarchy.Set // value generalisation hierarchies for a technique that generalises
	// Shared is what other holders released of the same columns, to which a technique adds only what that lacks
	// (protect.Sharing); nil for nothing.
	Shared *table.Table
	// Few is how many people have a number at least that need not be withheld, where it is above protect.Common: the
	// default of a technique that says which are rare (protect.CommonName).
	Few int
	// Plan, when given, is applied instead of fitting the method; Set must then be empty.
	Plan protect.Plan
	// Made is what was fitted to the table, and released of it, elsewhere; nil to do both here.
	Made *Made
	// Relations hold in every record and are kept in the release; none are where a plan is given, which says itself
	// (Restated).
	Relations Relations
	// Restated says how the table is restated for the plan that is given; nil where it is not.
	Restated *relation.Restatement
	// Recur says that the same people are in other releases by this seed and plan: a value that stays is released alike
	// (execute.Options.Recur). The table must have the column with the role Person.
	Recur bool
	// DatesShift moves all dates of a person by one random offset, in place of what the technique does to them.
	DatesShift DateShift
	// RoundWeights is how many units of similar weight at least share one, so that it points at none; 0 leaves weights as
	// they are.
	RoundWeights int
	// Impute names how missing values are filled in before the technique sees the table (package impute); empty leaves
	// them missing. Marks says which values are imputed, in a column of its own for each. Imputed is the filling that
	// belongs to a plan which is given.
	Impute  string
	Marks   bool
	Imputed *impute.Plan
	// Pay charges what the fit promises in differential privacy, before its noise is drawn; nil charges nothing. It may be
	// called twice for one release.
	Pay func(charges []budget.Entry) error
}

// Protected is a release with its plan, which is confidential.
type Protected struct {
	Plan     protect.Plan
	Params   []param.Value
	Original *table.Table // the request's table without its identifiers
	// the original of every released record, in the schema of the release: Original, unless the plan generalises or
	// samples
	Matched  *table.Table
	Released *table.Table // the same attributes, perturbed
	// Output is what to write: Released with pseudonyms where asked for, in the original's column order. The identities of
	// its records are the rows of the originals in their source.
	Output  *table.Table
	Notes   []message.Sentence // remarks of the technique, and on what was done besides
	Changes []Change           // one per column of the request's table
	Blanked Blanks             // cells of Released that were blanked, by column
	// Restated says how the table was restated so that the release keeps relations; nil where it was not.
	Restated *relation.Restatement
	Restored relation.Restored
	Nearly   bool             // some records of the original break a relation that was found
	Broken   []relation.Found // relations of a plan that was given which the table at hand breaks
	Unkept   []relation.Left  // relations that the release may break, and why

	// OfPeople says what is left open of people with several records, or in several releases.
	OfPeople []Remark

	// Synthetic says that the released records were drawn anew and stand for nobody. Holdout holds the records of people
	// who were kept out of the fit, of whom Original then has none; nil where a plan was given, or they are too few.
	Synthetic bool
	Holdout   *table.Table

	bounded bool // the technique is to promise something of one record more or less (differential privacy)
	// Imputed is how missing values were filled in, and Filled the original with them; nil where they were not.
	Imputed *impute.Plan
	Filled  *impute.Filled

	rounded []string // weights that several units share
	look    sync.Once
	odd     []message.Sentence // see OfValues
	// as measure.Release.Again; nil where a plan was given
	again func(context.Context, *table.Table, rng.Source) (*table.Table, error)
}

// Private reports whether the noise of a plan bounds how far the odds of two originals can move; its notes say how far.
func Private(p protect.Plan) bool { return !math.IsInf(protect.Epsilon(p), 1) }

// LocalPrivacy says what a bound on odds is of, where a plan has one: of which categories, and of whom. The table is
// the original.
func LocalPrivacy(p protect.Plan, t *table.Table) (out []message.Sentence) {
	if !Private(p) || protect.Synthetic(p) { // of drawn records the plan's notes say so
		return nil
	}
	var observed []string
	changes := p.Changes()
	for _, a := range t.Attrs() {
		if a.Kind != table.Numeric && !a.Declared && slices.Contains(changes, a.Name) {
			observed = append(observed, a.Name)
		}
	}
	if observed != nil {
		out = append(out, message.Say("told.bound.observed").Columns("columns", observed, 5))
	}
	if of, n := t.People(); of != nil {
		most, records := 0, make([]int, n)
		for _, k := range of {
			records[k]++
			most = max(most, records[k])
		}
		if most > 1 {
			out = append(out, message.Say("told.bound.several").Count("n", most))
		}
	}
	return out
}

// Crowd returns the columns over which a plan promises k-anonymity; nil for none.
func Crowd(p protect.Plan) []string {
	if c, ok := p.(protect.Crowding); ok {
		if k, columns := c.Crowd(); k > 1 {
			return columns
		}
		return nil
	}
	s, ok := p.(protect.Sequence)
	if !ok {
		return nil
	}
	var most, changed []string // changed by the stages that follow
	for _, stage := range slices.Backward(s.Inner()) {
		own := Crowd(stage)
		kept := !slices.ContainsFunc(own, func(c string) bool { return slices.Contains(changed, c) })
		if kept && len(own) > len(most) {
			most = own
		}
		changed = append(changed, stage.Changes()...)
	}
	return most
}

// Notes returns the plan's remarks for the custodian.
func Notes(p protect.Plan) []message.Sentence {
	if n, ok := p.(protect.Noted); ok {
		return n.Notes()
	}
	return nil
}

// Protect drops or pseudonymises identifiers, fits the technique and applies its plan. Cost: that of the technique.
func Protect(ctx context.Context, q Request) (*Protected, error) {
	if err := rng.New(q.Seed).Seeded(); err != nil {
		return nil, err
	}
	var was *table.Table // with the dates as they were
	if q.DatesShift != (DateShift{}) {
		var err error
		if q, was, err = q.DatesShift.shift(q); err != nil {
			return nil, err
		}
	}
	p := &Protected{Original: WithoutIdentifiers(q.Table), Plan: q.Plan}
	if p.Original == nil {
		return nil, errors.New("every column is an identifier; nothing is left to release")
	}
	if err := checkColumns(q); err != nil {
		return nil, err
	}
	if p.Original == q.Table || q.Table.WithRole(table.Person) < 0 { // else it is told already
		p.Original = whose(p.Original, q.Table, q.Persons)
	}
	src := rng.New(q.Seed)
	if err := p.restate(&q, src); err != nil {
		return nil, err
	}
	if err := p.impute(ctx, &q); err != nil {
		return nil, err
	}
	made, err := p.perturb(ctx, &q, src)
	if err != nil {
		return nil, err
	}
	if err := p.finish(ctx, &q, was); err != nil {
		return nil, err
	}
	p.Notes = append(append(p.Notes, p.OfImputation()...), Notes(p.Plan)...)
	if err := p.assemble(q, src); err != nil {
		return nil, err
	}
	if !q.KeepOrder {
		if p.Output, err = made.Shuffled(ctx, p.Output); err != nil {
			return nil, err
		}
	}
	p.Notes = slices.Concat(p.warnings(), p.Notes)
	return p, nil
}

// finish does to the release what is asked for besides the technique. Was is the table with the dates as they were; nil
// where they are not shifted.
func (p *Protected) finish(ctx context.Context, q *Request, was *table.Table) (err error) {
	if was != nil {
		if err := p.shifted(q.DatesShift, was); err != nil {
			return err
		}
	}
	if q.Table, err = p.match(q.Table); err != nil {
		return err
	}
	if err := p.keep(q); err != nil {
		return err
	}
	if err := p.roundWeights(q.Table, q.RoundWeights); err != nil {
		return err
	}
	if err := p.blank(ctx, q.Table, q); err != nil {
		return err
	}
	return p.mark()
}

// perturb fits the technique, unless the request has a plan, and applies the plan.
func (p *Protected) perturb(ctx context.Context, q *Request, src rng.Source) (*execute.Release, error) {
	reduced, err := p.reduced()
	if err != nil {
		return nil, err
	}
	if p.Plan == nil {
		if err := p.fit(ctx, *q, reduced, src.Fork("fit")); err != nil {
			return nil, err
		}
		if again, err := p.bound(q); err != nil {
			return nil, err
		} else if again {
			if reduced, err = p.reduced(); err == nil {
				err = p.fit(ctx, *q, reduced, src.Fork("fit"))
			}
			if err != nil {
				return nil, err
			}
		}
	} else {
		if reduced, err = reduced.Conform(p.Plan.Schema(), false); err != nil {
			return nil, fmt.Errorf("the table does not fit the plan: %w", err)
		}
		if p.Restated == nil && p.Imputed == nil {
			p.Original = reduced
		}
	}
	made, err := p.execute(ctx, q, reduced, src)
	if err != nil {
		return nil, err
	}
	if err := p.restore(q, reduced, src.Fork("relations")); err != nil {
		return nil, err
	}
	if err := p.fillAgain(ctx, q, reduced, src); err != nil {
		return nil, err
	}
	if protect.Synthetic(p.Plan) != p.Synthetic {
		return nil, fmt.Errorf("%s: new records are drawn of a whole table: leave out segments (within), and the techniques "+
			"before and after", q.Method.Name)
	}
	if len(p.Plan.Changes()) == 0 && p.Released.Rows() == p.Original.Rows() {
		return nil, fmt.Errorf("%s changes no column of this table: there is nothing it could protect", q.Method.Name)
	}
	return made, nil
}

// keep puts the columns that are to be left alone back as they were, of the records that the release has.
func (p *Protected) keep(q *Request) error {
	for _, name := range q.Keep {
		j, k := q.Table.Find(name), p.Released.Find(name)
		if j < 0 || k < 0 {
			continue
		}
		if a, b := q.Table.Attr(j), p.Released.Attr(k); a.Kind != b.Kind || !slices.Equal(a.Labels, b.Labels) {
			do := "name it in the parameter \"except\""
			if q.Plan == nil && !q.Method.New().Params().Has("except") {
				do = "give it a role that the technique leaves alone (--role " + quoted(name+"=other") + ")"
			}
			return fmt.Errorf("%s: column %q is to be kept, and the plan generalises it; %s", q.Method.Name, name, do)
		}
		var err error
		if p.Released, err = p.Released.WithColumn(k, q.Table.Column(j)); err != nil {
			return err
		}
	}
	return nil
}

// execute applies the plan. The records keep their order, since what goes out has columns that the plan does not know.
func (p *Protected) execute(
	ctx context.Context,
	q *Request,
	t *table.Table,
	src rng.Source,
) (*execute.Release, error) {
	j := q.Table.WithRole(table.Person)
	opt := execute.Options{
		Options:   q.Options,
		KeepOrder: true,
		OneEach:   q.Persons != nil || j >= 0 || q.Table.WithRole(table.Household) >= 0,
		Counts:    q.Method.People,
	}
	if q.Recur {
		if j < 0 {
			return nil, errors.New("people recur, but no column identifies them: give one the role person")
		}
		person := q.Table.Column(j)
		opt.Recur = &person
	}
	made, err := q.executed(ctx, p.Plan, t, src, opt)
	switch {
	case err != nil && q.Recur:
		return nil, failure{q.Method.Name, err}
	case err != nil:
		return nil, err
	}
	p.Released, p.Notes = made.Table, append(p.Notes, message.Texts(made.Notes)...)
	for _, o := range made.OfPeople {
		p.OfPeople = append(p.OfPeople, ofPeople(message.Text(o.Title), message.Text(o.More)))
	}
	return made, nil
}

// fit fits the technique.
func (p *Protected) fit(ctx context.Context, q Request, t *table.Table, src rng.Source) (err error) {
	if q.Shared != nil {
		if q.Shared, err = p.Restated.Reduce(q.Shared); err != nil {
			return err
		}
	}
	if p.Plan, p.Params, err = Fit(ctx, q, t, src); err == nil {
		p.again = Imputed(p.Imputed, Restated(p.Restated, p.Synthetic, Again(q.Method, p.Params, q.Hierarchies)))
	}
	return err
}

// Fit sets the parameters of a request's technique, fits it to a table without identifiers, and returns the plan and
// all parameters. Kept columns reach the technique as its parameter except, where it has one, so that the plan says
// what it will change. Protect draws from the fork "fit" of the seed's source.
func Fit(ctx context.Context, q Request, t *table.Table, src rng.Source) (protect.Plan, []param.Value, error) {
	tech := q.Method.New()
	if err := q.set(ctx, tech, aggregate.Over(t, src)); err != nil {
		return nil, nil, err
	}
	if s, ok := tech.(protect.Sharing); ok {
		s.UseShared(q.Shared)
	} else if q.Shared != nil {
		return nil, nil, fmt.Errorf("%s adds nothing to what others shared: take morph, or leave that out (shared)",
			q.Method.Name)
	}
	if err := q.pay(tech, t); err != nil {
		return nil, nil, failure{q.Method.Name, err}
	}
	if q.Made != nil {
		return q.Made.Plan, tech.Params().Values(), nil
	}
	p, err := protect.Fit(ctx, tech, t, src)
	if err != nil {
		return nil, nil, failure{q.Method.Name, err}
	}
	return p, tech.Params().Values(), nil
}

// FitAggregates is Fit for a technique that is fitted from aggregates, and for records that nobody holds as a whole.
func FitAggregates(ctx context.Context, q Request, r *aggregate.Records) (protect.Plan, []param.Value, error) {
	tech, ok := q.Method.New().(protect.Aggregated)
	if !ok {
		return nil, nil, fmt.Errorf("%s is fitted to a table that is on one machine", q.Method.Name)
	}
	if err := q.set(ctx, tech, r); err != nil {
		return nil, nil, err
	}
	p, err := protect.FitAggregates(ctx, tech, r)
	if err != nil {
		return nil, nil, failure{q.Method.Name, err}
	}
	return p, tech.Params().Values(), nil
}

// set sets the parameters of a technique, and refuses records that it cannot be fitted to.
func (q *Request) set(ctx context.Context, tech protect.Technique, r *aggregate.Records) error {
	t, set := r.Schema, map[string]string{}
	for k, v := range q.Set {
		set[k] = v
	}
	if params := tech.Params(); len(q.Keep) > 0 && params.Has("except") {
		names := param.SplitNames(set["except"])
		for _, n := range q.Keep {
			if !slices.Contains(names, n) && t.Find(n) >= 0 {
				names = append(names, n)
			}
		}
		set["except"] = param.JoinNames(names)
	}
	if q.Few > protect.Common {
		withhold(tech.Params(), q.Few, set)
	}
	if err := tech.Params().Apply(set); err != nil {
		return failure{q.Method.Name, err}
	}
	if err := generalise(tech, *q, t); err != nil {
		return err
	}
	if q.Method.OnDomain {
		if err := stretched(ctx, r, append(param.SplitNames(set["except"]), q.Keep...)); err != nil {
			return failure{q.Method.Name, err}
		}
	}
	return nil
}

// withhold sets how many people must have a number for it to be released as it is, in the technique and in every stage
// that asks for it, unless it is set.
func withhold(params param.Set, few int, set map[string]string) {
	for _, p := range params {
		if _, name := stages.Split(p.Name); name != protect.CommonName {
			continue
		}
		if _, own := set[p.Name]; !own {
			set[p.Name] = strconv.Itoa(min(few, protect.MostCommon))
		}
	}
}

// checkColumns refuses to pseudonymise what is no identifier and to keep what is one.
func checkColumns(q Request) error {
	for _, name := range q.Keep {
		if j := q.Table.Find(name); j >= 0 && q.Table.Attr(j).Role&table.Identifier != 0 {
			return fmt.Errorf("column %q is an identifier and cannot be kept; give it another role, or a pseudonym", name)
		}
	}
	for _, name := range q.Pseudonymise {
		j := q.Table.Find(name)
		if j < 0 {
			return fmt.Errorf("column %q is missing and cannot be pseudonymised", name)
		}
		if q.Table.Attr(j).Role&table.Identifier == 0 {
			return fmt.Errorf("column %q is not an identifier; only identifiers are pseudonymised", name)
		}
	}
	return nil
}

// WithoutIdentifiers returns the table without its identifiers; nil when nothing is left. It tells whose the records
// are (table.Table.People), where a column has the role Person or Household.
func WithoutIdentifiers(t *table.Table) *table.Table {
	var cols []int
	for j := range t.Width() {
		if t.Attr(j).Role&table.Identifier == 0 {
			cols = append(cols, j)
		}
	}
	switch len(cols) {
	case 0:
		return nil
	case t.Width():
		return t
	}
	return whose(t.Select(cols...), t, nil)
}
