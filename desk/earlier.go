package desk

import (
	"context"
	"errors"
	"fmt"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// earlierPlans refuses plans that go with no release.
func (q *evaluating) earlierPlans() error {
	switch plans, releases := len(q.EarlierPlan), len(q.Said.Earlier); {
	case plans > 0 && releases == 0:
		return usage(errEarlier)
	case plans > 0 && plans != releases:
		return usage(fmt.Errorf("there are %s and %s of earlier releases; each release needs its own, in the same order", counted(releases, "earlier release"), counted(plans, "plan")))
	}
	return nil
}

// earlier reads earlier releases of the same people and puts their records beside those of the release.
func (d *Desk) earlier(ctx context.Context, l *Loaded, q *evaluating, r *measure.Release, whole *table.Table, p *pairs) error {
	for k, path := range l.Policy.Earlier {
		plan := ""
		if len(q.EarlierPlan) > 0 {
			plan = q.EarlierPlan[k]
		}
		if err := d.earlierOne(ctx, l, q, path, plan, r, whole, p); err != nil {
			return err
		}
	}
	return nil
}

// earlierOne reads an earlier release of the same people and puts its records beside those of the release. Who is who is known by what is kept with the plan of the
// earlier release, else by an identifier, such as a pseudonym, that both files hold, else by the place where both tables look paired.
func (d *Desk) earlierOne(ctx context.Context, l *Loaded, q *evaluating, path, plan string, r *measure.Release, whole *table.Table, p *pairs) error {
	t, file, err := d.compared(ctx, l, q, path, numbersOf(r.Released))
	if err != nil {
		return err
	}
	var rows []int // of the earlier file, by row of the release
	switch by := common(l.Table, whole, t); {
	case plan != "":
		if rows, err = d.byPlan(l, q, plan, r, file, p); err != nil {
			return err
		}
	case by != "":
		rows = alike(whole, t, by, r.Released)
	case r.Paired && t.Rows() == r.Original.Rows():
		rows = make([]int, t.Rows())
		for i := range rows {
			rows[i] = i
		}
	}
	if rows == nil {
		d.note(fmt.Sprintf("whose the records of %s are is not known, so the earlier release is not used: it needs its own plan, a pseudonym that both files hold, or the order of the original", file.Name))
		return nil
	}
	beside, err := study.Beside(r.Released, t, rows)
	if err != nil {
		return err
	}
	if plan == "" && common(l.Table, whole, t) == "" && !study.LooksPaired(r.Original, beside) {
		d.note(fmt.Sprintf("the rows of %s agree no better with the original than rows at random, so the earlier release is not used: name its plan", file.Name))
		return nil
	}
	return fitEarlier(r, beside)
}

// fitEarlier adds an earlier release, and lets all tables have the labels of the earlier release, as their schemas must be the same. One with other labels in a column that
// generalises cannot be compared.
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
func (d *Desk) byPlan(l *Loaded, q *evaluating, plan string, r *measure.Release, file *study.File, p *pairs) ([]int, error) {
	how, err := readPlan(plan)
	if err != nil {
		return nil, err
	}
	of, known, err := d.kept(how, l.File, *file, q)
	if err != nil || !known {
		return nil, err
	}
	at := map[int]int{} // the earlier row by the original's
	for k, i := range of {
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

// common returns an identifier of the original that both files hold and that names every record of each once; empty for none.
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

// alike returns the rows of an earlier file by the rows of a release, by the values of an identifier in both files. The identities of the released records are
// rows of their file.
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
