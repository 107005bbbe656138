package within

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// conform returns the records of a segment with the attributes that its plan was fitted on. A category that the segment
// did not have then is an error.
func conform(t *table.Table, schema []table.Attribute) (*table.Table, error) {
	for j := range schema {
		for _, l := range t.Attr(j).Labels {
			if schema[j].Kind == table.Categorical && schema[j].Code(l) < 0 {
				return nil, fmt.Errorf("column %q has a category in a segment where none had it when the plan was fitted; fit it "+
					"again", schema[j].Name)
			}
		}
	}
	return t.Conform(schema, false)
}

// blank returns the columns of the chunk with fresh storage for those that change, and the attributes they are released
// with.
func (p *Plan) blank(chunk *table.Table) ([]table.Column, error) {
	cols := chunk.Columns()
	released := p.attributes()
	for _, n := range p.Changes() {
		j := chunk.Find(n)
		if j < 0 {
			return nil, fmt.Errorf("the table has no column %q", n)
		}
		cols[j].Attribute = released[j]
		switch cols[j].Kind {
		case table.Numeric:
			cols[j].Num = slices.Clone(cols[j].Num)
		case table.Categorical:
			cols[j].Cat = slices.Clone(cols[j].Cat)
		case table.SetValued:
			return nil, fmt.Errorf("column %q is %s; inside segments numbers and categories change", n, cols[j].Kind)
		}
	}
	return cols, nil
}

// attributes returns the attributes of a release: of a number, the domain that holds those of all segments, and the
// finest of their grids. They do not depend on the records.
func (p *Plan) attributes() []table.Attribute {
	p.once.Do(func() {
		p.released = slices.Clone(p.Attrs)
		for _, of := range p.all() {
			p.widen(of)
		}
	})
	return p.released
}

// widen takes what a segment's plan makes of no record at all for the attributes it releases; one that needs records
// keeps its schema's.
func (p *Plan) widen(of protect.Plan) {
	none := make([]table.Column, len(of.Schema()))
	for j, a := range of.Schema() {
		none[j] = table.Column{Attribute: a}
	}
	empty, err := table.New(none...)
	if err != nil {
		return
	}
	out, err := of.Apply(empty, rng.Source{})
	if err != nil {
		return
	}
	for _, n := range of.Changes() {
		j := out.Find(n)
		if j < 0 || out.Attr(j).Kind != table.Numeric || p.released[j].Kind != table.Numeric {
			continue
		}
		is, a := out.Attr(j), &p.released[j]
		a.Domain.Lo, a.Domain.Hi = min(a.Domain.Lo, is.Domain.Lo), max(a.Domain.Hi, is.Domain.Hi)
		if is.Step < a.Step {
			a.Step = is.Step
		}
	}
}

// put writes the released values of a segment's records into the release; categories have their codes there.
func put(cols []table.Column, part *table.Table, names []string, rows []int) error {
	for _, n := range names {
		j := part.Find(n)
		switch c := &cols[j]; c.Kind {
		case table.Numeric:
			for r, i := range rows {
				c.Num[i] = part.Num(j)[r]
			}
		case table.Categorical:
			to := make([]int32, len(part.Attr(j).Labels))
			for code, l := range part.Attr(j).Labels {
				to[code] = int32(c.Code(l))
			}
			for r, i := range rows {
				if c.Cat[i] = part.Cat(j)[r]; c.Cat[i] < 0 {
					continue
				}
				if c.Cat[i] = to[c.Cat[i]]; c.Cat[i] < 0 {
					return fmt.Errorf("column %q is released with a category that is not in its schema", n)
				}
			}
		case table.SetValued:
		}
	}
	return nil
}
