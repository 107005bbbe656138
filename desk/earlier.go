package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// earlier is an earlier release of the same people.
type earlier struct {
	path string
	plan string // path of its plan; empty where that is not known
}

// earlierOf are the earlier releases, with their plans where the request names them.
func (q *EvaluateRequest) earlierOf(paths []string) (list []earlier) {
	for k, path := range paths {
		e := earlier{path: path}
		if len(q.EarlierPlan) > 0 {
			e.plan = q.EarlierPlan[k]
		}
		list = append(list, e)
	}
	return list
}

// contradicts refuses a request that says two things at once of the rows, or names plans that go with no release.
func (q *EvaluateRequest) contradicts() error {
	switch plans, releases := len(q.EarlierPlan), len(q.Said.Earlier); {
	case q.Paired && q.Unpaired:
		return usage(errors.New("rows are either paired or not"))
	case q.Key != "" && (q.Paired || q.Unpaired):
		return usage(errors.New("rows are paired by a key, or else by their order or not at all"))
	case plans > 0 && releases == 0:
		return usage(errEarlier)
	case plans > 0 && plans != releases:
		return usage(
			fmt.Errorf("there are %s and %s of earlier releases; each release needs its own, in the same order",
				counted(releases, "earlier release"), counted(plans, "plan")),
		)
	}
	return nil
}

// before reads an earlier release of the same people and puts its records beside those of the release.
func (l *opened) before(ctx context.Context, e earlier, t *tables, r *measure.Release) error {
	pol := *l.t.Policy
	pol.File.LeaveOut = nil // the earlier release may show what this one leaves out
	was, err := l.readBy(ctx, e.path, &pol, l.t.numbersOf(r.Released))
	if err != nil {
		return err
	}
	rows, guessed, err := l.whose(e, was, t, r)
	if err != nil {
		return err
	}
	if rows == nil {
		l.d.note(message.Say("told.earlier.unknown").Name("file", was.file.Name))
		return nil
	}
	beside, err := study.Beside(r.Released, was.Table, rows)
	if err != nil {
		return err
	}
	if guessed && !study.LooksPaired(r.Original, beside) {
		l.d.note(message.Say("told.earlier.random").Name("file", was.file.Name))
		return nil
	}
	if err := l.further(ctx, e, was.Table, rows, r); err != nil {
		return err
	}
	return fitEarlier(r, beside)
}

// further adds the columns of an earlier release that tell more than those of the release, with the roles that the
// original gives them, else its own plan, else their names and values suggest. Identifiers and weights are left out. A
// column that is an identifier of the original, as what is to be left out of this release is declared to be, was none
// where the earlier one shows it.
func (l *opened) further(ctx context.Context, e earlier, was *table.Table, rows []int, r *measure.Release) error {
	more := study.Further(r.Released, was, rows)
	if more == nil {
		return nil
	}
	p, err := profile.Brief(ctx, more)
	if err != nil {
		return err
	}
	known := l.t.Table.Attrs()
	if e.plan != "" {
		how, err := readPlan(e.plan)
		if err != nil {
			return err
		}
		known = append(slices.Clone(how.columns()), known...)
	}
	given := map[string]table.Role{}
	for _, a := range known {
		if more.Find(a.Name) >= 0 && a.Role&table.Identifier == 0 {
			given[a.Name] = a.Role
		}
	}
	if more, _, err = profile.Roles(more, p, "", given); err != nil {
		return err
	}
	var columns []int
	for j, a := range more.Attrs() {
		if a.Role&(table.Identifier|table.Person|table.Household|table.Weight) == 0 {
			columns = append(columns, j)
		}
	}
	if columns != nil {
		r.Further = append(r.Further, more.Select(columns...))
	}
	return nil
}

// whose returns the rows of an earlier release by those of the release; nil where they are not known. They are
// known by what is kept with the plan of the earlier one, where it was made from the same original, else by an
// identifier, such as a pseudonym, that both files hold. Else they are guessed by the place.
func (l *opened) whose(e earlier, was *other, t *tables, r *measure.Release) (rows []int, guessed bool, err error) {
	var stranger message.Sentence
	if e.plan != "" {
		if rows, stranger, err = l.byPlan(e.plan, was.file, &t.who, r); rows != nil || err != nil {
			return rows, false, err
		}
	}
	if by, rows := l.common(t.whole, was.Table, r.Released); rows != nil {
		if !stranger.Empty() {
			l.d.note(message.Say("told.earlier.linked").Name("file", was.file.Name).Name("column", by))
		}
		return rows, false, nil
	}
	if !stranger.Empty() {
		l.d.note(stranger)
	}
	if !r.Paired || was.Rows() != r.Original.Rows() {
		return nil, false, nil
	}
	rows = make([]int, was.Rows())
	for i := range rows {
		rows[i] = i
	}
	return rows, true, nil
}

// fitEarlier adds an earlier release, and lets all tables have the labels of the earlier release, as their schemas must
// be the same. One with other labels in a column that generalises cannot be compared.
func fitEarlier(r *measure.Release, earlier *table.Table) error {
	schema, all := earlier.Attrs(), []**table.Table{&r.Original, &r.Released, &r.Holdout, &r.Matched}
	for k := range r.Earlier {
		all = append(all, &r.Earlier[k])
	}
	for _, t := range all {
		if *t == nil {
			continue
		}
		c, err := (*t).Conform(schema, false)
		if err != nil {
			return fmt.Errorf("the earlier release: %w", err)
		}
		*t = c
	}
	r.Earlier = append(r.Earlier, earlier)
	return nil
}

// byPlan returns the rows of the earlier file by those of the release, as the plan of the earlier one keeps them; nil
// where it does not, with the reason where the plan is about other files, as one of an earlier original is.
func (l *opened) byPlan(path string, file study.File, p *pairs, r *measure.Release) (
	rows []int, stranger message.Sentence, err error) {
	how, err := readPlan(path)
	if err != nil {
		return nil, stranger, err
	}
	if stranger = how.stranger(l.t.File, file); !stranger.Empty() || how.file.Pairing == nil || l.unpaired() {
		return nil, stranger, nil
	}
	own, err := how.file.Pairing.Rows()
	if err != nil {
		return nil, stranger, err
	}
	at := map[int]int{} // the earlier row by the original's
	for k, i := range own {
		at[i] = k
	}
	original := r.Original
	if p.sole {
		original = r.Matched
	}
	if original == nil || original.Rows() != r.Released.Rows() || !r.Paired && !p.sole {
		return nil, stranger, nil
	}
	rows = make([]int, original.Rows())
	for i := range rows {
		k, ok := at[int(original.ID(i))]
		if rows[i] = k; !ok {
			rows[i] = -1
		}
	}
	return rows, stranger, nil
}

// common returns an identifier of the original that both files hold and that names every record of each once, with the
// rows of the earlier file by those of the release: -1 where it lacks the record. There are none where no record is in
// both. The identities of the released records are rows of their file.
func (l *opened) common(whole, was, released *table.Table) (column string, rows []int) {
	for _, attr := range l.t.Table.Attrs() {
		if attr.Role&table.Identifier == 0 {
			continue
		}
		a, err := study.Keys(whole, attr.Name)
		if err != nil {
			continue
		}
		b, err := study.Keys(was, attr.Name)
		if err != nil {
			continue
		}
		own := make(map[table.RecordID]string, len(a))
		for i, k := range a {
			own[whole.ID(i)] = k
		}
		of := make([]string, released.Rows())
		for i := range of {
			of[i] = own[released.ID(i)]
		}
		rows = study.Linked(of, b)
		if slices.ContainsFunc(rows, func(k int) bool { return k >= 0 }) {
			return attr.Name, rows
		}
	}
	return "", nil
}

var errEarlier = errors.New("the plan of an earlier release needs the earlier release")
