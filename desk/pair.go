package desk

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/internal/text/formulas"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
)

// tables are those that are compared, as they were read.
type tables struct {
	original *table.Table // without identifiers
	whole    *table.Table // the release, with pseudonyms
	released *table.Table // the release as it is compared, beside the original where it is known who is who
	holdout  *table.Table // nil for none
	recoding study.Recoding
	groups   *groups // of a release in two tables
	who      pairs
}

// pair reads what is compared with the original, lines it up, and says what is known of it. Without a plan it is
// not known how the release was made.
func (l *opened) pair(ctx context.Context) (*paired, error) {
	o := &study.Outcome{Version: l.d.Version, OriginalFile: l.t.File, Noticed: l.t.Noticed}
	t, err := l.read(ctx, o)
	if err != nil {
		return nil, err
	}
	r, err := l.lineUp(t)
	if err != nil {
		return nil, err
	}
	if err := l.tell(r, o); err != nil {
		return nil, err
	}
	if t.groups != nil && l.how == nil {
		if err := t.groups.divide(r); err != nil {
			return nil, err
		}
	}
	t.who.match(r)
	r.Shown = l.t.Shown(t.whole)
	// Incomplete records were left out of both, and what is larger than the memory stays in the order of its file.
	if (!l.t.Policy.Complete || t.who.known) && l.in.space == nil {
		r.Places = study.InFile(r.Released)
	}
	for _, e := range l.earlier {
		if err := l.before(ctx, e, t, r); err != nil {
			return nil, err
		}
	}
	judge.Seen(o, r)
	cast, err := l.t.Cast(r, o)
	if err != nil {
		return nil, err
	}
	return &paired{l, r, o, cast}, nil
}

// read reads the release and the hold-out, and tells the outcome their files.
func (l *opened) read(ctx context.Context, o *study.Outcome) (*tables, error) {
	t := &tables{}
	var err error
	if t.original, err = l.t.Anonymous(); err != nil {
		return nil, err
	}
	var want expected
	if t.recoding, want, err = l.t.recoding(l.how, t.original); err != nil {
		return nil, err
	}
	rel, err := l.release(ctx, want)
	if err != nil {
		return nil, err
	}
	o.ReleasedFile, o.Key, t.groups = rel.file, l.q.Key, rel.groups
	o.Identifying = slices.DeleteFunc(l.t.Still(rel.Table), func(i study.Identifying) bool { return i.Column == o.Key })
	if t.who, err = l.kept(l.how, rel.file); err != nil {
		return nil, err
	}
	if !t.who.stranger.Empty() {
		o.Notes = append(o.Notes, message.Say("note.stranger").Part("other", t.who.stranger))
	}
	if t.whole, err = formulas.Unguard(rel.Table, l.t.Table); err != nil {
		return nil, err
	}
	if l.q.Key != "" {
		if t.who.known, t.who.rows, err = l.byKey(t.whole); err != nil {
			return nil, err
		}
	}
	if t.who.known {
		t.released, t.who.have = study.Rejoin(t.original, l.t.Compared(t.whole, t.original), t.who.rows)
	} else {
		t.released = l.thinned(l.t.Compared(t.whole, t.original), t.original)
	}
	if l.q.Holdout == "" {
		return t, nil
	}
	hold, err := l.compared(ctx, l.q.Holdout, l.t.numbersOf(t.original))
	if err != nil {
		return nil, err
	}
	o.HoldoutFile = &hold.file
	t.holdout = l.familiar(l.thinned(l.t.Compared(l.t.Told(hold.Table), t.original), t.original), t.original)
	return t, nil
}

// lineUp puts the tables beside one another, and decides whether their rows are pairs.
func (l *opened) lineUp(t *tables) (*measure.Release, error) {
	r, missing, err := l.t.Pair(t.original, t.released, t.holdout, t.recoding)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		l.d.note(message.Say("told.lacks").Listed("columns", missing))
	}
	rows, released := r.Original.Rows(), r.Released.Rows()
	if t.who.known {
		t.who.sole, r.Paired = released < rows, released == rows
		return r, nil
	}
	r.Paired, err = l.order(r)
	return r, err
}

// other is a table that is compared with the original.
type other struct {
	*table.Table
	file   study.File
	info   *format.Info
	groups *groups // of a release in two tables
}

// compared reads a table to compare with the original, in the way in which that was read.
func (l *opened) compared(ctx context.Context, path string, want expected) (*other, error) {
	return l.readBy(ctx, path, l.t.Policy, want)
}

// readBy is compared by another policy.
func (l *opened) readBy(ctx context.Context, path string, pol *policy.Policy, want expected) (*other, error) {
	t, info, err := l.d.read(ctx, path, l.in, pol, want)
	if err != nil && len(want.numbers) > 0 && path != standardInput { // another tool may have written plain numbers
		want.numbers = nil
		if t, again, failed := l.d.read(ctx, path, l.in, pol, want); failed == nil {
			return &other{Table: t, file: fileOf(path, again, t), info: again}, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return &other{Table: t, file: fileOf(path, info, t), info: info}, nil
}

// release reads the release. Of one that was made elsewhere, asterisks are values that were suppressed.
func (l *opened) release(ctx context.Context, want expected) (*other, error) {
	rel, err := l.both(ctx, want)
	if err == nil && l.how != nil {
		if p, two := l.how.Plan.(protect.TwoTables); two && rel.Find(p.Separate()) < 0 {
			return nil, fmt.Errorf("%s has no column %q: the plan releases its values in a second table; name it "+
				"(--sensitive-table FILE)", l.q.Released, p.Separate())
		}
		return rel, l.fits(rel)
	}
	if err == nil {
		return rel, l.starred(rel, want)
	}
	if l.how == nil && l.q.Released != standardInput { // which is spent by now
		if general, failed := l.both(ctx, want.categories()); failed == nil {
			if l.starred(general, want) == nil {
				return general, nil
			}
			err = fmt.Errorf("%w; %w", err, ErrGeneral)
		}
	}
	return nil, err
}

// starred marks what a release that was made elsewhere suppresses, and says how much.
func (l *opened) starred(rel *other, want expected) error {
	t, n, err := reading.Starred(rel.Table, l.t.Table, want.options(), rel.info)
	if err != nil {
		return err
	}
	if rel.Table = t; n > 0 {
		l.d.note(message.Say("told.starred").Count("n", n))
	}
	return l.fits(rel)
}

// thinned leaves the incomplete records out of a table, where those of the original were. A release of as many
// records may have lost values to suppression.
func (l *opened) thinned(t, orig *table.Table) *table.Table {
	if l.t.Policy.Complete && t.Rows() != orig.Rows() {
		t, _ = reading.Complete(t)
	}
	return t
}

// familiar takes values of the hold-out that neither the original nor the plan knows for missing, and says of how many
// records.
func (l *opened) familiar(hold, orig *table.Table) *table.Table {
	hold, n := study.Familiar(hold, orig.Attrs())
	if l.how != nil {
		more := 0
		hold, more = study.Familiar(hold, l.how.columns())
		n += more
	}
	if n > 0 {
		l.d.note(message.Say("told.unfamiliar").Count("n", n))
	}
	return hold
}

// recoding returns how a release generalises, nil when it does not, and the kinds of the released columns.
func (l *Loaded) recoding(how *plan, orig *table.Table) (g study.Recoding, want expected, err error) {
	want = l.numbersOf(orig)
	if how != nil {
		if r := study.RecodingOf(how.Plan, how.file.Restated); r != nil {
			empty, err := orig.Slice(0, 0).Conform(how.columns(), true)
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

// numbersOf expects the numbers and dates of a table in another: a released column must not be read as categories
// because it is short, nor one of dates because it is doubtful which of its numbers is the day.
func (l *Loaded) numbersOf(t *table.Table) expected {
	want := expected{map[string]table.Kind{}, map[string]calendar.Notation{}, map[string]decimal.Notation{}}
	for j := range t.Width() {
		a := t.Attr(j)
		if a.Kind != table.Numeric {
			continue
		}
		want.expect(a)
		if n, told := l.Info.Numbers[a.Name]; told {
			want.numbers[a.Name] = n
		}
	}
	return want
}

// expect adds a column.
func (e *expected) expect(a *table.Attribute) {
	delete(e.dates, a.Name)
	if a.Kind != table.Numeric {
		delete(e.numbers, a.Name)
	}
	if e.kinds[a.Name] = a.Kind; a.Dates != "" {
		delete(e.kinds, a.Name)
		e.dates[a.Name] = a.Dates
	}
}

// categories is what is expected of the columns of categories alone, where others may hold texts, too.
func (e *expected) categories() expected {
	kinds := maps.Clone(e.kinds)
	maps.DeleteFunc(kinds, func(_ string, k table.Kind) bool { return k == table.Numeric })
	return expected{kinds: kinds}
}

// options are those of a format in which what is expected is read.
func (e *expected) options() format.Options {
	return format.Options{Kinds: e.kinds, Dates: e.dates, Numbers: e.numbers}
}

// tell tells the release, and what is known of it, how it was made.
func (l *opened) tell(r *measure.Release, o *study.Outcome) error {
	if l.how == nil {
		return nil
	}
	p, file, card := l.how.Plan, l.how.file, &l.how.method.Card
	if err := study.WithSeen(r, p, study.Sees(file)); err != nil {
		return fmt.Errorf("%s: %w", l.q.Plan, err)
	}
	r.Again = study.Imputed(file.Imputed, study.Restated(file.Restated, protect.Synthetic(p),
		study.Again(l.how.method, file.Params, r.Hierarchies)))
	o.Patterns, o.Crowd = study.PatternsOf(p, r.Released), study.Crowd(p)
	o.Synthetic = l.synthetic()
	o.Method, o.Shuffled, o.Changes = card, file.Shuffled, study.Described(r, p)
	o.Private = study.Private(p) && file.Imputed == nil
	if !l.public { // as of a release that is made: parameters, notes and corrections help an intruder
		o.Params, o.Corrections = file.Params, study.Corrections(p)
		o.Stronger = study.Stronger(l.how.method, file.Params)
		o.Notes = append(append(o.Notes, study.Notes(p)...), study.LocalPrivacy(p, r.Original)...)
	}
	return nil
}
