package reading

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/mining/discretise"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// Cut returns the table with ranges in place of the numbers that the policy has cut, as a class must be. The policy
// that it returns has the points, so that the next table is cut at the same ones; info tells how many ranges there are.
// A column that has these ranges already, as one of a release, stays. Cost: a sort per column.
func Cut(t *table.Table, info *format.Info, pol *policy.Policy) (*table.Table, *policy.Policy, error) {
	out := *pol
	for _, name := range classFirst(slices.Sorted(maps.Keys(pol.Columns)), pol.Class) {
		own := pol.Columns[name]
		if own.Cut == "" {
			continue
		}
		c, points, err := cut(t, name, string(own.Cut), pol.Class)
		if err != nil {
			return nil, nil, &judge.Usage{Field: "cut", Value: name, Err: err}
		}
		if t, err = t.WithColumn(t.Find(name), c); err != nil {
			return nil, nil, err
		}
		if out.Columns = maps.Clone(out.Columns); discretise.String(points) != string(own.Cut) {
			info.Note(message.Say("told.cut").Name("column", name).Count("n", len(points)+1))
		}
		own.Cut, own.Domain, own.Outside, own.Step, own.Numbers = policy.Text(discretise.String(points)), nil, "", 0, ""
		out.Columns[name] = own
	}
	return t, &out, nil
}

// classFirst puts the class before the others, which may be cut by it.
func classFirst(names []string, class string) []string {
	if k := slices.Index(names, class); k > 0 {
		names = slices.Insert(slices.Delete(names, k, k+1), 0, class)
	}
	return names
}

// cut returns a column in ranges, with their points.
func cut(t *table.Table, name, as, class string) (c table.Column, points []float64, err error) {
	j := t.Find(name)
	if j < 0 {
		return c, nil, fmt.Errorf("the table has no column %q%s", name, spelling.Hint(name, names(t)))
	}
	rule, err := discretise.ParseCut(as)
	if err != nil {
		return c, nil, err
	}
	c = t.Column(j)
	switch {
	case c.Kind == table.Categorical && rule.Points != nil:
		a := ranged(&c, rule.Points, nil).Attribute
		again, err := t.Select(j).Conform([]table.Attribute{a}, false)
		if err != nil {
			return c, nil, errors.New("the column holds no numbers, and other texts than the ranges between the points")
		}
		return again.Column(0), rule.Points, nil
	case c.Kind != table.Numeric || c.Dates != "":
		return c, nil, errors.New("the column holds no numbers")
	}
	var codes []int32
	classes := 0
	if rule.Rule == discretise.Entropy {
		if codes, classes, err = classOf(t, name, class); err != nil {
			return c, nil, err
		}
	}
	if points = rule.Of(c.Num, codes, classes); len(points) == 0 {
		return c, nil, fmt.Errorf("%s finds nowhere to cut the column", as)
	}
	return ranged(&c, points, discretise.Code(c.Num, points)), points, nil
}

// ranged is a column of the ranges of points.
func ranged(c *table.Column, points []float64, codes []int32) table.Column {
	out := table.CatColumn(c.Name, discretise.Labels(points), codes)
	out.Ordered = true
	return out
}

// classOf are the codes of the class that a column is cut by.
func classOf(t *table.Table, name, class string) (codes []int32, classes int, err error) {
	k := t.Find(class)
	switch {
	case class == "" || k < 0 || class == name:
		return nil, 0, errors.New("entropy cuts where the class changes: name another column as the class (--class COLUMN)")
	case t.Attr(k).Kind != table.Categorical:
		return nil, 0, fmt.Errorf("entropy cuts where the class changes, and %q holds numbers: cut it first", class)
	}
	return t.Cat(k), len(t.Attr(k).Labels), nil
}
