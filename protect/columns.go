package protect

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Columns returns the positions of the columns of one kind that a technique may perturb: all but the class, sampling
// weights and those named in except. A name the table lacks, an identifier still in the table, and a numeric column
// without a finite domain are errors.
func Columns(t *table.Table, kind table.Kind, except []string) ([]int, error) {
	alone := make(map[int]bool, len(except))
	for _, n := range except {
		j := t.Find(n)
		if j < 0 {
			return nil, fmt.Errorf("parameter %q: there is no column %q", "except", n)
		}
		alone[j] = true
	}
	var out []int
	for j := range t.Width() {
		a := t.Attr(j)
		if a.Role&table.Identifier != 0 {
			return nil, fmt.Errorf("column %q is an identifier; it must be dropped before the table is protected", a.Name)
		}
		if a.Kind != kind || a.Role&(table.Class|table.Weight) != 0 || alone[j] {
			continue
		}
		if a.Kind == table.Numeric && !wrap.Fits(a.Domain, a.Step) {
			domain := "an observed domain" // its limits are the smallest and the largest original
			if a.Declared {
				domain = fmt.Sprintf("the domain %v", a.Domain)
			}
			return nil, fmt.Errorf("column %q has %s with step %v; expected finite limits in ascending order, at most 2^53 "+
				"steps from zero",
				a.Name, domain, a.Step)
		}
		out = append(out, j)
	}
	return out, nil
}

// Names returns the names of the columns at the positions.
func Names(attrs []table.Attribute, columns []int) []string {
	names := make([]string, len(columns))
	for k, j := range columns {
		names[k] = attrs[j].Name
	}
	return names
}

// Conforms returns an error unless the chunk has the attributes of the schema: the same names, kinds and labels, in the
// same order.
func Conforms(chunk *table.Table, schema []table.Attribute) error {
	if chunk.Width() != len(schema) {
		return fmt.Errorf("the table has %d columns, the plan was fitted on %d", chunk.Width(), len(schema))
	}
	for j := range schema {
		a, want := chunk.Attr(j), &schema[j]
		if a.Name != want.Name || a.Kind != want.Kind || len(a.Labels) != len(want.Labels) {
			return fmt.Errorf("column %d is %q (%s, %d labels), the plan was fitted on %q (%s, %d labels)",
				j+1, a.Name, a.Kind, len(a.Labels), want.Name, want.Kind, len(want.Labels))
		}
		if err := a.SameUnit(want); err != nil {
			return fmt.Errorf("column %d, %q, %w", j+1, a.Name, err)
		}
		if len(a.Labels) > 0 && &a.Labels[0] != &want.Labels[0] && !slices.Equal(a.Labels, want.Labels) {
			return fmt.Errorf("column %d, %q, has other labels than the plan was fitted on, or has them in another order", j+1,
				a.Name)
		}
	}
	return nil
}

// Classless are techniques for people who name no class: one that generalises, and one that draws new records.
var Classless = []string{"kanonymise", "copulasynthesis"}

// ErrNoClass is why a technique that needs a class cannot be fitted to a table without one.
var ErrNoClass = errors.New("no column has the role class; name the one to predict (--class COLUMN; one of numbers " +
	"is cut into ranges: --cut 20%top), take a technique that needs none (--method " +
	strings.Join(Classless, " or --method ") + "), or let \"dither choose\" find one")

// ClassOf returns the position of the class, which must be categorical. Where there is none the error is ErrNoClass.
func ClassOf(t *table.Table) (int, error) {
	j := t.WithRole(table.Class)
	if j < 0 {
		return 0, ErrNoClass
	}
	if a := t.Attr(j); a.Kind != table.Categorical {
		return 0, fmt.Errorf("the class %q is %s; it must be categorical", a.Name, a.Kind)
	}
	return j, nil
}

// CheckColumns refuses positions that are not ascending, not in the schema, or not of the kind, and numeric columns
// without a usable domain.
func CheckColumns(schema []table.Attribute, columns []int, kind table.Kind) error {
	last := -1
	for _, j := range columns {
		if j <= last || j >= len(schema) {
			return errors.New("the columns are not ascending positions in the schema")
		}
		a := &schema[j]
		if a.Kind != kind {
			return fmt.Errorf("column %q is %s; expected %s", a.Name, a.Kind, kind)
		}
		if kind == table.Numeric && !wrap.Fits(a.Domain, a.Step) {
			return fmt.Errorf("column %q has an unusable domain or step", a.Name)
		}
		last = j
	}
	return nil
}

// Confidential returns the positions of the numeric columns that a technique for confidential attributes replaces,
// those with the role table.Confidential or, where no numeric column has it, all (Columns), less those in except: none
// where all with the role are excepted. And it returns those of the other numeric columns, weights and a numeric class
// left out, which are released as they are and whose relations with the first it keeps.
func Confidential(t *table.Table, except []string) (x, s []int, err error) {
	all, err := Columns(t, table.Numeric, nil)
	if err != nil {
		return nil, nil, err
	}
	may, err := Columns(t, table.Numeric, except)
	if err != nil {
		return nil, nil, err
	}
	x = Chosen(t, all, may)
	chosen := make(map[int]bool, len(x))
	for _, j := range x {
		chosen[j] = true
	}
	for _, j := range all {
		if !chosen[j] {
			s = append(s, j)
		}
	}
	return x, s, nil
}

// Chosen returns those of the columns may, all but the excepted ones, that a technique for confidential attributes
// replaces: those with the role or, where none of all has it, may.
func Chosen(t *table.Table, all, may []int) []int {
	has := func(j int) bool { return t.Attr(j).Role&table.Confidential != 0 }
	if !slices.ContainsFunc(all, has) {
		return may
	}
	return slices.DeleteFunc(slices.Clone(may), func(j int) bool { return !has(j) })
}

// Open returns the positions of the numeric and the categorical columns that a technique may change: all but the class,
// sampling weights and those named in except. A name the table lacks and an identifier still in the table are errors.
// Unlike Columns it asks nothing of domains.
func Open(t *table.Table, except []string) ([]int, error) {
	alone := make(map[string]bool, len(except))
	for _, n := range except {
		if t.Find(n) < 0 {
			return nil, fmt.Errorf("parameter %q: there is no column %q", "except", n)
		}
		alone[n] = true
	}
	var out []int
	for j := range t.Width() {
		a := t.Attr(j)
		if a.Role&table.Identifier != 0 {
			return nil, fmt.Errorf("column %q is an identifier; it must be dropped before the table is protected", a.Name)
		}
		if a.Kind.Scalar() && a.Role&(table.Class|table.Weight) == 0 && !alone[a.Name] {
			out = append(out, j)
		}
	}
	return out, nil
}

// QuasiIdentifiers returns those of the columns may, all but the excepted ones, that a technique for quasi-identifiers
// changes: those with the role table.Quasi or, where none of all has it, those without the role table.Confidential.
func QuasiIdentifiers(t *table.Table, all, may []int) []int {
	quasi := func(j int) bool { return t.Attr(j).Role&table.Quasi != 0 }
	alone := func(j int) bool { return !quasi(j) }
	if !slices.ContainsFunc(all, quasi) {
		alone = func(j int) bool { return t.Attr(j).Role&table.Confidential != 0 }
	}
	return slices.DeleteFunc(slices.Clone(may), alone)
}

// Weights returns the sampling weights of the records, the numeric column with the role table.Weight; nil where there
// is none. It is an error when one is missing or not above 0.
func Weights(t *table.Table) ([]float64, error) {
	if j := t.WithRole(table.Weight); j >= 0 && t.Attr(j).Kind == table.Numeric {
		return WeightsIn(t, j)
	}
	return nil, nil
}

// WeightsIn returns the sampling weights of the records that the numeric column j holds, whatever its role: a plan
// knows them by position. It is an error when one is missing or not above 0.
func WeightsIn(t *table.Table, j int) ([]float64, error) {
	bad := 0
	for _, w := range t.Num(j) {
		if !(w > 0) || math.IsInf(w, 0) {
			bad++
		}
	}
	if bad > 0 {
		return nil, fmt.Errorf("column %q: %s missing or not above 0; expected a sampling weight for every record",
			t.Attr(j).Name, numfmt.Are(bad, "value"))
	}
	return t.Num(j), nil
}
