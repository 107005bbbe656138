// Package tabulation counts and sums the records of a table into tables with totals, protects them as a whole, attacks
// what is shown, and judges by limits whether it may go out. It works on tables in memory and reads no files, so
// programs and the command get the same verdict.
//
// Every method has the same limits (limit.Tables): no unsafe cell may be computed, or bounded more closely than the
// rules allow. Where counts are moved or rounded an intruder guesses, too, and is not to name more of the unsafe cells,
// or of the small differences between cells, than the limits allow beyond what guessing the commonest count names.
// Where a release of records of the same people goes out, too, the same holds of what both tell together.
package tabulation

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tabulate"
	"github.com/dither-data/dither/tabulate/cellkey"
	"github.com/dither-data/dither/tabulate/rounded"
)

// Ways to protect tables.
const (
	Suppression = "suppression" // leave cells out
	CellKey     = "cellkey"     // move counts by keys of their records
	Rounding    = "rounding"    // round counts so that they add up
)

// own are the columns of a file of tables that are no column of the table that is counted.
var own = []string{"table", "count", "status"}

// Plan is what is asked for, with defaults.
type Plan struct {
	By     [][]string // the columns of each table
	Sums   []string
	Person string
	Method string
	Rules  tabulate.Rules
	Alone  bool           // intervals stay open to units alone in an inner cell, too (suppress.Options)
	Keys   cellkey.Params // of CellKey
	Base   int            // of Rounding
}

// Read reads what a policy asks for.
func Read(t *policy.Tables) (*Plan, error) {
	p := &Plan{Sums: t.Sum, Person: t.Person, Method: cmp.Or(strings.ToLower(t.Method), Suppression), Alone: t.Alone,
		Rules: tabulate.Rules{Frequency: 3, P: 10, Q: t.Q}}
	for _, by := range t.By {
		p.By = append(p.By, by)
	}
	if t.Minimum != nil {
		p.Rules.Frequency = *t.Minimum
	}
	if t.P != nil {
		p.Rules.P = *t.P
	}
	if t.Dominance != "" {
		var err error
		n, k, ok := strings.Cut(t.Dominance, ",")
		p.Rules.N, err = strconv.Atoi(strings.TrimSpace(n))
		if err == nil && ok {
			p.Rules.K, err = strconv.ParseFloat(strings.TrimSpace(k), 64)
		}
		if err != nil || !ok {
			return nil, wrong("dominance", t.Dominance, "expected n,k, such as 2,85")
		}
	}
	switch p.Method {
	case CellKey:
		p.Keys = cellkey.Params{Deviation: cmp.Or(t.Deviation, 3), Variance: cmp.Or(t.Variance, 2), Small: t.HideSmall}
	case Rounding:
		p.Base = cmp.Or(t.Base, 5)
	}
	if err := foreign(t, p.Method); err != nil {
		return nil, err
	}
	return p, p.check()
}

// foreign refuses parameters of another method, which would do nothing.
func foreign(t *policy.Tables, method string) error {
	switch {
	case method != CellKey && (t.Deviation != 0 || t.Variance != 0 || t.HideSmall != 0):
		return wrong("", "", "deviation, variance and hide-small are of method cellkey: name it (--method cellkey)")
	case method != Rounding && t.Base != 0:
		return wrong("base", strconv.Itoa(t.Base), "it is of method rounding: name it (--method rounding)")
	}
	return nil
}

func wrong(field, value, what string) error { return refused(field, value, errors.New(what)) }

func refused(field, value string, err error) error {
	return &judge.Usage{Field: field, Value: value, Err: err}
}

// check refuses what cannot be.
func (p *Plan) check() error {
	switch {
	case len(p.By) == 0 || slices.ContainsFunc(p.By, func(t []string) bool { return len(t) == 0 }):
		return wrong("", "", "no column is named that tables are divided by")
	case !slices.Contains([]string{Suppression, CellKey, Rounding}, p.Method):
		return refused("method", p.Method, fmt.Errorf("expected %s, %s or %s", Suppression, CellKey, Rounding))
	case p.Method != Suppression && len(p.Sums) > 0:
		return refused("", "", fmt.Errorf("%s is for counts; totals need suppression", p.Method))
	}
	for _, t := range p.By {
		for k, name := range t {
			if slices.Contains(t[:k], name) {
				return wrong("by", name, "the column is named twice in one table")
			}
			if slices.Contains(p.Sums, name) || slices.Contains(own, name) {
				return wrong("by", name, "the output has another column of this name")
			}
		}
	}
	for k, name := range p.Sums {
		if slices.Contains(p.Sums[:k], name) || slices.Contains(own, name) {
			return wrong("sum", name, "the output has another column of this name")
		}
	}
	err := p.Rules.Check()
	if p.Method == CellKey && err == nil {
		_, err = cellkey.New(p.Keys)
	}
	if p.Method == Rounding && err == nil {
		err = rounded.Check(p.Base)
	}
	if err != nil {
		return &judge.Usage{Err: err}
	}
	return nil
}

// Limits are those that a policy holds tables against: the usual ones, those of a file, or none where it asks for none
// of tables by name.
func Limits(t *policy.Tables, read func(path string) ([]byte, error)) (*limit.Set, error) {
	set := limit.Tables()
	switch path := t.Limits; {
	case path == limit.None:
		return limit.Preset(limit.None)
	case slices.Contains(limit.Names(), path):
		return nil, wrong("limits", path, "it is for records; tables have limits of their own: name a file, or none")
	case path != "":
		text, err := read(path)
		if err != nil {
			return nil, err
		}
		if set, err = limit.Parse(filepath.Base(path), text); err != nil {
			return nil, &judge.Usage{Err: err}
		}
	}
	return held(set, t.Accept)
}

// held are the limits of a set that tables can be held against, with what a policy accepts.
func held(set *limit.Set, accept []string) (*limit.Set, error) {
	set.Limits = slices.DeleteFunc(set.Limits, func(l limit.Limit) bool {
		return !slices.Contains(limit.OfTables(), l.Measure)
	})
	if len(set.Limits) == 0 {
		return nil, refused("limits", set.Name, fmt.Errorf("none of its limits is on tables: these are on %s",
			strings.Join(limit.OfTables(), ", ")))
	}
	for _, a := range accept {
		if err := set.Accept(a); err != nil {
			return nil, &judge.Usage{Field: "accept", Err: err}
		}
	}
	return set, nil
}

// Request asks for tables of one table.
type Request struct {
	*Plan
	Table       *table.Table
	Hierarchies hierarchy.Set
	Beside      *table.Table // a release of records of the same people that goes out, too; nil for none
	Limits      *limit.Set
	Source      rng.Source // of the keys, or of the rounding
}

// counting is a request whose cells are counted.
type counting struct {
	*Request
	set  *tabulate.Set
	unit string
}

// count makes the set of tables.
func (q *Request) count() (*counting, error) {
	c := &counting{Request: q}
	var dims []tabulate.Dimension
	at := map[string]int{}
	of := make([][]int, len(q.By))
	for k, names := range q.By {
		for _, name := range names {
			j, known := at[name]
			if !known {
				d, err := q.dimension(name)
				if err != nil {
					return nil, err
				}
				j = len(dims)
				at[name], dims = j, append(dims, d)
			}
			of[k] = append(of[k], j)
		}
	}
	var sums []tabulate.Variable
	for _, name := range q.Sums {
		j, err := q.find(name)
		if err != nil {
			return nil, err
		}
		if kind := q.Table.Attr(j).Kind; kind != table.Numeric {
			return nil, refused("", "", fmt.Errorf("column %q is %s: it cannot be summed", name, kind))
		}
		sums = append(sums, tabulate.Variable{Name: name, Values: q.Table.Num(j)})
	}
	whose, err := c.whose()
	if err != nil {
		return nil, err
	}
	if c.set, err = tabulate.New(q.Table.Rows(), dims, of, sums, whose, q.Rules.Kept()); err != nil {
		return nil, &judge.Usage{Err: err}
	}
	return c, nil
}

func (q *Request) find(name string) (int, error) {
	j := q.Table.Find(name)
	if j < 0 {
		var names []string
		for _, a := range q.Table.Attrs() {
			names = append(names, a.Name)
		}
		return 0, refused("", "", fmt.Errorf("the table has no column %q%s", name, spelling.Hint(name, names)))
	}
	return j, nil
}

// categories is a column as texts: each number of a column of numbers is one.
func categories(t *table.Table, j int) (*table.Column, error) {
	t, err := t.AsCategorical(j, 0)
	if err != nil {
		return nil, &judge.Usage{Err: err}
	}
	c := t.Column(j)
	return &c, nil
}

// dimension is a column as a tree: by its hierarchy where it has one, else its values below the total.
func (q *Request) dimension(name string) (d tabulate.Dimension, err error) {
	j, err := q.find(name)
	if err != nil {
		return d, err
	}
	c, err := categories(q.Table, j)
	if err != nil {
		return d, err
	}
	if d, err = tabulate.Tree(c, q.Hierarchies[name], message.Say("tables.missing").String()); err != nil {
		return d, refused("", "", fmt.Errorf("column %q: %v", name, err))
	}
	return d, nil
}

// whose is the unit of every record; nil where every record is one. A record of nobody is a unit of its own.
func (c *counting) whose() ([]int32, error) {
	if c.unit = c.Person; c.unit == "" {
		j := c.Table.WithRole(table.Person)
		if j < 0 {
			return nil, nil
		}
		c.unit = c.Table.Attr(j).Name
	}
	j, err := c.find(c.unit)
	if err != nil {
		return nil, err
	}
	col := c.Table.Column(j)
	switch col.Kind {
	case table.Numeric:
		return tabulate.Numbered(col.Num), nil
	case table.Categorical:
		next, out := int32(len(col.Labels)), slices.Clone(col.Cat)
		for i, u := range out {
			if u < 0 {
				out[i] = next
				next++
			}
		}
		return out, nil
	case table.SetValued:
	}
	return nil, refused("", "", fmt.Errorf("column %q is %s: it says nobody's records", c.unit, col.Kind))
}
