// Package relation is about what holds between the columns of a table in every record: edit rules, constraints and
// functional dependencies, as statistics and databases call them. A discharge is not before the admission, a total is
// the sum of its parts, a code determines its label, no man is a wife.
//
// Find finds the relations of a table (methods in find.go); Bind prepares one for checking records; Restate takes out
// of a table what its other columns determine, so that any technique can perturb the rest, and computes it again from
// the release: a release then keeps every relation exactly, whatever the technique knows of them.
//
// A relation that was found, and what Bind and Restate learn of it, is about the original records: it is confidential.
//
// References: Fellegi and Holt 1976 (edits); Codd 1970, Huhtala et al. 1999 (functional dependencies).
package relation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/table"
)

// Kind is a kind of relation.
type Kind string

// The kinds, with what Columns holds.
const (
	// Determines: records that agree in all columns but the last agree in the last: code -> label.
	Determines Kind = "determines"
	// Linear: the columns, each times its coefficient, sum to Constant: total = a + b.
	Linear Kind = "linear"
	// Product: the first is Factor times the second times the third, rounded to the step of the first.
	Product Kind = "product"
	// Ratio: the first is Factor times the second by the third to the power Power (1 or 2), rounded to the step of the
	// first: bmi = 10000 * weight / height^2.
	Ratio Kind = "ratio"
	// Order: the first is at most the second, or less where Strict is set.
	Order Kind = "order"
	// Elapsed: the first is the number of completed units (Unit) from the date in the second to the date in the third
	// or, without a third, to Day.
	Elapsed Kind = "elapsed"
	// OnlyTogether: the first has a value (that is not 0, where Zero is set) exactly where the second is Value or, where
	// Not is set, exactly where it is not.
	OnlyTogether Kind = "only together"
	// NeverTogether: no record has Other in the first and Value in the second.
	NeverTogether Kind = "never together"
)

// Relation is what holds between columns. Which fields count depends on the kind. Dates count in days since
// 1970-01-01, in their coefficients as in Day, whatever the unit of their notation.
type Relation struct {
	Kind         Kind      `json:"kind" yaml:"kind"`
	Columns      []string  `json:"columns" yaml:"columns"`
	Coefficients []float64 `json:"coefficients,omitempty" yaml:"coefficients,omitempty"`
	Constant     float64   `json:"constant,omitempty" yaml:"constant,omitempty"`
	Factor       float64   `json:"factor,omitempty" yaml:"factor,omitempty"`
	Power        int       `json:"power,omitempty" yaml:"power,omitempty"`
	Strict       bool      `json:"strict,omitempty" yaml:"strict,omitempty"`
	Unit         Unit      `json:"unit,omitempty" yaml:"unit,omitempty"`
	Day          int       `json:"day,omitempty" yaml:"day,omitempty"`
	Zero         bool      `json:"zero,omitempty" yaml:"zero,omitempty"`
	Not          bool      `json:"not,omitempty" yaml:"not,omitempty"`
	Value        string    `json:"value,omitempty" yaml:"value,omitempty"`
	Other        string    `json:"other,omitempty" yaml:"other,omitempty"`
}

// Unit is what Elapsed counts.
type Unit string

// The units.
const (
	Years  Unit = "years"
	Months Unit = "months"
	Weeks  Unit = "weeks"
)

// Found is a relation of a table, and in how many records it is checked and broken.
type Found struct {
	Relation
	// Checked is the number of records that have all it is about; of NeverTogether the number of records expected to
	// break it if the two columns were independent.
	Checked int `json:"checked"`
	// Broken is the number of records that break it, at most so many as are tolerated: probably errors.
	Broken int `json:"broken"`
	// Both says of a Determines with one source that the other way holds as well: code and label.
	Both bool `json:"both,omitempty"`
}

// MostBroken is the largest share of records that break a relation which is still one.
const MostBroken = 0.001

// oneWrong is how many records a table has at least in which a single wrong one leaves a relation what it is.
const oneWrong = 200

// Tolerated reports whether so many of the records checked may break a relation which is still one: at most MostBroken
// of them, or a single one of at least 200.
func Tolerated(broken, checked int) bool {
	return float64(broken) <= MostBroken*float64(checked) || broken == 1 && checked >= oneWrong
}

// Equal reports whether two relations are the same.
func (r *Relation) Equal(o *Relation) bool {
	return r.Kind == o.Kind && slices.Equal(r.Columns, o.Columns) && slices.Equal(r.Coefficients, o.Coefficients) &&
		r.Constant == o.Constant && r.Factor == o.Factor && r.Power == o.Power && r.Strict == o.Strict &&
		r.Unit == o.Unit && r.Day == o.Day && r.Zero == o.Zero && r.Not == o.Not && r.Value == o.Value &&
		r.Other == o.Other
}

// columns is how many columns a kind has: at least and, where it is not 0, at most.
var columns = map[Kind][2]int{
	Determines: {2, 0}, Linear: {2, 0}, Product: {3, 3}, Ratio: {3, 3}, Order: {2, 2}, Elapsed: {2, 3},
	OnlyTogether: {2, 2}, NeverTogether: {2, 2},
}

// Check says what is wrong with a relation itself.
func (r *Relation) Check() error {
	n, known := columns[r.Kind]
	switch {
	case !known:
		return fmt.Errorf("%q is no kind of relation", r.Kind)
	case len(r.Columns) < n[0] || n[1] > 0 && len(r.Columns) > n[1]:
		return fmt.Errorf("a relation of the kind %q is not about %d columns", r.Kind, len(r.Columns))
	case r.Kind == Linear && len(r.Coefficients) != len(r.Columns):
		return fmt.Errorf("%d coefficients for %d columns", len(r.Coefficients), len(r.Columns))
	case r.Kind == Linear && slices.Contains(r.Coefficients, 0):
		return fmt.Errorf("a coefficient is 0")
	case (r.Kind == Product || r.Kind == Ratio) && !(r.Factor > 0):
		return fmt.Errorf("the factor is not above 0")
	case r.Kind == Ratio && r.Power != 1 && r.Power != 2:
		return fmt.Errorf("the power is %d; it is 1 or 2", r.Power)
	case r.Kind == Elapsed && !slices.Contains([]Unit{Years, Months, Weeks}, r.Unit):
		return fmt.Errorf("%q is no unit; years, months and weeks are", r.Unit)
	}
	for k, name := range r.Columns {
		if slices.Contains(r.Columns[:k], name) {
			return fmt.Errorf("column %q stands in it twice", name)
		}
	}
	return nil
}

// On returns the positions of the relation's columns in a table. A column that the table lacks, or that does not hold
// what the kind needs, is an error.
func (r *Relation) On(t *table.Table) ([]int, error) { return r.on(t.Find, t.Attr) }

// Fits is On for a schema.
func (r *Relation) Fits(schema []table.Attribute) error {
	_, err := r.on(func(name string) int {
		return slices.IndexFunc(schema, func(a table.Attribute) bool { return a.Name == name })
	}, func(j int) *table.Attribute { return &schema[j] })
	return err
}

func (r *Relation) on(find func(name string) int, attr func(j int) *table.Attribute) ([]int, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	out := make([]int, len(r.Columns))
	for k, name := range r.Columns {
		j := find(name)
		if j < 0 {
			return nil, fmt.Errorf("there is no column %q", name)
		}
		a := attr(j)
		switch {
		case !a.Kind.Scalar():
			return nil, fmt.Errorf("column %q holds sets of items", name)
		case r.numeric(k) && a.Kind != table.Numeric:
			return nil, fmt.Errorf("column %q holds no numbers", name)
		case r.Kind == Elapsed && k > 0 && a.Dates == "":
			return nil, fmt.Errorf("column %q holds no dates", name)
		case r.Kind == Order && k > 0 && (a.Dates == "") != (attr(out[0]).Dates == ""):
			return nil, fmt.Errorf("%q and %q are not dates both", r.Columns[0], name)
		}
		out[k] = j
	}
	return out, nil
}

// numeric reports whether the column at a place holds numbers.
func (r *Relation) numeric(k int) bool {
	switch r.Kind {
	case Linear, Product, Ratio, Order, Elapsed:
		return true
	case OnlyTogether:
		return k == 0 && r.Zero
	case Determines, NeverTogether:
	}
	return false
}

// Sources returns the columns of a relation but one.
func (r *Relation) Sources(target string) []string {
	return slices.DeleteFunc(slices.Clone(r.Columns), func(n string) bool { return n == target })
}

// String writes the relation as Parse reads it.
func (r Relation) String() string {
	c := make([]string, len(r.Columns))
	for k, n := range r.Columns {
		c[k] = quoted(n)
	}
	switch r.Kind {
	case Determines:
		last := len(c) - 1
		return strings.Join(c[:last], ", ") + " -> " + c[last]
	case Linear:
		return r.linear(c)
	case Product:
		return c[0] + " = " + times(r.Factor) + c[1] + " * " + c[2]
	case Ratio:
		s := c[0] + " = " + times(r.Factor) + c[1] + " / " + c[2]
		if r.Power == 2 {
			s += "^2"
		}
		return s
	case Order:
		if r.Strict {
			return c[0] + " < " + c[1]
		}
		return c[0] + " <= " + c[1]
	case Elapsed:
		to := dayText(r.Day)
		if len(c) > 2 {
			to = c[2]
		}
		return c[0] + " = " + string(r.Unit) + "(" + c[1] + ", " + to + ")"
	case OnlyTogether:
		what := " if "
		if r.Not {
			what = " unless "
		}
		if r.Zero {
			what = " above 0" + what
		}
		return c[0] + what + c[1] + " = " + quoted(r.Value)
	case NeverTogether:
		return "never " + c[0] + " = " + quoted(r.Other) + " and " + c[1] + " = " + quoted(r.Value)
	}
	return string(r.Kind)
}

// linear writes the first column as the sum of the others.
func (r *Relation) linear(c []string) string {
	var b strings.Builder
	b.WriteString(c[0] + " =")
	sign := func(v float64) (float64, string) {
		first := strings.HasSuffix(b.String(), "=")
		switch {
		case v < 0 && first:
			return -v, " -"
		case v < 0:
			return -v, " - "
		case first:
			return v, " "
		}
		return v, " + "
	}
	for k := 1; k < len(c); k++ {
		v, s := sign(-r.Coefficients[k] / r.Coefficients[0])
		b.WriteString(s + times(v) + c[k])
	}
	if v := r.Constant / r.Coefficients[0]; v != 0 {
		v, s := sign(v)
		b.WriteString(s + number(v))
	}
	return b.String()
}

// times writes a factor, and nothing for 1.
func times(v float64) string {
	if v == 1 {
		return ""
	}
	return number(v) + " * "
}
