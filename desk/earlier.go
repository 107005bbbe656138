package desk

import (
	"context"
	"errors"
	"fmt"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
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
	case plans > 0 && releases == 0:
		return usage(errEarlier)
	case plans > 0 && plans != releases:
		return usage(
			fmt.Errorf(
				"there are %s and %s of earlier releases; each release needs its own, in the same order",
				counted(releases, "earlier release"),
				counted(plans, "plan"),
			),
		)
	}
	return nil
}

// before reads an earlier release of the same people and puts its records beside those of the release.
func (l *opened) before(ctx context.Context, e earlier, t *tables, r *measure.Release) error {
	was, err := l.compared(ctx, e.path, l.t.numbersOf(r.Released))
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
	return fitEarlier(r, beside)
}

// whose returns the rows of an earlier release by those of the release; nil where they are not known. They are
// known by what is kept with the plan of the earlier one, else by an identifier, such as a pseudonym, that both
// files hold. Else they are guessed by the place.
func (l *opened) whose(e earlier, was *other, t *tables, r *measure.Release) (rows []int, guessed bool, err error) {
	if e.plan != "" {
		rows, err = l.byPlan(e.plan, was.file, &t.who, r)
		return rows, false, err
	}
	if by := common(l.t.Table, t.whole, was.Table); by != "" {
		return alike(t.whole, was.Table, by, r.Released), false, nil
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

// byPlan returns the rows of the earlier file by those of the release, as the plan of the earlier one keeps them.
func (l *opened) byPlan(path string, file study.File, p *pairs, r *measure.Release) ([]int, error) {
	how, err := readPlan(path)
	if err != nil {
		return nil, err
	}
	own, err := l.kept(how, file)
	if err != nil || !own.known {
		return nil, err
	}
	at := map[int]int{} // the earlier row by the original's
	for k, i := range own.rows {
		at[i] = k
	}
	original := r.Original
	if p.sole {
		original = r.Matched
	}
	if original == nil || original.Rows() != r.Released.Rows() || !r.Paired && !p.sole {
		return nil, nil
	}
	rows := make([]int, original.Rows())
	for i := range rows {
		k, ok := at[int(original.ID(i))]
		if rows[i] = k; !ok {
			rows[i] = -1
		}
	}
	return rows, nil
}

// common returns an identifier of the original that both files hold and that names every record of each once; empty for
// none.
func common(whole, a, b *table.Table) string {
	for j := range whole.Width() {
		attr := whole.Attr(j)
		if attr.Role&table.Identifier != 0 && single(a, attr.Name) && single(b, attr.Name) {
			return attr.Name
		}
	}
	return ""
}

func single(t *table.Table, name string) bool {
	j := t.Find(name)
	if j < 0 || t.Attr(j).Kind != table.Categorical {
		return false
	}
	seen := make([]bool, len(t.Attr(j).Labels))
	for _, c := range t.Cat(j) {
		if c < 0 || seen[c] {
			return false
		}
		seen[c] = true
	}
	return true
}

// alike returns the rows of an earlier file by the rows of a release, by the values of an identifier in both files. The
// identities of the released records are rows of their file.
func alike(whole, earlier *table.Table, by string, released *table.Table) []int {
	a, b := whole.Find(by), earlier.Find(by)
	at := map[string]int{}
	for i, c := range earlier.Cat(b) {
		at[earlier.Attr(b).Labels[c]] = i
	}
	file := map[table.RecordID]int{}
	for i := range whole.Rows() {
		file[whole.ID(i)] = i
	}
	rows := make([]int, released.Rows())
	for i := range rows {
		k, ok := at[whole.Attr(a).Labels[whole.Cat(a)[file[released.ID(i)]]]]
		if rows[i] = k; !ok {
			rows[i] = -1
		}
	}
	return rows
}

var errEarlier = errors.New("the plan of an earlier release needs the earlier release")
