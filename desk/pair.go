package desk

import (
	"context"
	"fmt"
	"strings"

	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// pair reads the released table and the hold-out, lines them up with the original, and tells the release and the outcome how it was made.
func (d *Desk) pair(ctx context.Context, l *Loaded, q *EvaluateRequest, o *study.Outcome) (*measure.Release, error) {
	orig, err := l.anonymous()
	if err != nil {
		return nil, err
	}
	var how *plan // nil when it is not known
	if q.Plan != "" {
		if how, err = readPlan(q.Plan); err != nil {
			return nil, err
		}
	}
	g, kinds, err := l.recoding(how, orig)
	if err != nil {
		return nil, err
	}
	rel, file, err := d.compared(ctx, l, q, orig, q.Released, kinds)
	if err != nil {
		if how == nil && d.readable(ctx, l, q) {
			err = fmt.Errorf("%w; %w", err, ErrGeneral)
		}
		return nil, err
	}
	o.ReleasedFile = *file
	var hold *table.Table
	if q.Holdout != "" {
		if hold, o.HoldoutFile, err = d.compared(ctx, l, q, orig, q.Holdout, numericKinds(orig)); err != nil {
			return nil, err
		}
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
	d.order(r, how, orig.Rows(), rel.Rows(), q.Unpaired)
	r.Hierarchies = l.Hierarchies
	if err := known(r, how, q, o); err != nil {
		return nil, err
	}
	o.Original, o.Released, o.Generalised = r.Original, r.Released, r.Exact != nil
	o.Exact = r.Exact
	if o.Method == nil {
		o.Changes = study.Differences(r)
	}
	return r, nil
}

// compared reads a table to compare with the original, without what is an identifier there.
func (d *Desk) compared(ctx context.Context, l *Loaded, q *EvaluateRequest, orig *table.Table, path string, kinds map[string]table.Kind) (*table.Table, *study.File, error) {
	t, info, err := d.read(ctx, path, q.Source, l.Policy, kinds)
	if err != nil {
		return nil, nil, err
	}
	file := fileOf(path, info, t)
	if q.Complete && t.Rows() != orig.Rows() { // a release of complete records may have lost values to suppression
		t, _ = complete(t)
	}
	return only(t, orig, l.Table), &file, nil
}

// readable reports whether the release can be read once its columns need not hold what those of the original do. Standard input is spent by then.
func (d *Desk) readable(ctx context.Context, l *Loaded, q *EvaluateRequest) bool {
	if q.Released == standardInput {
		return false
	}
	_, _, err := d.read(ctx, q.Released, q.Source, l.Policy, nil)
	return err == nil
}

// recoding returns how a release generalises, nil when it does not, and the kinds of the released columns.
func (l *Loaded) recoding(how *plan, orig *table.Table) (g study.Recoding, kinds map[string]table.Kind, err error) {
	kinds = numericKinds(orig)
	if how != nil {
		if r, ok := how.Plan.(law.Recoder); ok {
			empty, err := orig.Slice(0, 0).Conform(how.Schema(), true)
			if err == nil {
				empty, err = r.Recode(empty)
			}
			if err != nil {
				return nil, nil, fmt.Errorf("the table does not fit the plan: %w", err)
			}
			for j := range empty.Width() {
				kinds[empty.Attr(j).Name] = empty.Attr(j).Kind
			}
			return r, kinds, nil
		}
	}
	for name := range l.Hierarchies {
		kinds[name] = table.Categorical
	}
	return nil, kinds, nil
}

// numericKinds are the numeric columns of a table: a released column must not be read as categories because it is short.
func numericKinds(t *table.Table) map[string]table.Kind {
	kinds := map[string]table.Kind{}
	for j := range t.Width() {
		if a := t.Attr(j); a.Kind == table.Numeric {
			kinds[a.Name] = table.Numeric
		}
	}
	return kinds
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

// order decides whether row i of the release is taken for row i of the original: by what the request and the plan say, and by the columns that the plan
// leaves alone. Rows of a release in another order are not compared: everybody would look safe.
func (d *Desk) order(r *measure.Release, how *plan, rows, released int, unpaired bool) {
	if !r.Paired {
		d.note(fmt.Sprintf("the tables differ in length (%s and %s), so measures of single records are not taken", count(rows), count(released)))
	}
	if r.Paired && !unpaired && how == nil {
		d.remark(Note{"row i of the release is taken for row i of the original", "unpaired"})
	}
	r.Paired = r.Paired && !unpaired
	if how == nil || !r.Paired {
		return
	}
	if how.file.Shuffled {
		r.Paired = false
		d.note("the plan says that the release was shuffled, so measures of single records are not taken")
		return
	}
	names, reordered := study.Strays(r, how.Plan)
	switch alone := strings.Join(names, ", "); {
	case len(names) == 0:
	case reordered:
		r.Paired = false
		d.note("the plan leaves " + alone + " alone, and the release has the same values in another order: rows are not compared, and measures of single records not taken")
	default:
		d.note("the plan leaves " + alone + " alone, but the release has other values: it may be the release of another plan or table")
	}
}

// known tells the release how it was made.
func known(r *measure.Release, how *plan, q *EvaluateRequest, o *study.Outcome) error {
	if how == nil {
		return nil
	}
	if err := study.WithPlan(r, how.Plan); err != nil {
		return fmt.Errorf("%s: %w", q.Plan, err)
	}
	o.Method, o.Shuffled, o.Changes = &how.method.Card, how.file.Shuffled, study.Described(r, how.Plan)
	if !q.Public { // as of a release that is made: parameters and corrections help an intruder
		o.Params, o.Corrections = how.file.Params, study.Corrections(how.Plan)
	}
	return nil
}
