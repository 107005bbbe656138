package relation

import "github.com/dither-data/dither/table"

// Derivation says what one column of a record is, by a relation and what the record has in the relation's other
// columns.
type Derivation struct {
	Relation Relation // as it was declared or found
	Target   string
	step     Step
	zero     bool // Target, which comes only with a category, is 0 without it
}

// Derivations returns how a relation says what single columns are: the result of a sum or a product and each of its
// parts, completed units but not their dates, what is determined and, where one column determines it, the other way as
// a rule, and the category that another column comes with. Of what determines, combinations that the original has but
// once say nothing: nobody else can know what they stand for. Cost: O(n) where values are looked up.
func (r Relation) Derivations(original *table.Table) ([]Derivation, error) {
	b, err := r.Bind(original)
	if err != nil {
		return nil, err
	}
	of := func(names ...string) (out []Derivation) {
		for _, n := range names {
			out = append(out, Derivation{Relation: r, Target: n, step: Step{Bound: *b, Target: n}})
		}
		return out
	}
	switch r.Kind {
	case Linear, Product, Ratio:
		return of(r.Columns...), nil
	case Elapsed:
		return of(r.Columns[0]), nil
	case OnlyTogether:
		out := of(r.Columns[1])
		if r.Zero {
			out = append(out, of(r.Columns[0])...)
			out[1].zero = true
		}
		return out, nil
	case Determines:
		return r.lookups(original)
	case Order, NeverTogether:
	}
	return nil, nil
}

// lookups are the derivations of a Determines.
func (r Relation) lookups(original *table.Table) (out []Derivation, err error) {
	ways := []Relation{r}
	if len(r.Columns) == 2 {
		ways = append(ways, Relation{Kind: Determines, Columns: []string{r.Columns[1], r.Columns[0]}})
	}
	for _, w := range ways {
		b, err := w.Bind(original)
		if err != nil {
			return nil, err
		}
		last := len(w.Columns) - 1
		at, err := w.On(original)
		if err != nil {
			return nil, err
		}
		from := keysOf(original, at[:last])
		count := make([]int, len(from.keys))
		for _, n := range from.of {
			if n >= 0 {
				count[n]++
			}
		}
		for n, key := range from.keys {
			if count[n] < 2 {
				delete(b.To, key)
			}
		}
		out = append(out, Derivation{Relation: r, Target: w.Columns[last], step: Step{Bound: *b, Target: w.Columns[last]}})
	}
	return out, nil
}

// Values returns the target as the other columns of every record of a release say, with the attribute that it has in
// the original; a value that they do not say is missing. Cost: O(n).
func (d *Derivation) Values(a table.Attribute, released *table.Table) table.Column {
	out := empty(a, released.Rows())
	switch d.step.Kind {
	case Determines:
		if at := positions(released, d.step.Sources(d.Target)); at != nil {
			fill(&out, released, at, func(key string) (string, bool) { v, ok := d.step.To[key]; return v, ok })
		}
	case OnlyTogether:
		d.together(&out, released)
	case Linear, Product, Ratio, Elapsed, Order, NeverTogether:
		d.step.worked(&out, released)
	}
	return out
}

// positions are the places of columns in a table; nil where it lacks one.
func positions(t *table.Table, names []string) (out []int) {
	for _, name := range names {
		j := t.Find(name)
		if j < 0 {
			return nil
		}
		out = append(out, j)
	}
	return out
}

// together fills in the category of records that have what comes with it or, where the target is what comes with it, 0
// in the others.
func (d *Derivation) together(out *table.Column, t *table.Table) {
	at := positions(t, d.step.Columns)
	if at == nil {
		return
	}
	if d.zero {
		is := labelled(t, at[1], d.step.Value)
		for i := range out.Num {
			if is[i] != missing && (is[i] == other) != d.step.Not {
				out.Num[i] = 0
			}
		}
		return
	}
	code := int32(-1)
	value, isNumber := number64(d.step.Value)
	if out.Kind == table.Categorical {
		code = out.Code(d.step.Value)
	}
	of := t.Num(at[0])
	for i := range t.Rows() {
		switch {
		case d.step.Not && d.step.Zero && t.MissingAt(i, at[0]): // it may be any
		case (t.MissingAt(i, at[0]) || d.step.Zero && of != nil && of[i] == 0) != d.step.Not:
		case out.Kind == table.Categorical:
			out.Cat[i] = code
		case isNumber:
			out.Num[i] = value
		}
	}
}
