package study

import (
	"fmt"
	"strconv"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// recode brings the original and the hold-out of a release into the release's schema. What is learned from the original of another release
// is of no use to this one.
func recode(r *measure.Release, g protect.Recoder) error {
	exact, err := fitted(r.Original, g)
	if err != nil {
		return err
	}
	r.Exact, r.Base = exact, nil
	if r.Original, err = g.Recode(exact); err != nil {
		return err
	}
	if r.Released, err = r.Released.Conform(r.Original.Attrs(), false); err != nil {
		return fmt.Errorf("the release does not fit the plan: %w", err)
	}
	if r.Holdout != nil {
		hold, err := fitted(r.Holdout, g)
		if err != nil {
			return err
		}
		if r.Holdout, err = g.Recode(hold); err != nil {
			return err
		}
	}
	return nil
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

// generalised returns the share of the records whose category in column k of b is not the value in column j of a: a number that is one of the labels, or
// the same label, is unchanged.
func generalised(a *table.Table, j int, b *table.Table, k int) float64 {
	if a.Rows() == 0 {
		return 0
	}
	labels, n := b.Attr(k).Labels, 0
	var same func(i int, label string) bool
	if x := a.Attr(j); x.Kind == table.Numeric {
		v := a.Num(j)
		same = func(i int, label string) bool {
			w, err := strconv.ParseFloat(label, 64)
			return err == nil && v[i] == w
		}
	} else {
		v := a.Cat(j)
		same = func(i int, label string) bool { return v[i] >= 0 && x.Labels[v[i]] == label }
	}
	for i, c := range b.Cat(k) {
		if c < 0 && !a.MissingAt(i, j) || c >= 0 && !same(i, labels[c]) {
			n++
		}
	}
	return float64(n) / float64(a.Rows())
}

// generalise hands the hierarchies that were given to a technique that uses them. It is no error when a technique uses none, as others that are
// compared with it may.
func generalise(tech protect.Technique, q Request, t *table.Table) error {
	for name := range q.Hierarchies {
		if t.Find(name) < 0 {
			return fmt.Errorf("there is a hierarchy of column %q, which the table lacks", name)
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
	if p.Released.Rows() != p.Original.Rows() {
		at := make(map[table.RecordID]int, p.Original.Rows())
		for i := range p.Original.Rows() {
			at[p.Original.ID(i)] = i
		}
		rows := make([]int, p.Released.Rows())
		for i := range rows {
			rows[i] = at[p.Released.ID(i)]
		}
		p.Matched, whole = p.Original.Gather(rows), whole.Gather(rows)
	}
	var err error
	if g, ok := p.Plan.(protect.Recoder); ok {
		p.Matched, err = g.Recode(p.Matched)
	}
	return whole, err
}
