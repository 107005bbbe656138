package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Spec asks for one measure.
type Spec struct {
	Measure measure.Measure
	Set     map[string]string // parameters that differ from their defaults
	// Intruder is whom a measure that depends on one is taken against; nil for its own default.
	Intruder *intruder.Intruder
}

// Against asks for every measure that depends on an intruder once for each of them.
func Against(specs []Spec, intruders []intruder.Intruder) []Spec {
	var out []Spec
	for _, s := range specs {
		if !s.Measure.Intruder || s.Intruder != nil || len(intruders) == 0 {
			out = append(out, s)
			continue
		}
		for k := range intruders {
			s.Intruder = &intruders[k]
			out = append(out, s)
		}
	}
	return out
}

// against names the intruder of a measure; empty when it depends on none.
func (s *Spec) against() string {
	if s.Intruder == nil || !s.Measure.Intruder {
		return ""
	}
	return s.Intruder.Name
}

// Pair makes a release of an original and a released table that were read apart. Columns that the released table lacks
// are left out and named in missing; a column that only the released table has is an error. Both tables get the
// original's attributes; a column of the release that says which values of another are imputed becomes part of that.
// Labels that only one of them knows are legal. Rows are paired when their numbers agree. A
// release that generalises is lined up by how it does, g; it is nil for one that does not.
func Pair(original, released, holdout *table.Table, g Recoding) (r *measure.Release, missing []string, err error) {
	if released, err = marked(original, released); err != nil {
		return nil, nil, err
	}
	var cols []int
	for j := range original.Width() {
		if released.Find(original.Attr(j).Name) < 0 {
			missing = append(missing, original.Attr(j).Name)
			continue
		}
		cols = append(cols, j)
	}
	if len(cols) == 0 {
		return nil, nil, errors.New("the two tables have no column in common")
	}
	for j := range released.Width() {
		if original.Find(released.Attr(j).Name) < 0 {
			return nil, nil, fmt.Errorf("the released table has a column %q that is not in the original", released.Attr(j).Name)
		}
	}
	r = &measure.Release{Original: original.Select(cols...), Paired: original.Rows() == released.Rows(),
		Work: measure.NewWorkspace()}
	if g != nil {
		r.Released, r.Holdout = released, holdout
		return r, missing, recode(r, g)
	}
	if r.Released, err = released.Conform(r.Original.Attrs(), true); err != nil {
		return nil, nil, fmt.Errorf("released table: %w", err)
	}
	schema := r.Released.Attrs()
	if holdout != nil {
		if r.Holdout, err = holdout.Conform(schema, true); err != nil {
			return nil, nil, fmt.Errorf("hold-out table: %w", err)
		}
		schema = r.Holdout.Attrs()
	}
	// Labels only grow, so conforming again adds those of the later tables without moving a code.
	if r.Original, err = r.Original.Conform(schema, false); err != nil {
		return nil, nil, err
	}
	if r.Released, err = r.Released.Conform(schema, false); err != nil {
		return nil, nil, err
	}
	return r, missing, nil
}

// abreast is how many measures are taken at a time. Each spreads its own work over all cores, so a second fills the
// stretches in which the first does not; more would only need more memory.
const abreast = 2

// Evaluate takes the measures of a release; they are returned in the order asked for, and each is what it would be
// alone. A measure that fails is recorded with its reason and does not stop the rest; only a cancelled context does.
// Progress is called when a measure begins, one call at a time; it may be nil.
func Evaluate(
	ctx context.Context,
	r *measure.Release,
	specs []Spec,
	src rng.Source,
	progress func(done, total int, name string),
) ([]Measured, error) {
	out := make([]Measured, len(specs))
	read := readingsOf(r)
	var told sync.Mutex
	begun := 0
	tell := func(name string) {
		if progress == nil {
			return
		}
		told.Lock()
		defer told.Unlock()
		progress(max(0, begun+1-abreast), len(specs), name)
		begun++
	}
	err := parallel.Few(ctx, abreast, len(specs), func(k int) (err error) {
		tell(specs[k].Measure.Name)
		out[k], err = specs[k].take(ctx, read, src)
		out[k].speak()
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, weaker(read.those, specs, out)
}

// take takes one measure of a release, those of risk of those who are in it.
func (s *Spec) take(ctx context.Context, read readings, src rng.Source) (Measured, error) {
	r := read.all
	m := Measured{
		Card:      s.Measure.Card,
		Facts:     s.Measure.Facts,
		Side:      s.Measure.Side,
		Better:    s.Measure.Better,
		Unit:      s.Measure.Unit,
		Intruder:  s.against(),
		Described: s.Intruder != nil && s.Intruder.Described,
	}
	meter := s.Measure.New()
	if err := meter.Params().Apply(s.Set); err != nil {
		return m, fmt.Errorf("%s: %w", s.Measure.Name, err)
	}
	against := r
	if s.Measure.Side == measure.Risk {
		against = read.those
	}
	m.of(against)
	against = s.facing(against, read.those)
	if m.Err = s.unseen(against); !m.Err.Empty() {
		m.Skip = true
		return m, nil
	}
	v, against, err := s.worst(ctx, read, meter, against, src)
	if ctx.Err() != nil {
		return m, ctx.Err()
	}
	m.of(against)
	if err != nil {
		m.Err, m.Skip = measure.Reason(err), errors.Is(err, measure.ErrNotApplicable)
		if m.Skip && s.Measure.Otherwise != nil {
			m.Uses, err = s.Measure.Otherwise(ctx, against)
			m.Uses = asExact(m.Uses, against)
			return m, err
		}
		return m, nil
	}
	if s.Measure.Uses != nil {
		m.Uses = asExact(s.Measure.Uses(v, classOf(r.Original)), against)
	}
	if m.Value = v; r.Exact != nil && !s.Measure.Exact && s.Measure.Side == measure.Utility {
		m.Value.Notes = append(slices.Clip(v.Notes), message.Say("measure.note.generalised"))
	}
	if of, _ := against.People(); of != nil && s.Measure.Side == measure.Risk {
		switch {
		case s.Measure.Counts == measure.Records:
			m.Value.CountRecords()
		case m.Unit.Kind == measure.Heads && v.Counts != measure.Records:
			m.Unit = measure.Counting(measure.Heads, "unit.people")
		}
	}
	if left := strange(r.Original, nil); left != nil && !s.Measure.Sets {
		m.Value.Notes = append(slices.Clip(m.Value.Notes), message.Say("measure.note.scalars").Names("columns", left))
	}
	return m, nil
}

// of says of what the risks of a release are.
func (m *Measured) of(r *measure.Release) {
	if m.Words = measure.Words(r.Level()); m.Side == measure.Risk {
		m.Of, m.Unit = r.Level(), m.Unit.Among(r.Level())
	}
}

// unseen says why a measure that does not look at sets has nothing to look at: sets are all that there is, or all that
// the intruder knows. Its figure would be that of a release that shows nothing. Empty where there is something; where
// the intruder knows the order of the records, that is.
func (s *Spec) unseen(r *measure.Release) message.Sentence {
	if s.Measure.Sets || r.Original == nil || strange(r.Original, nil) == nil {
		return message.Sentence{}
	}
	view, err := r.View()
	if err != nil {
		return message.Sentence{} // what needs the view says so
	}
	if s.Measure.Intruder && !s.Measure.Besides && len(view.Known) == 0 && len(view.Sets) > 0 {
		return message.Say("measure.skipped.knowsSetsAlone")
	}
	for _, a := range r.Original.Attrs() {
		if a.Kind.Scalar() && a.Role&(table.Identifier|table.Weight) == 0 || s.Measure.Besides && view.Order {
			return message.Sentence{}
		}
	}
	return message.Say("measure.skipped.setsAlone")
}

// Find returns the measured value of a name, nil when it was not taken or failed.
func Find(ms []Measured, name string) *Measured {
	k := slices.IndexFunc(ms, func(m Measured) bool { return m.Name == name && m.Err.Empty() })
	if k < 0 {
		return nil
	}
	return &ms[k]
}

// Limits says in plain words what a release does not protect against: what every release has in common, then what the
// technique itself leaves open.
func Limits(o *Outcome) (out []Remark) {
	defer func() { out = remarksAmong(out, o.Words) }()
	out = append(out, o.OfPeople...)
	if p := o.Patterns; p != nil && (p.Found > 0 || p.Err != nil) {
		out = append(out, plain(p.Sentence().Whole(), p.Sentence().Whole()))
	}
	if o.Patterns != nil && o.Patterns.Alone && o.Method != nil {
		out = append(out, Remark{message.Say("remark.title.hidesOnly"),
			message.Say("remark.hidesOnly").Name("technique", o.Method.Name).Whole(),
			message.Say("remark.title.hidesOnly").Whole()})
	}
	if o.Private {
		out = append(out, plain(message.Say("remark.title.notes"), message.Say("remark.notes")))
	} else {
		out = append(out, plain(message.Say("remark.title.guarantee"), message.Say("remark.guarantee")))
	}
	switch {
	case o.Shuffled, o.Synthetic:
	case o.Method == nil:
		out = append(out, plain(message.Say("remark.title.mayKeepOrder"), message.Say("remark.mayKeepOrder")))
	default:
		out = append(
			out,
			Remark{
				message.Say("remark.title.order"),
				message.Say("remark.order").Whole(),
				message.Say("remark.users.order").Whole(),
			},
		)
	}
	for _, c := range o.Changes {
		if j := o.Original.Find(c.Column); j >= 0 && o.Original.Attr(j).Role&table.Weight != 0 &&
			c.Action.Kind != Rounded && c.Action.Kind != Drawn {
			out = append(
				out,
				plain(message.Say("remark.title.weight").Name("column", c.Column),
					message.Say("remark.weight").Name("column", c.Column)),
			)
		}
	}
	return append(append(out, openColumns(o)...), exposed(o)...)
}

// openColumns are the remarks on columns that are as they were, on gaps and on limits that were taken from the data.
func openColumns(o *Outcome) (out []Remark) {
	kept, undeclared := 0, 0
	for _, c := range o.Changes {
		if c.Action.Kind == Kept || c.Changed == 0 {
			kept++
		}
	}
	bounded := o.Synthetic && o.Private // then no limit is read from the records
	for j := range o.Original.Width() {
		a := o.Original.Attr(j)
		if a.Kind == table.Numeric && !a.Declared && !bounded &&
			(o.Released == nil || shareAnEnd(o.Original.Num(j), o.Released.Num(j))) {
			undeclared++
		}
	}
	if kept > 0 {
		out = append(out,
			plain(message.Say("remark.title.kept").Count("n", kept), message.Say("remark.kept").Count("n", kept)))
	}
	if !o.Synthetic && gapsStay(o) {
		out = append(out, plain(message.Say("remark.title.gaps"), message.Say("remark.gaps")))
	}
	if undeclared > 0 {
		out = append(
			out,
			Remark{
				message.Say("remark.title.ends").Count("n", undeclared),
				message.Say("remark.ends").Count("n", undeclared).Whole(),
				message.Say("remark.users.ends").Count("n", undeclared).Whole(),
			},
		)
	}
	return out
}

// gapsStay reports whether there are missing values and no column has fewer of them in the release, as one has where
// they are drawn like other values.
func gapsStay(o *Outcome) (some bool) {
	count := func(t *table.Table, j int) (n int) {
		for i := range t.Rows() {
			if t.MissingAt(i, j) {
				n++
			}
		}
		return n
	}
	for j := range o.Original.Width() {
		n := count(o.Original, j)
		if n == 0 {
			continue
		}
		some = true
		if o.Released == nil || o.Released.Rows() != o.Original.Rows() {
			continue
		}
		if k := o.Released.Find(o.Original.Attr(j).Name); k >= 0 && count(o.Released, k) < n {
			return false
		}
	}
	return some
}

// exposed is what the technique itself leaves open.
func exposed(o *Outcome) []Remark {
	if o.Method == nil || o.Method.Exposes == "" {
		return nil
	}
	return []Remark{plain(message.Say("remark.title.exposes").Text("technique", o.Method.Title),
		message.Say("remark.exposes").Text("technique", o.Method.Title).Text("what", o.Method.Exposes))}
}

// shareAnEnd reports whether the smallest or the largest of the original numbers is that of the released ones too.
// Without numbers they share none.
func shareAnEnd(original, released []float64) bool {
	known := func(v float64) bool { return v == v }
	if !slices.ContainsFunc(original, known) || !slices.ContainsFunc(released, known) {
		return false
	}
	lo, hi := table.Range(original)
	least, most := table.Range(released)
	return least == lo || most == hi
}

// Differences says of every column how many values the release changes, when it is not known how it was made.
func Differences(r *measure.Release) []Change {
	var out []Change
	exact := r.Original
	if r.Exact != nil {
		exact = r.Exact
	}
	for j := range exact.Width() {
		a := exact.Attr(j)
		ch := Change{Column: a.Name, Kind: a.Kind, Role: a.Role.String(), Changed: math.NaN(), Action: Action{Kind: Unknown}}
		if r.Paired {
			ch.Changed = changed(exact, j, r.Released, j)
			if ch.Changed == 0 {
				ch.Action.Kind = Kept
			}
		}
		out = append(out, ch)
	}
	return out
}

// Described says of every column how many values the release changes, and what the plan did to it.
func Described(r *measure.Release, p protect.Plan) []Change {
	out := Differences(r)
	doings := actions(p)
	for i := range out {
		if did, ok := doings[out[i].Column]; ok {
			out[i].Action = did
		} else if out[i].Changed == 0 {
			out[i].Action = Action{Kind: Kept}
		}
	}
	return out
}

// divide says by which segments a plan releases the records of a table.
func divide(r *measure.Release, t *table.Table, p protect.Plan) error {
	by, err := protect.SegmentsOf(p, t)
	if by != nil {
		r.Segments = by
	}
	return err
}

// WithPlan tells a release how it was made: the segmentation of the plan, if it has one, and what an intruder who knows
// the technique knows of the noise. The tables must have every attribute of the plan; they get its codes. Where the
// plan generalises, the original and the hold-out are generalised as the release is, and the exact original is kept
// beside them.
func WithPlan(r *measure.Release, p protect.Plan) (err error) {
	if g, ok := p.(noisemodel.Recoder); ok {
		if err := recode(r, g); err != nil {
			return err
		}
		r.Mechanisms = []noisemodel.Mechanism{p}
		return divide(r, r.Exact, p)
	}
	all := []**table.Table{&r.Original, &r.Released, &r.Holdout}
	schema := p.Schema()
	for _, t := range slices.Concat(all, all) { // labels only grow, so the second time all get those of the last
		if *t == nil || protect.Conforms(*t, schema) == nil {
			continue
		}
		if *t, err = (*t).Conform(schema, true); err != nil {
			return fmt.Errorf("the tables do not fit the plan: %w", err)
		}
		schema = (*t).Attrs()
	}
	if err := divide(r, r.Original, p); err != nil {
		return err
	}
	r.Mechanisms = []noisemodel.Mechanism{p}
	if c, ok := p.(protect.Composite); ok {
		for _, s := range c.Steps() {
			r.Mechanisms = append(r.Mechanisms, s)
		}
	}
	return nil
}
