package study

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// Recoding brings exact records into the schema of a release that generalises: a plan that does (noisemodel.Recoder),
// or ByLabels.
type Recoding interface {
	Recode(t *table.Table) (*table.Table, error)
}

// recode brings the original and the hold-out of a release into the release's schema, unless that was done, and keeps
// the exact original. What is learned from the original of another release is of no use to this one.
func recode(r *measure.Release, g Recoding) (err error) {
	if r.Exact != nil {
		return nil
	}
	p, planned := g.(protect.Plan)
	for _, t := range []**table.Table{&r.Original, &r.Holdout} {
		if planned && *t != nil {
			if *t, err = fitted(*t, p); err != nil {
				return err
			}
		}
	}
	r.Exact, r.ExactHoldout, r.Work = r.Original, r.Holdout, measure.NewWorkspace()
	if r.Original, err = g.Recode(r.Exact); err != nil {
		return err
	}
	if by, ok := g.(restatedRecoding); ok { // what is computed from both may be as general in other ways
		schema := by.wide(r.Original, r.Released)
		if r.Original, err = r.Original.Conform(schema, false); err != nil {
			return err
		}
	}
	if r.Released, err = r.Released.Conform(r.Original.Attrs(), false); err != nil {
		return fmt.Errorf("the release does not fit the plan: %w", err)
	}
	if r.Holdout != nil {
		r.Holdout, err = g.Recode(r.Holdout)
	}
	return err
}

// wide returns the schema of the original as general as the release, with the categories that computed columns have in
// the release alone: intervals of what was drawn anew.
func (r restatedRecoding) wide(original, released *table.Table) []table.Attribute {
	schema := original.Attrs()
	for k, a := range schema {
		j := released.Find(a.Name)
		if j < 0 || a.Kind != table.Categorical || !slices.Contains(r.by.Computed(), a.Name) {
			continue
		}
		a.Labels = slices.Clone(a.Labels)
		for _, l := range released.Attr(j).Labels {
			if !slices.Contains(a.Labels, l) {
				a.Labels = append(a.Labels, l)
			}
		}
		schema[k] = a
	}
	return schema
}

// fitted returns a table with the attributes of the plan, its own when they already conform.
func fitted(t *table.Table, p protect.Plan) (*table.Table, error) {
	if protect.Conforms(t, p.Schema()) == nil {
		return t, nil
	}
	n, err := t.Conform(p.Schema(), false)
	if err != nil {
		return nil, fmt.Errorf("the table does not fit the plan: %w", err)
	}
	return n, nil
}

// generalised returns the share of the records whose category in column k of b is not the value in column j of a: a
// number that is one of the labels, or the same label, is unchanged.
func generalised(a *table.Table, j int, b *table.Table, k int) float64 {
	if a.Rows() == 0 {
		return 0
	}
	labels, n := b.Attr(k).Labels, 0
	var same func(i int, label string) bool
	switch x := a.Attr(j); x.Kind {
	case table.Numeric:
		v := a.Num(j)
		same = func(i int, label string) bool {
			w, ok := x.ParseValue(label)
			return ok && v[i] == w
		}
	case table.Categorical:
		v := a.Cat(j)
		same = func(i int, label string) bool { return v[i] >= 0 && x.Labels[v[i]] == label }
	case table.SetValued: // has no category to be
		same = func(int, string) bool { return false }
	}
	for i, c := range b.Cat(k) {
		if c < 0 && !a.MissingAt(i, j) || c >= 0 && !same(i, labels[c]) {
			n++
		}
	}
	return float64(n) / float64(a.Rows())
}

// generalise hands the hierarchies that were given to a technique that uses them. It is no error when a technique uses
// none, as others that are compared with it may.
func generalise(tech protect.Technique, q Request, t *table.Table) error {
	for name := range q.Hierarchies {
		if t.Find(name) < 0 {
			return fmt.Errorf("there is a hierarchy for column %q, which is not in the table", name)
		}
	}
	if h, ok := tech.(protect.Hierarchical); ok && len(q.Hierarchies) > 0 {
		h.UseHierarchies(q.Hierarchies)
	}
	return nil
}

// match sets Matched, and returns the records of the request's table, identifiers and all, that the release has.
func (p *Protected) match(whole *table.Table) (*table.Table, error) {
	p.Matched = p.Original
	if p.Released.Rows() != p.Original.Rows() && !p.Synthetic {
		p.Matched, whole = matching(p.Original, p.Released), matching(whole, p.Released)
	}
	var err error
	if g, ok := p.Plan.(noisemodel.Recoder); ok {
		p.Matched, err = recoded(p.Restated, g, p.Matched)
	}
	return whole, err
}

// byLabels recodes by what a release shows.
type byLabels struct {
	hierarchies hierarchy.Set
	released    *table.Table
}

// ByLabels recodes by the value generalisation hierarchies of some attributes of a release that was made elsewhere: a
// value becomes the most special of its groups that the release shows anywhere, or the most general one where it shows
// none.
func ByLabels(h hierarchy.Set, released *table.Table) Recoding { return byLabels{h, released} }

func (b byLabels) Recode(t *table.Table) (*table.Table, error) {
	for name, h := range b.hierarchies {
		j, k := t.Find(name), b.released.Find(name)
		if j < 0 || k < 0 || b.released.Attr(k).Kind != table.Categorical { // left out, or numbers still
			continue
		}
		c, err := recodedAs(t, j, h, *b.released.Attr(k))
		if err != nil {
			return nil, err
		}
		if t, err = t.WithColumn(j, c); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// open is the code of a value that has not found its category yet; -1 is that of a missing one.
const open = -2

// recodedAs returns a column of a table as the attribute of a release shows it, with the groups on top of the hierarchy
// that it does not show behind its categories.
func recodedAs(t *table.Table, j int, h *hierarchy.Hierarchy, a table.Attribute) (table.Column, error) {
	at := map[string]int32{}
	for code, l := range a.Labels {
		at[l] = int32(code)
	}
	a.Labels, a.Role = slices.Clone(a.Labels), t.Attr(j).Role
	codes, left := make([]int32, t.Rows()), t.Rows()
	for i := range codes {
		if codes[i] = open; t.MissingAt(i, j) {
			codes[i], left = -1, left-1
		}
	}
	c := t.Column(j)
	for l := 0; l <= h.Height() && left > 0; l++ {
		if l == 0 && h.Numeric() {
			continue
		}
		groups, err := h.Groups(&c, l)
		if err != nil {
			return table.Column{}, err
		}
		names := h.Labels(l)
		if l == h.Height() {
			for _, n := range names {
				if _, ok := at[n]; !ok {
					at[n] = int32(len(a.Labels))
					a.Labels = append(a.Labels, n)
				}
			}
		}
		for i, g := range groups {
			if codes[i] != open {
				continue
			}
			if code, ok := at[names[g]]; ok {
				codes[i], left = code, left-1
			}
		}
	}
	return table.Column{Attribute: a, Cat: codes}, nil
}

// Release returns what was protected for measures: how it was made is known, and which records it has.
func (p *Protected) Release(h hierarchy.Set) (*measure.Release, error) {
	r := &measure.Release{
		Original: p.Original,
		Released: p.Released,
		Paired:   !p.Synthetic,
		Holdout:  p.Holdout,
		Recoding: measure.Recoding{Hierarchies: h},
		Work:     measure.NewWorkspace(),
	}
	if p.Matched.Rows() < p.Original.Rows() {
		r.Matched, r.Paired = p.Matched, false
	}
	if p.Output != nil && p.Output.Space() == nil && !p.Synthetic { // a measure of the order needs the table in memory
		r.Places = Places(p.Output, p.Released)
	}
	r.Again = p.again
	for k := range p.Changes {
		if c := &p.Changes[k]; c.Action.Kind == Pseudonymous {
			r.Shown = append(r.Shown, c.Column)
		}
	}
	return r, WithSeen(r, p.Plan, p.Seen())
}

// Strays returns the columns in which a paired release differs from the original though the plan leaves them alone, and
// whether each of them has the same values in another order. Where values were imputed, one in the place of a gap is no
// difference. Cost: O(n log n) per such column.
func Strays(r *measure.Release, p protect.Plan, imputed bool) (names []string, reordered bool) {
	reordered = true
	for j := range r.Original.Width() {
		name := r.Original.Attr(j).Name
		if slices.Contains(p.Changes(), name) || r.Released.Attr(j).Kind != r.Original.Attr(j).Kind ||
			changed(r.Original, j, r.Released, j) == 0 {
			continue
		}
		was, is := r.Original.Column(j), r.Released.Column(j)
		if imputed && allKept(&was, &is) {
			continue
		}
		names = append(names, name)
		reordered = reordered && was.SameValues(&is)
	}
	return names, reordered && len(names) > 0
}

// allKept reports whether a column has every value that another of the same attribute has.
func allKept(was, is *table.Column) bool {
	for i := range was.Len() {
		if !was.MissingAt(i) && !was.Same(i, is, i) {
			return false
		}
	}
	return true
}
