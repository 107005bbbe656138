package desk

import (
	"context"
	"errors"
	"fmt"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// earlierOf returns the path of an earlier release: that of the request or, from its own folder, the policy's; empty for none.
func (q *EvaluateRequest) earlierOf(p *policy.Policy) string {
	if q.Earlier != "" || p.Earlier == "" {
		return q.Earlier
	}
	return besidePolicy(p.Earlier, q.Policy)
}

// earlier reads an earlier release of the same people and puts its records beside those of the release. Who is who is known by what is kept with the plan of the
// earlier release, else by an identifier, such as a pseudonym, that both files hold, else by the place where both tables look paired.
func (d *Desk) earlier(ctx context.Context, l *Loaded, q *EvaluateRequest, r *measure.Release, whole *table.Table, p *pairs) error {
	path := q.earlierOf(l.Policy)
	if path == "" {
		return nil
	}
	t, file, err := d.compared(ctx, l, q, path, numbersOf(r.Released))
	if err != nil {
		return err
	}
	var rows []int // of the earlier file, by row of the release
	switch by := common(l.Table, whole, t); {
	case q.EarlierPlan != "":
		if rows, err = d.byPlan(l, q, r, file, p); err != nil {
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
	if q.EarlierPlan == "" && common(l.Table, whole, t) == "" && !study.LooksPaired(r.Original, beside) {
		d.note(fmt.Sprintf("the rows of %s agree no better with the original than rows at random, so the earlier release is not used: name its plan", file.Name))
		return nil
	}
	r.Earlier, err = fitEarlier(r, beside)
	return err
}

// fitEarlier lets all tables have the labels of the earlier release, as their schemas must be the same. One with other labels in a column that
// generalises cannot be compared.
func fitEarlier(r *measure.Release, earlier *table.Table) (*table.Table, error) {
	schema := earlier.Attrs()
	for _, t := range []**table.Table{&r.Original, &r.Released, &r.Holdout, &r.Matched} {
		if *t == nil {
			continue
		}
		c, err := (*t).Conform(schema, false)
		if err != nil {
			return nil, fmt.Errorf("the earlier release: %w", err)
		}
		*t = c
	}
	return earlier, nil
}

// byPlan returns the rows of the earlier file by those of the release, as the plan of the earlier one keeps them.
func (d *Desk) byPlan(l *Loaded, q *EvaluateRequest, r *measure.Release, file *study.File, p *pairs) ([]int, error) {
	how, err := readPlan(q.EarlierPlan)
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
