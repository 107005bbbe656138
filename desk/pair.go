package desk

import (
	"context"
	"fmt"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// pair reads the released table and the hold-out, lines them up with the original, and tells the release and the outcome how it was made.
// Without a plan it is not known how.
func (d *Desk) pair(ctx context.Context, l *Loaded, how *plan, q *evaluating, o *study.Outcome) (*measure.Release, error) {
	orig, err := l.Anonymous()
	if err != nil {
		return nil, err
	}
	g, want, err := l.recoding(how, orig)
	if err != nil {
		return nil, err
	}
	rel, file, err := d.compared(ctx, l, q, q.Released, want)
	if err != nil {
		if how == nil && d.readable(ctx, l, q) {
			err = fmt.Errorf("%w; %w", err, ErrGeneral)
		}
		return nil, err
	}
	if err := q.released(l, rel); err != nil {
		return nil, err
	}
	o.ReleasedFile, o.Identifying = *file, study.Identifying(l.Table, rel)
	var p pairs
	if p.rows, p.known, err = d.kept(how, l.File, *file, q); err != nil {
		return nil, err
	}
	if rel, err = unguarded(rel, l.Table); err != nil {
		return nil, err
	}
	if other := how.stranger(l.File, *file); other != "" {
		o.Notes = append(o.Notes, message.Say("note.stranger").Text("other", other))
	}
	whole := rel // with pseudonyms
	if rel = only(rel, orig, l.Table); p.known {
		rel, p.have = study.Rejoin(orig, rel, p.rows)
	} else if q.Complete {
		rel = thinned(rel, orig)
	}
	var hold *table.Table
	if q.Holdout != "" {
		if hold, o.HoldoutFile, err = d.compared(ctx, l, q, q.Holdout, numbersOf(orig)); err != nil {
			return nil, err
		}
		if hold = only(hold, orig, l.Table); q.Complete {
			hold = thinned(hold, orig)
		}
		hold = d.familiar(hold, orig, how)
	}
	if g == nil && len(l.Hierarchies) > 0 {
		g = study.ByLabels(l.Hierarchies, rel)
	}
	r, missing, err := study.Pair(orig, rel, hold, g)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		d.note("the release lacks " + strings.Join(missing, ", ") + "; these columns are not compared")
	}
	if err := d.order(r, how, &p, q); err != nil {
		return nil, err
	}
	r.Hierarchies = l.Hierarchies
	if err := known(r, how, q, o); err != nil {
		return nil, err
	}
	p.match(r)
	if (!q.Complete || p.known) && q.in.space == nil { // incomplete records were left out of both, and what is larger than the memory stays in the order of its file
		r.Places = study.InFile(r.Released)
	}
	if err := d.earlier(ctx, l, q, r, whole, &p); err != nil {
		return nil, err
	}
	o.Original, o.Released, o.Generalised = r.Original, r.Released, r.Exact != nil
	o.Exact = r.Exact
	if o.Method == nil {
		o.Changes = study.Differences(r)
	}
	return r, nil
}

// compared reads a table to compare with the original.
func (d *Desk) compared(ctx context.Context, l *Loaded, q *evaluating, path string, want expected) (*table.Table, *study.File, error) {
	t, info, err := d.read(ctx, path, q.in, l.Policy, want)
	if err != nil {
		return nil, nil, err
	}
	file := fileOf(path, info, t)
	return t, &file, nil
}

// thinned leaves out the incomplete records of a table that is compared with complete ones. A release of as many records may have lost values to
// suppression.
func thinned(t, orig *table.Table) *table.Table {
	if t.Rows() != orig.Rows() {
		t, _ = complete(t)
	}
	return t
}

// familiar takes values of the hold-out that neither the original nor the plan knows for missing, and says of how many records.
func (d *Desk) familiar(hold, orig *table.Table, how *plan) *table.Table {
	hold, n := study.Familiar(hold, orig.Attrs())
	if how != nil {
		more := 0
		hold, more = study.Familiar(hold, how.Schema())
		n += more
	}
	if n > 0 {
		d.note(fmt.Sprintf("%s of the hold-out have a category that the original lacks, or a number outside its declared domain; it is taken for unknown", numeral.Counted(n, "record")))
	}
	return hold
}

// readable reports whether the release can be read once its columns need not hold what those of the original do. Standard input is spent by then.
func (d *Desk) readable(ctx context.Context, l *Loaded, q *evaluating) bool {
	if q.Released == standardInput {
		return false
	}
	_, _, err := d.read(ctx, q.Released, q.in, l.Policy, expected{})
	return err == nil
}

// recoding returns how a release generalises, nil when it does not, and the kinds of the released columns.
func (l *Loaded) recoding(how *plan, orig *table.Table) (g study.Recoding, want expected, err error) {
	want = numbersOf(orig)
	if how != nil {
		if r, ok := how.Plan.(law.Recoder); ok {
			empty, err := orig.Slice(0, 0).Conform(how.Schema(), true)
			if err == nil {
				empty, err = r.Recode(empty)
			}
			if err != nil {
				return nil, want, fmt.Errorf("the table does not fit the plan: %w", err)
			}
			for j := range empty.Width() {
				want.expect(empty.Attr(j))
			}
			return r, want, nil
		}
	}
	for name := range l.Hierarchies {
		want.expect(&table.Attribute{Name: name, Kind: table.Categorical})
	}
	return nil, want, nil
}

// numbersOf expects the numbers and dates of a table in another: a released column must not be read as categories because it is short, nor one of dates because
// it is doubtful which of its numbers is the day.
func numbersOf(t *table.Table) expected {
	want := expected{map[string]table.Kind{}, map[string]calendar.Notation{}}
	for j := range t.Width() {
		if a := t.Attr(j); a.Kind == table.Numeric {
			want.expect(a)
		}
	}
	return want
}

// expect adds a column.
func (e *expected) expect(a *table.Attribute) {
	delete(e.dates, a.Name)
	if e.kinds[a.Name] = a.Kind; a.Dates != "" {
		delete(e.kinds, a.Name)
		e.dates[a.Name] = a.Dates
	}
}

// only leaves out the columns that are identifiers of the original.
func only(t, orig, whole *table.Table) *table.Table {
	var cols []int
	for j := range t.Width() {
		n := t.Attr(j).Name
		if orig.Find(n) >= 0 || whole.Find(n) < 0 {
			cols = append(cols, j)
		}
	}
	return t.Select(cols...)
}

// known tells the release how it was made.
func known(r *measure.Release, how *plan, q *evaluating, o *study.Outcome) error {
	if how == nil {
		return nil
	}
	if err := study.WithPlan(r, how.Plan); err != nil {
		return fmt.Errorf("%s: %w", q.Plan, err)
	}
	r.Again = study.Again(how.method, how.file.Params, r.Hierarchies)
	o.Patterns = study.PatternsOf(how.Plan, r.Released)
	o.Method, o.Shuffled, o.Changes = &how.method.Card, how.file.Shuffled, study.Described(r, how.Plan)
	if !q.Public { // as of a release that is made: parameters and corrections help an intruder
		o.Params, o.Corrections = how.file.Params, study.Corrections(how.Plan)
	}
	return nil
}
