// Package named reads parameters that name columns: a list of names, or items "column=text".
//
// A column that the table lacks, and one that the technique does not change, are errors that name the parameter and the
// column and say why.
package named

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/table"
)

// Assigned is what an item "column=text" of a parameter says of a column.
type Assigned struct {
	Column int // its position in the table
	Text   string
}

// Assign takes apart the items "column=text" of the named parameter, in their order. As names and texts may hold equals
// signs, the column is the first one of the table whose name stands before one. Blanks around the text are dropped.
func Assign(t *table.Table, param string, items []string) ([]Assigned, error) {
	out := make([]Assigned, 0, len(items))
	for _, item := range items {
		a := Assigned{Column: -1}
		for cut, c := range item {
			if c != '=' {
				continue
			}
			if j := t.Find(strings.TrimSpace(item[:cut])); j >= 0 {
				a = Assigned{j, strings.TrimSpace(item[cut+1:])}
				break
			}
		}
		if a.Column < 0 {
			name, _, ok := strings.Cut(item, "=")
			if !ok {
				return nil, fmt.Errorf("parameter %q: %q has no \"=\"; expected column=value", param, item)
			}
			return nil, fmt.Errorf("parameter %q: there is no column %q", param, strings.TrimSpace(name))
		}
		out = append(out, a)
	}
	return out, nil
}

// Columns returns the positions of the named columns, which are among those a technique may change. A name the table
// lacks and a column that is not among them are errors, which name the parameter.
func Columns(t *table.Table, param string, names []string, may []int) ([]int, error) {
	out := make([]int, 0, len(names))
	for _, n := range names {
		j := t.Find(n)
		if j < 0 {
			return nil, fmt.Errorf("parameter %q: there is no column %q", param, n)
		}
		if err := Check(t, param, j, may); err != nil {
			return nil, err
		}
		out = append(out, j)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Check returns an error, which names the parameter and says why, unless a column is among those a technique may
// change.
func Check(t *table.Table, param string, j int, may []int) error {
	if slices.Contains(may, j) {
		return nil
	}
	why := "is excepted, or of a kind that the technique does not change"
	switch a := t.Attr(j); {
	case !a.Kind.Scalar():
		why = "is " + a.Kind.String()
	case a.Role&table.Class != 0:
		why = "is the class"
	case a.Role&table.Weight != 0:
		why = "holds sampling weights"
	}
	return fmt.Errorf("parameter %q: column %q cannot be changed: it %s", param, t.Attr(j).Name, why)
}
