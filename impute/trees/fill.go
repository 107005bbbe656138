package trees

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/impute"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/table"
)

// Fill returns a table with values in its gaps. Cost: see the package.
func (f *filling) Fill(ctx context.Context, t *table.Table) (*impute.Filled, error) {
	t, err := t.Conform(f.Attrs, false)
	if err != nil {
		return nil, err
	}
	w := &work{f: f, was: t, now: t, cells: map[int][]bool{}}
	for _, j := range f.Columns {
		c := t.Column(j)
		w.cells[j] = make([]bool, t.Rows())
		for i := range w.cells[j] {
			w.cells[j][i] = open(&c, i)
		}
	}
	if err := w.derive(); err != nil {
		return nil, err
	}
	if err := w.learned(ctx); err != nil {
		return nil, err
	}
	if err := w.alike(); err != nil {
		return nil, err
	}
	if err := w.keep(); err != nil {
		return nil, err
	}
	return w.done(), ctx.Err()
}

// work is a table that is being filled in.
type work struct {
	f        *filling
	was, now *table.Table
	cells    map[int][]bool // by column and row: that was a gap and may be filled in
}

// set replaces a column.
func (w *work) set(j int, c table.Column) (err error) {
	w.now, err = w.now.WithColumn(j, c)
	return err
}

// copied returns a column with values of its own.
func (w *work) copied(j int) table.Column {
	c := w.now.Column(j)
	c.Num, c.Cat, c.Suppressed = slices.Clone(c.Num), slices.Clone(c.Cat), nil
	return c
}

// put takes a value from another column of the same attribute, rounded to the grid; false where there is none, or it
// is outside the domain.
func put(c *table.Column, i int, from *table.Column, k int) bool {
	if from.MissingAt(k) {
		return false
	}
	if c.Kind == table.Categorical {
		c.Cat[i] = from.Cat[k]
		return true
	}
	v := c.Snap(from.Num[k])
	if !c.Domain.Contains(v) {
		return false
	}
	c.Num[i] = v
	return true
}

// derive fills in what follows from other columns: a total from its parts, a label from its code.
func (w *work) derive() error {
	for changed := true; changed; { // what is derived may be what another follows from
		changed = false
		for _, r := range w.f.Relations {
			of, err := r.Derivations(w.now)
			if err != nil {
				return err
			}
			for k := range of {
				some, err := w.take(&of[k], func(i, j int) bool { return w.now.MissingAt(i, j) })
				if err != nil {
					return err
				}
				changed = changed || some
			}
		}
	}
	return nil
}

// take fills in cells by a derivation, those that were gaps and are asked for.
func (w *work) take(d *relation.Derivation, ask func(i, j int) bool) (changed bool, err error) {
	j := w.now.Find(d.Target)
	cells := w.cells[j]
	if cells == nil {
		return false, nil
	}
	says, c := d.Values(*w.now.Attr(j), w.now), w.copied(j)
	for i, gap := range cells {
		if gap && ask(i, j) && !says.MissingAt(i) && !c.Same(i, &says, i) && put(&c, i, &says, i) {
			changed = true
		}
	}
	if changed {
		err = w.set(j, c)
	}
	return changed, err
}

// learned fills in the other gaps from the parts that records are in.
func (w *work) learned(ctx context.Context) error {
	from, cols := w.now, w.now.Columns()
	for k, j := range w.f.Columns {
		var rows []int
		for i, gap := range w.cells[j] {
			if gap && from.MissingAt(i, j) {
				rows = append(rows, i)
			}
		}
		d := &w.f.Divisions[min(k, len(w.f.Divisions)-1)]
		of, err := w.f.assign(ctx, d, from, rows)
		if err != nil {
			return err
		}
		c := w.copied(j)
		if c.Kind == table.Categorical {
			at := slices.Index(w.f.Codes, j)
			for n, i := range rows {
				c.Cat[i] = d.Parts[of[n]].Modes[at]
			}
		} else {
			w.f.expect(&c, d, from, rows, of, slices.Index(w.f.Numbers, j))
		}
		cols[j] = c
	}
	var err error
	w.now, err = from.WithColumns(cols)
	return err
}

// expect fills in a column of numbers: what is expected given the record's other numbers.
func (f *filling) expect(c *table.Column, d *division, t *table.Table, rows []int, of []int32, at int) {
	type how struct {
		part  int32
		known string
	}
	made := map[how]*regression{}
	key, known := make([]byte, len(f.Numbers)), make([]bool, len(f.Numbers))
	for n, i := range rows {
		for k, j := range f.Numbers {
			if known[k] = !t.MissingAt(i, j); known[k] {
				key[k] = 1
			} else {
				key[k] = 0
			}
		}
		p := &d.Parts[of[n]]
		r := made[how{of[n], string(key)}]
		if r == nil {
			r = regress(p.Mean, p.Cov, known)
			made[how{of[n], string(key)}] = r
		}
		v := r.expected(slices.Index(r.of, at), func(k int) float64 { return f.Scale[k].of(t.Num(f.Numbers[k])[i]) })
		c.Num[i] = within(&c.Attribute, f.Scale[at].back(v))
	}
}

// within returns the value of a column's grid and domain that is nearest to a number.
func within(a *table.Attribute, v float64) float64 {
	d := a.Domain.OnGrid(a.Step)
	return min(max(a.Snap(v), d.Lo), d.Hi)
}

// alike fills in what is constant in the records of a person or household by one value: that of another of its records
// or, where none has one, that of the record with the smallest identity.
func (w *work) alike() error {
	for _, j := range w.f.Columns {
		units := w.was.Units(w.was.LevelOf(j))
		if units == nil {
			continue
		}
		by := map[int32]int{}
		for i, u := range units {
			best, seen := by[u]
			known := !w.cells[j][i]
			switch {
			case !seen, known && w.cells[j][best], known == !w.cells[j][best] && w.was.ID(i) < w.was.ID(best):
				by[u] = i
			}
		}
		c, own := w.copied(j), w.now.Column(j)
		for i, u := range units {
			if w.cells[j][i] {
				put(&c, i, &own, by[u])
			}
		}
		if err := w.set(j, c); err != nil {
			return err
		}
	}
	return nil
}

// keep mends what was filled in where it breaks a relation, and takes back what cannot be mended.
func (w *work) keep() error {
	for _, r := range w.f.Relations {
		if err := w.mend(r); err != nil {
			return err
		}
	}
	for range len(w.f.Relations) + 1 { // what is taken back may be what another relation needs
		again := false
		for _, r := range w.f.Relations {
			taken, err := w.takeBack(r)
			if err != nil {
				return err
			}
			again = again || taken
		}
		if !again {
			return nil
		}
	}
	return nil
}

// broken returns what every record is to a relation.
func (w *work) broken(r relation.Relation) ([]relation.State, error) {
	b, err := r.Bind(w.was)
	if err != nil {
		return nil, err
	}
	return b.States(w.now), nil
}

// mend works out from the other columns of a broken relation what was filled in.
func (w *work) mend(r relation.Relation) error {
	states, err := w.broken(r)
	if err != nil || !slices.Contains(states, relation.Broken) {
		return err
	}
	if r.Kind == relation.Order {
		return w.order(&r, states)
	}
	of, err := r.Derivations(w.was)
	if err != nil {
		return err
	}
	for k := range of {
		_, err := w.take(&of[k], func(i, _ int) bool { return states[i] == relation.Broken })
		if err != nil {
			return err
		}
		if states, err = w.broken(r); err != nil {
			return err
		}
	}
	return nil
}

// order moves what was filled in to the other side of an order.
func (w *work) order(r *relation.Relation, states []relation.State) error {
	lo, hi := w.now.Find(r.Columns[0]), w.now.Find(r.Columns[1])
	a, b := w.copied(lo), w.copied(hi)
	if a.Dates != b.Dates {
		return nil
	}
	by := 0.0
	if r.Strict {
		by = max(a.Step, b.Step)
	}
	for i, s := range states {
		switch {
		case s != relation.Broken:
		case w.cells[hi] != nil && w.cells[hi][i]:
			b.Num[i] = within(&b.Attribute, a.Num[i]+by)
		case w.cells[lo] != nil && w.cells[lo][i]:
			a.Num[i] = within(&a.Attribute, b.Num[i]-by)
		}
	}
	if err := w.set(lo, a); err != nil {
		return err
	}
	return w.set(hi, b)
}

// takeBack makes gaps again of what was filled in and breaks a relation. A gap where no value can be is none that
// breaks it.
func (w *work) takeBack(r relation.Relation) (some bool, err error) {
	states, err := w.broken(r)
	if err != nil {
		return false, err
	}
	for _, name := range r.Columns {
		j := w.now.Find(name)
		if w.cells[j] == nil {
			continue
		}
		c := w.copied(j)
		own := false
		for i, s := range states {
			if s != relation.Broken || !w.cells[j][i] || c.MissingAt(i) {
				continue
			}
			if own = true; c.Kind == table.Categorical {
				c.Cat[i] = -1
			} else {
				c.Num[i] = math.NaN()
			}
		}
		if !own {
			continue
		}
		some = true
		if err := w.set(j, c); err != nil {
			return false, err
		}
		if r.Kind == relation.OnlyTogether {
			if states, err = w.broken(r); err != nil {
				return false, err
			}
		}
	}
	return some, nil
}

// done tells what was filled in and what was not.
func (w *work) done() *impute.Filled {
	out := &impute.Filled{Table: w.now, Cells: map[int][]bool{}, Left: map[int]int{}}
	for j := range w.now.Width() {
		c := w.now.Column(j)
		if !c.Kind.Scalar() || c.Role&(table.Identifier|table.Weight) != 0 {
			continue
		}
		left, filled := 0, false
		for i := range w.now.Rows() {
			switch {
			case open(&c, i):
				left++
				if w.cells[j] != nil {
					w.cells[j][i] = false
				}
			case w.cells[j] != nil && w.cells[j][i]:
				filled = true
			}
		}
		if left > 0 {
			out.Left[j] = left
		}
		if filled {
			out.Cells[j] = w.cells[j]
		}
	}
	return out
}
