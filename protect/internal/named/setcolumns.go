package named

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// SetColumns names the set-valued columns to perturb. Techniques embed it.
type SetColumns struct {
	Columns []string // none: all of them
	Except  []string // columns left alone
}

// Params declares the parameters.
func (c *SetColumns) Params() param.Set {
	return param.Set{
		param.Names(&c.Columns, "columns", "set-valued columns to perturb; none: all"),
		param.Names(&c.Except, "except", "columns to leave alone"),
	}
}

// Of returns the positions of the columns, ascending. That there is none is an error.
func (c *SetColumns) Of(t *table.Table) ([]int, error) {
	out, err := protect.Columns(t, table.SetValued, c.Except)
	if err != nil {
		return nil, err
	}
	for _, name := range c.Columns {
		j := t.Find(name)
		if j < 0 {
			return nil, fmt.Errorf("parameter %q: there is no column %q", "columns", name)
		}
		if a := t.Attr(j); a.Kind != table.SetValued || a.Role&(table.Class|table.Weight) != 0 {
			return nil, fmt.Errorf("parameter %q: column %q is %s with the role %s; expected sets of items",
				"columns", name, a.Kind, a.Role)
		}
	}
	if len(c.Columns) > 0 {
		out = slices.DeleteFunc(out, func(j int) bool { return !slices.Contains(c.Columns, t.Attr(j).Name) })
	}
	if len(out) == 0 {
		return nil, errors.New("no column that is not excepted holds sets of items; " +
			"a table of categories is perturbed by warner, mrr or pram")
	}
	return out, nil
}
