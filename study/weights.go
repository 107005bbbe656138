package study

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// roundWeights gives the units of similar weight their mean, at least so many of them the same one, so that a weight
// points at none and totals stay: of a household where the weight is one for it, else of a person or a record. Means
// are rounded to the step of the column, and what one group loses by that the next one gains. The table says whose the
// records are. Cost: O(n log n) by weight.
func (p *Protected) roundWeights(t *table.Table, least int) (err error) {
	switch {
	case least == 0:
		return nil
	case least < 2:
		return fmt.Errorf("round-weights is %d, expected at least 2 units that share a weight", least)
	}
	t = whose(t, t, nil)
	var names []string
	for j := range t.Width() {
		k := p.Released.Find(t.Attr(j).Name)
		if t.Attr(j).Role&table.Weight == 0 || k < 0 {
			continue
		}
		c := p.Released.Column(k)
		if c.Num, err = shared(&c, t.Units(t.LevelOf(j)), least); err != nil {
			return err
		}
		if p.Released, err = p.Released.WithColumn(k, c); err != nil {
			return err
		}
		names = append(names, c.Name)
	}
	if names == nil {
		return fmt.Errorf("round-weights rounds sampling weights, and no column has that role: give one the role weight " +
			"(--role COLUMN=weight), or leave it out")
	}
	p.rounded = names
	p.Notes = append(p.Notes, message.Say("note.roundedWeights").Listed("columns", names).Count("n", least))
	return nil
}

// shared returns the weights that units of similar weight share, at least so many of them; of says by row which unit a
// record is of, nil where each is one.
func shared(c *table.Column, of []int32, least int) ([]float64, error) {
	type unit struct {
		rows []int
		sum  float64
	}
	var units []*unit
	at := map[int32]*unit{}
	for i, w := range c.Num {
		if w != w {
			continue
		}
		u := at[int32(i)]
		if of != nil {
			u = at[of[i]]
		}
		if u == nil {
			u = &unit{}
			units = append(units, u)
			if of != nil {
				at[of[i]] = u
			}
		}
		u.rows, u.sum = append(u.rows, i), u.sum+w
	}
	if len(units) < least {
		return nil, fmt.Errorf("column %q has the weights of %d units, and at least %d are to share one: choose a smaller "+
			"number (--round-weights)", c.Name, len(units), least)
	}
	mean := func(u *unit) float64 { return u.sum / float64(len(u.rows)) }
	slices.SortStableFunc(units, func(a, b *unit) int { return cmp.Compare(mean(a), mean(b)) })
	out, carry := slices.Clone(c.Num), 0.0
	for from := 0; from < len(units); {
		to := from + least
		if to+least > len(units) {
			to = len(units)
		}
		sum, n := carry, 0
		for _, u := range units[from:to] {
			sum, n = sum+u.sum, n+len(u.rows)
		}
		w := min(max(table.Snap(sum/float64(n), c.Step), c.Domain.Lo), c.Domain.Hi)
		carry = sum - float64(w*float64(n))
		for _, u := range units[from:to] {
			for _, i := range u.rows {
				out[i] = w
			}
		}
		from = to
	}
	return out, nil
}
