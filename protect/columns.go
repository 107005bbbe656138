package protect

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/wrap"
	"github.com/dither-data/dither/table"
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
			return nil, fmt.Errorf("column %q has %s with step %v; expected finite limits in ascending order, at most 2^53 steps from zero",
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
		if len(a.Labels) > 0 && &a.Labels[0] != &want.Labels[0] && !slices.Equal(a.Labels, want.Labels) {
			return fmt.Errorf("column %d, %q, has other labels than the plan was fitted on, or has them in another order", j+1, a.Name)
		}
	}
	return nil
}
