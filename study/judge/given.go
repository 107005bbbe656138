package judge

import (
	"context"
	"slices"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// A release that is there already is judged in the same way wherever its tables come from: its columns are
// compared (Subject.Compared), it is lined up with its original (Subject.Pair), the intruders are told what there
// is to play with (Subject.Cast), and the measures that are asked for are taken (Case.Ask, Case.Judge).

// Compared leaves out of a table the columns that are identifiers of the original; anonymous is the original without
// them.
func (s *Subject) Compared(t, anonymous *table.Table) *table.Table {
	var columns []int
	for j := range t.Width() {
		n := t.Attr(j).Name
		if anonymous.Find(n) >= 0 || s.Table.Find(n) < 0 {
			columns = append(columns, j)
		}
	}
	return t.Select(columns...)
}

// Told returns a table that was read apart with whose its records are, by the columns that tell it of the original.
func (s *Subject) Told(t *table.Table) *table.Table {
	of := func(role table.Role) []int32 {
		name := Named(s.Table, role)
		if name == "" || t.Find(name) < 0 {
			return nil
		}
		return study.OwnersOf(t, study.PersonsBy(t, []string{name}))
	}
	return t.Owned(of(table.Person)).Housed(of(table.Household))
}

// Still returns the columns of a table read apart that hold identifiers of the original as they are, or values that are
// withheld from its releases.
func (s *Subject) Still(released *table.Table) []study.Identifying {
	return append(study.StillIdentifying(s.Table, released), study.StillSuppressed(s.Suppressed, released)...)
}

// Shown are the columns of a table read apart by which it shows which records are one's: identifiers of the original,
// whatever they hold there, as a pseudonym does.
func (s *Subject) Shown(released *table.Table) (out []string) {
	for _, a := range s.Table.Attrs() {
		if a.Role&(table.Person|table.Household) != 0 && released.Find(a.Name) >= 0 {
			out = append(out, a.Name)
		}
	}
	return out
}

// Pair lines a release up with its original, both as they are compared. Rows of tables of one length are taken for
// pairs. The hold-out is nil where there is none, and so is the recoding where no plan knows it: values are then
// recoded by the labels of the hierarchies. It also returns the columns that the release lacks. Cost: O(n x
// columns).
func (s *Subject) Pair(anonymous, released, holdout *table.Table, g study.Recoding) (
	r *measure.Release, missing []string, err error) {
	if g == nil && len(s.Hierarchies) > 0 {
		g = study.ByLabels(s.Hierarchies, released)
	}
	if r, missing, err = study.Pair(anonymous, released, holdout, g); err != nil {
		return nil, nil, err
	}
	r.Hierarchies = s.Hierarchies
	return r, missing, nil
}

// Seen adds to what is known of a release what its tables, lined up, show of it. Cost: O(n x columns).
func Seen(o *study.Outcome, r *measure.Release) {
	o.Original, o.Released, o.Exact, o.Generalised = r.Original, r.Released, r.Exact, r.Exact != nil
	if o.Method == nil {
		o.Changes = study.Differences(r)
	}
}

// Cast are the intruders who are played against a release.
type Cast struct {
	Played []intruder.Intruder // with the column that tells each of them which records are one person's
}

// Cast chooses the intruders as Against does, tells the release which records are one person's, and the outcome
// how many people these are. Cost: O(n) per column that names persons.
func (s *Subject) Cast(r *measure.Release, o *study.Outcome) (*Cast, error) {
	played, err := Against(s.Policy, s.Table.Attrs(), r.Original.Attrs())
	if err != nil {
		return nil, err
	}
	if played, err = s.People(r, played); err != nil {
		return nil, err
	}
	o.Told(r)
	o.Whose = s.Whose()
	return &Cast{played}, nil
}

// Asked is what is asked of a release that is there already.
type Asked struct {
	*Cast
	Specs   []study.Spec     // the measures that are taken
	Left    []study.Measured // those that are not, and why
	Partial bool             // the measures were named: limits on others are not judged
	InPlace bool             // the measures stay in this order instead of that of the catalogue
}

// Ask is Open for a release that is there already: it is known which measures are taken, and against whom.
func (c *Case) Ask(ctx context.Context, a Asked) error {
	c.ofNobody()
	c.need, c.inPlace = Need{Limits: a.Specs}, a.InPlace
	surveyed(a.Specs, c.Limits)
	o := c.Outcome
	o.Measures, o.NotProtected = slices.Clone(a.Left), study.Limits(o)
	if err := c.gather(ctx, a.Played); err != nil {
		return err
	}
	c.evidence.Partial = a.Partial
	return nil
}
