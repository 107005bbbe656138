package microaggregation

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// Options are the parameters that the techniques share.
type Options struct {
	K           int
	Columns     []string // to replace; empty: by role
	Except      []string // columns left alone
	By          []string // columns whose distances decide; empty: all numeric ones
	Categorical bool
	Block       int
}

// largestK bounds k.
const largestK = 10_000

// Params declares them.
func (o *Options) Params() param.Set {
	return param.Set{
		param.Int(&o.K, "k", 3, 2, largestK, "people", "the smallest group").Noisier(2, 200),
		param.Names(&o.Columns, "columns", "columns to replace; none: the confidential ones, or all numeric ones "+
			"if none is marked"),
		param.Names(&o.Except, "except", "columns to leave alone"),
		param.Names(&o.By, "by", "columns used for distances; none: all numeric ones"),
		param.Bool(&o.Categorical, "categorical", false,
			"also use categorical columns for distances, and replace them if no column is marked confidential"),
		param.Int(&o.Block, "block", 0, 0, 1<<30, "records",
			"first divide a very large table into blocks of at most this many records: faster, but loses more; 0: never"),
	}
}

// Frame returns the plan for a table. Allowed lists the columns of a kind, except some, that a technique may perturb
// (protect.Columns); grid returns an attribute with the grid its values are released on.
func (o *Options) Frame(t *table.Table, allowed func(t *table.Table, kind table.Kind, except []string) ([]int, error),
	grid func(table.Attribute) table.Attribute) (Frame, error) {
	f := Frame{Attrs: t.Attrs(), K: o.K, Block: o.Block}
	all, err := o.list(t, allowed, nil)
	if err != nil {
		return f, err
	}
	may, err := o.list(t, allowed, o.Except)
	if err != nil {
		return f, err
	}
	if f.Columns, err = o.replaced(t, all, may); err != nil {
		return f, err
	}
	if f.By, err = named(t, "by", o.By, all); err != nil {
		return f, err
	}
	if len(o.By) == 0 {
		f.By = o.like(t, all)
	}
	if len(f.Columns) > 0 && len(f.By) == 0 {
		return f, fmt.Errorf("parameter %q: the table has no numeric column; name the columns to group records by, or set "+
			"categorical", "by")
	}
	for _, j := range f.Columns {
		f.Steps = append(f.Steps, grid(f.Attrs[j]).Step)
	}
	if j := t.WithRole(table.Weight); j >= 0 && f.Attrs[j].Kind == table.Numeric {
		f.Weights = []int{j}
	}
	return f, nil
}

// list returns the numeric and categorical columns that are allowed, in schema order.
func (o *Options) list(
	t *table.Table,
	allowed func(t *table.Table, kind table.Kind, except []string) ([]int, error),
	except []string,
) ([]int, error) {
	numeric, err := allowed(t, table.Numeric, except)
	if err != nil {
		return nil, err
	}
	categorical, err := allowed(t, table.Categorical, except)
	if err != nil {
		return nil, err
	}
	out := slices.Concat(numeric, categorical)
	slices.Sort(out)
	return out, nil
}

// like returns those of the columns that records are compared by, and that are replaced, when nothing else is said.
func (o *Options) like(t *table.Table, columns []int) []int {
	return slices.DeleteFunc(slices.Clone(columns),
		func(j int) bool { return t.Attr(j).Kind == table.Categorical && !o.Categorical })
}

// replaced returns the columns to replace: those named, those with the role confidential, or those of may that are
// compared.
func (o *Options) replaced(t *table.Table, all, may []int) ([]int, error) {
	confidential := func(j int) bool { return t.Attr(j).Role&table.Confidential != 0 }
	switch {
	case len(o.Columns) > 0:
		columns, err := named(t, "columns", o.Columns, all)
		return slices.DeleteFunc(columns, func(j int) bool { return !slices.Contains(may, j) }), err
	case slices.ContainsFunc(all, confidential):
		return slices.DeleteFunc(may, func(j int) bool { return !confidential(j) }), nil
	}
	return o.like(t, may), nil
}

// named returns the positions of named columns, ascending.
func named(t *table.Table, parameter string, names []string, all []int) ([]int, error) {
	var out []int
	for _, n := range names {
		j := t.Find(n)
		if j < 0 {
			return nil, fmt.Errorf("parameter %q: there is no column %q", parameter, n)
		}
		if !slices.Contains(all, j) {
			return nil, fmt.Errorf("parameter %q: column %q is the class or a sampling weight", parameter, n)
		}
		out = append(out, j)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
