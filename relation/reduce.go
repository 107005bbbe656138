package relation

import (
	"math"
	"slices"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

func abs(v float64) float64   { return math.Abs(v) }
func round(v float64) float64 { return math.RoundToEven(v) }

// Reduce returns a table as a technique sees it: without the columns that others determine, with distances in place of
// columns that are ordered, and with shares in place of parts. It may lack columns of the schema that no step is about,
// and have others. Cost: O(n) per step.
func (r *Restatement) Reduce(t *table.Table) (*table.Table, error) {
	if r == nil {
		return t, nil
	}
	cols := t.Columns()
	for k := range r.Steps {
		s := &r.Steps[k]
		j := t.Find(s.Target)
		switch {
		case j < 0:
		case len(s.Parts) > 0:
			s.divide(t, j, r.Public, cols)
		case s.Kind == Order:
			if cols[j] = s.distances(t, j); r.Public {
				s.declare(t, j, &cols[j].Attribute)
			}
		case s.Kind == OnlyTogether:
			cols[j] = s.without(t, j)
			if a := t.Find(s.Columns[0]); s.Zero && a >= 0 {
				cols[a] = positive(t.Column(a))
			}
		}
	}
	taken := r.Computed()
	cols = slices.DeleteFunc(cols, func(c table.Column) bool { return slices.Contains(taken, c.Name) })
	return t.WithColumns(cols)
}

// distances returns how far the target of an order is from what it is ordered by.
func (s *Step) distances(t *table.Table, j int) table.Column {
	c := t.Column(j)
	out := table.Column{Attribute: c.Attribute, Num: make([]float64, t.Rows())}
	out.Dates, out.Declared = "", false
	for _, name := range s.Besides { // on the finest grid, so that they give the value back
		if a := t.Attr(t.Find(name)); c.Dates == "" {
			out.Step = min(out.Step, a.Step)
		}
	}
	lo, hi, beside := math.Inf(1), 0.0, s.beside(t)
	for i, v := range c.Num {
		d := s.from(beside(i), v)
		if d == d {
			d = out.Snap(max(d, s.Least))
			lo, hi = min(lo, d), max(hi, d)
		}
		out.Num[i] = d
	}
	out.Domain = table.Interval{Lo: min(lo, hi), Hi: hi}
	return out
}

// declare gives distances the domain that follows from those of the columns, where all are declared.
func (s *Step) declare(t *table.Table, j int, out *table.Attribute) {
	d, of := t.Attr(j).Domain, t.Attr(j).Declared
	out.StepDeclared = t.Attr(j).StepDeclared
	far := 0.0 // the furthest that a value can be from what it is ordered by
	for _, name := range s.Besides {
		a := t.Attr(t.Find(name))
		of, out.StepDeclared = of && a.Declared, out.StepDeclared && a.StepDeclared
		if s.Down {
			far = max(far, a.Domain.Hi-d.Lo)
		} else {
			far = max(far, d.Hi-a.Domain.Lo)
		}
	}
	if of && far > s.Least && !math.IsInf(far, 0) {
		out.Domain, out.Declared = table.Interval{Lo: s.Least, Hi: far}, true
	}
}

// from returns the distance of a value of the target from what it is measured from.
func (s *Step) from(other, v float64) float64 {
	if other != other {
		other = s.Without
	}
	if s.Down {
		return other - v
	}
	return v - other
}

// beside returns what the target of an order is measured from, by row: the largest of what it is above, or the smallest
// of what it is below; NaN where all are missing.
func (s *Step) beside(t *table.Table) func(i int) float64 {
	var from [][]float64
	for _, name := range s.Besides {
		if j := t.Find(name); t.Attr(j).Kind == table.Numeric { // else it was made general: it says no number
			from = append(from, t.Num(j))
		}
	}
	return func(i int) float64 {
		out := math.NaN()
		for _, values := range from {
			v := values[i]
			if v == v && (out != out || s.Down && v < out || !s.Down && v > out) {
				out = v
			}
		}
		return out
	}
}

// without returns the column of the category that comes only with a value, without it: no technique can draw it.
func (s *Step) without(t *table.Table, j int) table.Column {
	c, is := t.Column(j), labelled(t, j, s.Value)
	out := table.Column{Attribute: c.Attribute, Num: slices.Clone(c.Num), Cat: slices.Clone(c.Cat)}
	code := int32(-1)
	if c.Kind == table.Categorical {
		if code = c.Code(s.Value); code >= 0 {
			out.Labels = slices.Delete(slices.Clone(c.Labels), int(code), int(code)+1)
		}
	}
	for i := range c.Len() {
		switch {
		case c.Kind == table.Numeric && is[i] == same:
			out.Num[i] = math.NaN()
		case c.Kind == table.Numeric:
		case is[i] == same:
			out.Cat[i] = -1
		case code >= 0 && out.Cat[i] > code:
			out.Cat[i]--
		}
	}
	return out
}

// positive returns a column of numbers in which 0 is missing.
func positive(c table.Column) table.Column {
	out := table.Column{Attribute: c.Attribute, Num: slices.Clone(c.Num)}
	lo := math.Inf(1)
	for i, v := range out.Num {
		if v == 0 {
			out.Num[i] = math.NaN()
		} else if v == v {
			lo = min(lo, v)
		}
	}
	if !out.Declared && lo <= out.Domain.Hi {
		out.Domain.Lo = max(out.Domain.Lo, lo)
	}
	return out
}

// Restore returns the columns of the schema, in its order, from a release of the reduced table: row by row of the same
// records as the original, which has the columns of the schema and says which values are missing. What cannot be
// computed, because the release does not have what it needs, is missing. Numbers that are codes of texts become codes
// that exist. Pairs that never come together are separated. Records that are nobody's (Draws.Anew) have no original,
// which is not read; a value that is computed is then missing where what it needs is. Cost: O(n) per step.
func (r *Restatement) Restore(original, released *table.Table, by Draws) (*table.Table, Restored, error) {
	if r == nil {
		return released, Restored{}, nil
	}
	out, err := r.assemble(released)
	if err == nil && by.Anew {
		original, err = r.standIn(released)
	}
	if err == nil {
		out, err = r.existing(original, out, by)
	}
	if err == nil {
		out, err = r.restore(original, out, func(*Step) bool { return true })
	}
	if err != nil || len(r.Never) == 0 {
		return out, Restored{}, err
	}
	var did Restored
	if out, did.Redrawn, err = r.separate(out, by); err == nil && did.Redrawn > 0 {
		out, err = r.restore(original, out, func(s *Step) bool { return s.Kind == Determines })
	}
	return out, did, err
}

// Draws say what is drawn where a relation would break, and among which records.
type Draws struct {
	Source   rng.Source
	Segments []uint64 // one key per record, inside which is drawn; nil is one segment for all
	// Persons name whose each record is where people recur, nil elsewhere: what is drawn for a record then depends on its
	// person, its values and the plan alone, so that each release has it alike. Segments are not used.
	Persons []rng.Block
	Alike   []string // the columns that are released alike where people recur: they give way to no other
	Anew    bool     // the records were drawn anew and are nobody's
}

// Restored says what was done besides computing.
type Restored struct {
	Redrawn int // records of which values were drawn anew, so that none have a pair that never comes together
}

// assemble returns the columns of the schema, those without values that are computed.
func (r *Restatement) assemble(released *table.Table) (*table.Table, error) {
	cols := make([]table.Column, 0, len(r.Attrs))
	for _, a := range r.Attrs {
		switch j := released.Find(a.Name); {
		case j >= 0:
			cols = append(cols, released.Column(j))
		case slices.Contains(r.Computed(), a.Name):
			cols = append(cols, empty(a, released.Rows()))
		}
	}
	return released.WithColumns(cols)
}

// restore works out the targets of some steps, in their order.
func (r *Restatement) restore(original, out *table.Table, some func(*Step) bool) (_ *table.Table, err error) {
	for k := range r.Steps {
		s := &r.Steps[k]
		j := out.Find(s.Target)
		if !some(s) || j < 0 && len(s.Parts) == 0 {
			continue
		}
		var c table.Column
		switch s.Kind {
		case Linear:
			if len(s.Parts) > 0 {
				if out, err = s.apportion(r, original, out, j); err != nil {
					return nil, err
				}
				continue
			}
			c = s.computed(r.attr(s.Target), original, out)
		case Order:
			c = s.undistanced(r.attr(s.Target), original, out, j)
		case OnlyTogether:
			if out, err = s.restoreOnly(r, original, out, j); err != nil {
				return nil, err
			}
			continue
		case Determines, Product, Ratio, Elapsed, NeverTogether:
			c = s.computed(r.attr(s.Target), original, out)
		}
		if out, err = out.WithColumn(j, c); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// standIn returns records in place of the originals that drawn ones do not have: missing is in them what was drawn as
// missing, but for a number that is 0 without a category and was drawn as missing in place of it.
func (r *Restatement) standIn(released *table.Table) (*table.Table, error) {
	cols := make([]table.Column, len(r.Attrs))
	for k, a := range r.Attrs {
		c, j := empty(a, released.Rows()), released.Find(a.Name)
		zero := slices.ContainsFunc(r.Steps, func(s Step) bool {
			return s.Kind == OnlyTogether && s.Zero && s.Columns[0] == a.Name
		})
		some := 0.0
		if !a.Domain.Contains(0) {
			some = a.Domain.Lo
		}
		for i := range released.Rows() {
			switch {
			case j >= 0 && released.MissingAt(i, j) && !zero:
			case a.Kind == table.Numeric:
				c.Num[i] = some
			case len(a.Labels) > 0:
				c.Cat[i] = 0
			}
		}
		cols[k] = c
	}
	return released.WithColumns(cols)
}

func (r *Restatement) attr(name string) table.Attribute {
	k := slices.IndexFunc(r.Attrs, func(a table.Attribute) bool { return a.Name == name })
	return r.Attrs[k]
}

// empty returns a column without values.
func empty(a table.Attribute, rows int) table.Column {
	c := table.Column{Attribute: a}
	if a.Kind == table.Numeric {
		c.Num = make([]float64, rows)
		for i := range c.Num {
			c.Num[i] = math.NaN()
		}
		return c
	}
	c.Cat = make([]int32, rows)
	for i := range c.Cat {
		c.Cat[i] = -1
	}
	return c
}

// undistanced returns the target of an order from its distances. A column that the technique made categories of stays.
func (s *Step) undistanced(a table.Attribute, original, t *table.Table, j int) table.Column {
	c := t.Column(j)
	if c.Kind != table.Numeric {
		return c
	}
	out, was := empty(a, t.Rows()), original.Column(original.Find(s.Target))
	beside, had := s.beside(t), s.beside(original)
	for i, d := range c.Num {
		if d != d || was.MissingAt(i) {
			continue
		}
		other := beside(i)
		if other != other && had(i) == had(i) {
			continue // what it is ordered by was taken away
		}
		if other != other {
			other = s.Without
		}
		v := other + d
		if s.Down {
			v = other - d
		}
		out.Num[i] = s.fence(&a, other, v)
	}
	return widened(out)
}

// fence brings a value into the domain of its attribute where the order allows it.
func (s *Step) fence(a *table.Attribute, other, v float64) float64 {
	v = a.Snap(v)
	if s.Down {
		return min(max(v, a.Snap(a.Domain.Lo)), onGrid(a, other-s.Least, -1))
	}
	return max(min(v, a.Snap(a.Domain.Hi)), onGrid(a, other+s.Least, 1))
}

// onGrid is the nearest value of the grid of an attribute that is not below v, or not above it where way is -1.
func onGrid(a *table.Attribute, v, way float64) float64 {
	at := a.Snap(v)
	if (at-v)*way < 0 {
		at = a.Snap(at + float64(way*a.Step))
	}
	return at
}

// widened returns a column whose domain holds its values.
func widened(c table.Column) table.Column {
	for _, v := range c.Num {
		if v == v && !c.Domain.Contains(v) {
			c.Domain = table.Interval{Lo: min(c.Domain.Lo, v), Hi: max(c.Domain.Hi, v)}
		}
	}
	return c
}

// restoreOnly gives the category to the records that have a value, or to those that have none, and to no others.
func (s *Step) restoreOnly(r *Restatement, original, t *table.Table, j int) (*table.Table, error) {
	a := t.Find(s.Columns[0])
	if a < 0 {
		return t, nil
	}
	v := t.Column(a)
	if s.Zero {
		v = s.zeros(r.attr(s.Columns[0]), original, v)
	}
	has := func(i int) bool { return (!v.MissingAt(i) && (!s.Zero || v.Num[i] != 0)) != s.Not }
	out, err := t.WithColumn(j, s.given(r.attr(s.Target), t.Column(j), has))
	if err != nil || !s.Zero {
		return out, err
	}
	return out.WithColumn(a, widened(v))
}

// zeros returns a column in which what was 0 is 0 again, and what the technique made 0 is the smallest value above.
func (s *Step) zeros(a table.Attribute, original *table.Table, c table.Column) table.Column {
	was := original.Find(a.Name)
	out := table.Column{Attribute: a, Num: slices.Clone(c.Num)}
	least := c.Domain.Lo
	if least <= 0 {
		least = max(a.Step, a.Domain.Hi*1e-9)
	}
	for i, v := range out.Num {
		switch {
		case v != v && was >= 0 && original.Num(was)[i] == 0:
			out.Num[i] = 0
		case v == 0:
			out.Num[i] = least
		}
	}
	return out
}

// given returns the column of the category: of the attribute, with the category where a record has what comes with it.
func (s *Step) given(a table.Attribute, c table.Column, has func(i int) bool) table.Column {
	out := table.Column{Attribute: a}
	if c.Kind == table.Numeric {
		value, _ := number64(s.Value)
		out.Num = slices.Clone(c.Num)
		for i, v := range out.Num {
			switch {
			case has(i):
				out.Num[i] = value
			case v == value:
				out.Num[i] = math.NaN()
			}
		}
		return out
	}
	out.Labels = slices.Clone(a.Labels)
	to := make([]int32, len(c.Labels))
	for k, l := range c.Labels {
		if to[k] = out.Code(l); to[k] < 0 {
			to[k] = int32(len(out.Labels))
			out.Labels = append(out.Labels, l)
		}
	}
	value := out.Code(s.Value)
	out.Cat = make([]int32, c.Len())
	for i, code := range c.Cat {
		switch {
		case has(i):
			out.Cat[i] = value
		case code < 0 || to[code] == value:
			out.Cat[i] = -1
		default:
			out.Cat[i] = to[code]
		}
	}
	return out
}
