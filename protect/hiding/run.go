package hiding

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/rulehiding"
	"github.com/dither-data/dither/table"
)

// hide hides the patterns in records in the order of their identities.
func (p *Plan) hide(ctx context.Context, t *table.Table) (*table.Table, Trial, error) {
	var r Trial
	c, d, list, limits, err := p.open(t)
	if err != nil {
		return nil, r, err
	}
	r.Closed = p.prepare(d, c, t)
	r.Patterns, r.Found = len(list), p.found(d, list, limits)
	share, err := rulehiding.ShareOf(p.Settings.Disclosure)
	if err != nil {
		return nil, r, err
	}
	if err := p.how.run(&work{ctx, d, c, list, limits, share, p, &p.Settings, &r}); err != nil {
		return nil, r, err
	}
	if p.Settings.Deleted == Value {
		if r.Replaced, err = p.replace(ctx, d, c, t, list, limits); err != nil {
			return nil, r, err
		}
	}
	if g := guess(d); p.how.blurs && g.Items > 0 {
		r.Guess = g
	}
	r.Left = p.found(d, list, limits)
	for _, one := range list {
		r.Support = max(r.Support, d.Count(one.Items()))
	}
	for i := range d.Len() {
		if n := changed(d, c, i); n > 0 {
			r.Records, r.Changes = r.Records+1, r.Changes+n
		}
	}
	out, err := c.Edit(t, d.Row)
	return out, r, err
}

// changed counts the cells of a record that differ: items of sets, and values, of which another that took the place of
// one is the same cell.
func changed(d *rulehiding.Data, c *basket.Coding, i int) int {
	if !d.Changed(i) {
		return 0
	}
	now, unknown := d.Row(i)
	var cells []int
	note := func(items []int32, but ...[]int32) {
		for _, v := range items {
			if slices.ContainsFunc(but, func(o []int32) bool { return slices.Contains(o, v) }) {
				continue
			}
			cell := int(v)
			if k := c.ColumnOf(v); c.Single(k) {
				cell = -1 - k
			}
			if !slices.Contains(cells, cell) {
				cells = append(cells, cell)
			}
		}
	}
	note(d.Was(i), now)
	note(now, d.Was(i))
	note(unknown, d.Was(i))
	return len(cells)
}

// open reads the records as transactions, and what is to be hidden in them.
func (p *Plan) open(
	t *table.Table,
) (c *basket.Coding, d *rulehiding.Data, list []basket.Pattern, limits rulehiding.Limits, err error) {
	if c, err = p.Coding.Restore(p.Attrs); err != nil {
		return nil, nil, nil, limits, err
	}
	if list, err = p.patterns(c); err != nil {
		return nil, nil, nil, limits, err
	}
	coded, err := c.Code(t)
	if err != nil {
		return nil, nil, nil, limits, err
	}
	limits, err = rulehiding.NewLimits(p.Settings.Support, p.Settings.Confidence, p.Settings.Margin, t.Rows())
	if err == nil {
		err = p.reachable(limits)
	}
	return c, rulehiding.NewData(coded), list, limits, err
}

// reachable refuses a margin that leaves nothing of the threshold: no support and no confidence is below 0, so nothing
// would be hidden.
func (p *Plan) reachable(l rulehiding.Limits) error {
	name, given, left := "support", p.Settings.Support, l.Support
	if p.forRules() {
		name, given, left = "confidence", p.Settings.Confidence, l.Confidence
	}
	if p.Settings.Margin > 0 && left == (rulehiding.Share{}) {
		return fmt.Errorf("the margin of %v is not below the %s of %v, so nothing could be hidden; expected a smaller "+
			"margin", p.Settings.Margin, name, given)
	}
	return nil
}

// Found counts what is listed, and what of it can still be found in a release; what is unknown is as the technique has
// it. Cost: that of coding the release, and of counting each pattern.
func (p *Plan) Found(release *table.Table) (listed, found int, err error) {
	c, d, list, limits, err := p.open(release)
	if err != nil {
		return 0, 0, err
	}
	if p.how.blurs {
		err = p.blur(d, c, release, list)
	}
	return len(list), p.found(d, list, limits), err
}

// blur makes unknown what a release does not tell: items that a set may have, and all items of a value that is missing.
func (p *Plan) blur(d *rulehiding.Data, c *basket.Coding, release *table.Table, list []basket.Pattern) error {
	possible, err := c.CodePossible(release)
	if err != nil {
		return err
	}
	for i := 0; possible != nil && i < possible.Len(); i++ {
		for _, v := range possible.Row(i) {
			if !d.Has(i, v) {
				d.Blur(i, v)
			}
		}
	}
	for _, one := range list {
		for _, v := range one.Items() {
			j := release.Find(c.Columns()[c.ColumnOf(v)])
			for i := 0; c.Single(c.ColumnOf(v)) && i < release.Rows(); i++ {
				if release.MissingAt(i, j) {
					d.Blur(i, v)
				}
			}
		}
	}
	return nil
}

// found counts the patterns that are visible.
func (p *Plan) found(d *rulehiding.Data, list []basket.Pattern, limits rulehiding.Limits) (n int) {
	for _, one := range list {
		if !p.hidden(d, one, limits) {
			n++
		}
	}
	return n
}

// hidden reports whether a pattern cannot be found: by the thresholds, or where there are none, at any: what a
// disclosure threshold leaves can be.
func (p *Plan) hidden(d *rulehiding.Data, one basket.Pattern, limits rulehiding.Limits) bool {
	switch {
	case p.Settings.Support == 0:
		return d.Count(one.Items()) == 0
	case p.forRules():
		return d.StateOf(one, limits).Hidden
	}
	return d.StateOf(basket.Pattern{If: one.Items()}, limits).Hidden
}

// prepare tells the transactions which columns give one item at most, and closes those that miss a value. It returns
// how many these are.
func (p *Plan) prepare(d *rulehiding.Data, c *basket.Coding, t *table.Table) (closed int) {
	single := make([]int32, len(c.Items))
	for v := range c.Items {
		if single[v] = -1; c.Single(c.ColumnOf(int32(v))) {
			single[v] = int32(c.ColumnOf(int32(v)))
		}
	}
	d.Single(single)
	if !p.how.adds {
		return 0
	}
	for i := range t.Rows() {
		for _, j := range p.Columns {
			if t.MissingAt(i, j) {
				d.Close(i)
				closed++
				break
			}
		}
	}
	return closed
}

// work is what a heuristic does its work on.
type work struct {
	ctx    context.Context
	d      *rulehiding.Data
	c      *basket.Coding
	list   []basket.Pattern
	limits rulehiding.Limits
	share  rulehiding.Share // the disclosure threshold
	plan   *Plan
	set    *Settings
	trial  *Trial
}

// to runs an algorithm that takes thresholds.
func to(hides func(context.Context, *rulehiding.Data, []basket.Pattern, rulehiding.Limits) error) func(*work) error {
	return func(w *work) error { return hides(w.ctx, w.d, w.list, w.limits) }
}

// below runs an algorithm that takes the least number of records that a pattern must not have.
func below(hides func(context.Context, *rulehiding.Data, []basket.Pattern, int) error) func(*work) error {
	return func(w *work) error { return hides(w.ctx, w.d, w.list, w.limits.Support.Of(w.d.Len())) }
}

// rule runs an algorithm for rules.
func rule(how rulehiding.Strategy) func(*work) error {
	return func(w *work) error {
		_, err := rulehiding.Rules(w.ctx, w.d, w.list, w.limits, how, false)
		return err
	}
}

// victim runs an algorithm that changes the records with many patterns first.
func victim(how rulehiding.Victim) func(*work) error {
	return func(w *work) error {
		return rulehiding.Conflicts(w.ctx, w.d, w.list, w.share, how, w.set.Order == Ascending)
	}
}
