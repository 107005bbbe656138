// Package quality measures what a protected table is still fit for, purpose by purpose: the information quality model
// of Nai Fovino and Masera.
//
// A model (ASSET) lists the purposes that a table serves (AIS, aggregate information schemas). Each has attributes,
// with a weight for their accuracy and one for their completeness, and constraints that their values satisfy: simple
// ones on an attribute, and complex ones that join several. Attributes and constraints are the nodes of a graph (DMG,
// data model graph): an attribute leads to its simple constraints, and these to the complex ones.
//
// A record is accurate where no value differs from the original's, complete where none is missing, consistent where no
// constraint is false. A missing value falsifies nothing. A simple constraint may be a relation between columns
// (package relation) in place of a condition on one: operating rules of the model and relations are one thing. It is
// looked at where any of its columns changed, and counted once per record. Of every purpose the lack of accuracy,
// completeness and consistency is told: lower is better, though the report calls them accuracy, completeness and
// consistency.
//
// Departures from the report (chapter 5), whose figures leave the following open or wrong:
//   - Fig. 5.1 looks for a record that was deleted behind the end of the table: a record without a counterpart is
//     incomplete in every attribute here, and one of the release that the original lacks is inaccurate in every
//     attribute.
//   - Fig. 5.2 visits a complex constraint at every changed value. So does the sum CSL (ByCell); ByRecord counts it
//     once per record.
//   - The sums of Fig. 5.2 start at 0 and end at n, and that for simple constraints is double: equations 5.1 to 5.3 are
//     taken.
//   - Figures divided by the number of purposes (5.4 to 5.6) are small where weights are; Lack.Share, divided by the
//     weights and the records, lies in [0, 1].
//
// Source: I. Nai Fovino and M. Masera, "Privacy Preserving Data Mining: Evaluation Methodologies", European
// Commission, Joint Research Centre, 2008, chapters 4 and 5.
package quality

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/text/expression"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/internal/text/yamlfile"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/table"
)

// Model says what a table is good for: the ASSET, with at least one purpose.
type Model struct {
	// Key are columns that tell records apart and that protecting leaves as they are. They pair records where nothing
	// else does.
	Key      []string
	Purposes []Purpose

	source *yamlfile.Source // nil for a model that was not parsed
}

// Purpose is an AIS: one use of the data.
type Purpose struct {
	Name        string
	Weight      float64 // W, at least 0: how much the purpose matters among the others
	Attributes  []Attribute
	Constraints []Constraint
	Complex     []Complex
}

// Attribute is an attribute class: a column, and how much its values matter. Weights are at least 0.
type Attribute struct {
	Name         string
	Accuracy     float64 // AW: that it is as it was
	Completeness float64 // CW: that it is there
}

// Constraint is a simple constraint class. It is looked at where the value of its attribute was changed.
type Constraint struct {
	Name string
	On   string // one of the purpose's attributes; empty for a relation, which is on all its columns
	Expr string // a condition, as package internal/text/expression reads it; empty for a relation
	// Relation holds between attributes of the purpose, as relation.Parse reads it; empty for a condition.
	Relation string
	Weight   float64

	parsed  *expression.Expression
	related *relation.Relation
}

// Text is the condition or the relation.
func (c *Constraint) Text() string { return c.Expr + c.Relation }

// Attributes are those that the constraint is on.
func (c *Constraint) Attributes() []string {
	if c.related != nil {
		return c.related.Columns
	}
	return []string{c.On}
}

// Complex is a complex constraint class: all of its constraints hold, or any.
type Complex struct {
	Name   string
	Any    bool         // or; else and
	Of     []Constraint // without a name or a weight of their own
	Weight float64
}

// Operator returns the word for how constraints are joined.
func (c *Complex) Operator() string {
	if c.Any {
		return "or"
	}
	return "and"
}

// Check looks at a model that a program made, and reads its expressions. A model that was parsed has been looked at.
func (m *Model) Check() error {
	if len(m.Purposes) == 0 {
		return fmt.Errorf("the model has no purpose")
	}
	for p := range m.Purposes {
		if err := m.Purposes[p].check(m, pathOf("asset", m.Purposes[p].Name)); err != nil {
			return err
		}
	}
	return nil
}

// fault is an error at a place of the file; an error without one where there is no file.
func (m *Model) fault(path, format string, args ...any) error {
	if m.source == nil {
		return fmt.Errorf(format, args...)
	}
	return m.source.Errorf(path, format, args...)
}

func pathOf(steps ...string) (path string) {
	for _, s := range steps {
		path = yamlfile.Pointer(path, s)
	}
	return path
}

func (p *Purpose) check(m *Model, at string) error {
	if len(p.Attributes) == 0 {
		return m.fault(at, "purpose %q has no attributes", p.Name)
	}
	known := make([]string, len(p.Attributes))
	accuracy, completeness := 0.0, 0.0
	for k, a := range p.Attributes {
		known[k] = a.Name
		accuracy += a.Accuracy
		completeness += a.Completeness
	}
	for k := range p.Constraints {
		c := &p.Constraints[k]
		if err := c.check(m, known, at+pathOf("constraints", c.Name)); err != nil {
			return err
		}
	}
	for k := range p.Complex {
		c := &p.Complex[k]
		if len(c.Of) == 0 {
			return m.fault(at+pathOf("complex", c.Name, "of"),
				"complex constraint %q joins no constraints: list them below of", c.Name)
		}
		for i := range c.Of {
			if err := c.Of[i].check(m, known, at+pathOf("complex", c.Name, "of", fmt.Sprint(i))); err != nil {
				return err
			}
		}
	}
	if accuracy == 0 && completeness == 0 && len(p.Constraints)+len(p.Complex) == 0 {
		return m.fault(at, "purpose %q weighs nothing: give an attribute a weight, or a constraint", p.Name)
	}
	return nil
}

func (c *Constraint) check(m *Model, attributes []string, at string) (err error) {
	if c.Relation != "" {
		return c.checkRelation(m, attributes, at)
	}
	if !slices.Contains(attributes, c.On) {
		return m.fault(at+"/on", "a constraint is on %q, which is not an attribute of its purpose%s", c.On,
			spelling.Hint(c.On, attributes))
	}
	if c.parsed, err = expression.Parse(c.Expr); err != nil {
		return m.inExpression(at+"/expr", c.Expr, err)
	}
	if !c.parsed.Names(c.On) {
		return m.fault(at+"/expr", "the expression does not name %q, which the constraint is on", c.On)
	}
	return nil
}

// Columns returns the columns of the table that the model names, each once, in the order in which it names them.
func (m *Model) Columns() (out []string) {
	add := func(name string) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	m.each(func(_ string, c *Constraint) error {
		if c.related != nil {
			return nil // its columns are attributes
		}
		for _, col := range c.parsed.Columns {
			add(col.Name)
		}
		return nil
	}, func(_, name string) error { add(name); return nil })
	return out
}

// each visits the attributes and the constraints, with where they stand.
func (m *Model) each(constraint func(at string, c *Constraint) error, attribute func(at, name string) error) error {
	for p := range m.Purposes {
		u := &m.Purposes[p]
		at := pathOf("asset", u.Name)
		for _, a := range u.Attributes {
			if err := attribute(at+pathOf("attributes", a.Name), a.Name); err != nil {
				return err
			}
		}
		for k := range u.Constraints {
			if err := constraint(at+pathOf("constraints", u.Constraints[k].Name), &u.Constraints[k]); err != nil {
				return err
			}
		}
		for k := range u.Complex {
			for i := range u.Complex[k].Of {
				if err := constraint(at+pathOf("complex", u.Complex[k].Name, "of", fmt.Sprint(i)),
					&u.Complex[k].Of[i]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Fit returns an error where a model does not fit a table with the schema: a column that is not there, a condition
// that could hold of no record. It names the place in the file.
func (m *Model) Fit(schema []table.Attribute) error {
	names := make([]string, len(schema))
	for j := range schema {
		names[j] = schema[j].Name
	}
	return m.each(func(at string, c *Constraint) error {
		if c.related != nil {
			if err := c.related.Fits(schema); err != nil {
				return m.fault(at+"/relation", "relation %q: %v", c.Relation, err)
			}
			return nil
		}
		_, err := c.bind(m, at, schema, names)
		return err
	}, func(at, name string) error {
		if !slices.Contains(names, name) {
			return m.missing(at, name, names)
		}
		return nil
	})
}

// missing tells of an attribute that the table lacks, at its key.
func (m *Model) missing(at, name string, names []string) error {
	text := fmt.Sprintf("the table has no column %q%s", name, spelling.Hint(name, names))
	if m.source == nil {
		return fmt.Errorf("%s", text)
	}
	return m.source.KeyErrorf(at, "%s", text)
}

// bind returns the expression of a constraint for a table, whose columns it then names by their place in the schema.
func (c *Constraint) bind(m *Model, at string, schema []table.Attribute, names []string) (*bound, error) {
	b := &bound{}
	domains := make([]expression.Domain, len(c.parsed.Columns))
	for k, col := range c.parsed.Columns {
		j := slices.Index(names, col.Name)
		if j < 0 {
			return nil, m.inExpression(
				at+"/expr",
				c.Expr,
				&expression.Fault{
					At:      col.At,
					Message: fmt.Sprintf("the table has no column %q%s", col.Name, spelling.Hint(col.Name, names)),
				},
			)
		}
		a := &schema[j]
		switch a.Kind {
		case table.Numeric:
			domains[k].Kind = expression.Number
			if a.Dates != "" {
				domains[k].Read = a.ParseValue
			}
		case table.Categorical:
			domains[k].Kind = expression.Text
		case table.SetValued:
			return nil, m.inExpression(
				at+"/expr",
				c.Expr,
				&expression.Fault{
					At:      col.At,
					Message: fmt.Sprintf("column %q holds sets of items, which conditions do not read", col.Name),
				},
			)
		}
		b.columns = append(b.columns, j)
	}
	var err error
	if b.expr, err = c.parsed.Bind(domains); err != nil {
		return nil, m.inExpression(at+"/expr", c.Expr, err)
	}
	return b, nil
}

// bound is an expression with the columns of a table that it reads.
type bound struct {
	expr    *expression.Expression
	columns []int
}
