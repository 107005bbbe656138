// Package bayes learns naive Bayes classifiers and the structure of Bayesian networks from several parties' data: all
// they need is counts and sums over all records, which are added without showing parts.
//
// References: M. Kantarcioglu and J. Vaidya, "Privacy preserving naive Bayes classifier for horizontally partitioned
// data", 2003; J. Vaidya and C. Clifton, "Privacy preserving naive Bayes classifier for vertically partitioned data",
// SDM 2004; R. Wright and Z. Yang, "Privacy-preserving Bayesian network structure computation on distributed
// heterogeneous data", KDD 2004; C. Chow and C. Liu, IEEE Trans. Information Theory 14(3), 1968.
package bayes

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/pair"
	"github.com/dither-data/dither/joint/sums"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// data are the own columns: codes of categories, units of numbers; nil for columns of others.
type data struct {
	codes   [][]int32
	values  [][]int64
	missing [][]bool
	rows    int
}

func read(p *joint.Party, t *table.Table, columns []joint.Column) (d *data, err error) {
	d = &data{codes: make([][]int32, len(columns)), values: make([][]int64, len(columns)),
		missing: make([][]bool, len(columns)), rows: t.Rows()}
	for k := range columns {
		c := &columns[k]
		if c.Role == joint.Key || c.Owner != "" && c.Owner != p.Name(p.Me()) {
			continue
		}
		if c.Values != nil {
			d.codes[k], err = p.Codes(t, c)
		} else {
			d.values[k], d.missing[k], err = p.Numbers(t, c)
		}
		if err != nil {
			return nil, err
		}
	}
	return d, nil
}

// classOf is the number of the column with the role class; -1: none.
func classOf(columns []joint.Column) int {
	for k, c := range columns {
		if c.Role == joint.Class {
			return k
		}
	}
	return -1
}

// horizontal learns naive Bayes of records of each party.
type horizontal struct{}

func (q *horizontal) Params() param.Set { return nil }

// CheckPlan asks for a class of categories among columns that each party has.
func (q *horizontal) CheckPlan(p *joint.Plan) error {
	for k := range p.Columns {
		c := &p.Columns[k]
		switch {
		case c.Owner != "":
			return joint.ColumnsFault("%q has an owner; each party must have all columns", c.Name)
		case c.Values == nil && !squares(c):
			return joint.ColumnsFault("%q is too wide for sums of squares: give it fewer decimals", c.Name)
		}
	}
	return checkClass(p)
}

func checkClass(p *joint.Plan) error {
	if k := classOf(p.Columns); k < 0 || p.Columns[k].Values == nil || len(p.Columns) < 2 {
		return joint.ColumnsFault("give the one that is predicted the role class and its values, and name another")
	}
	return nil
}

// mostRecords is how many records all parties may have.
const mostRecords = 1 << 26

// squares reports whether the sum of mostRecords squares of a column's numbers stays below 2^62.
func squares(c *joint.Column) bool {
	return math.Max(math.Abs(c.Min), math.Abs(c.Max))*math.Pow10(c.Decimals) < 1<<18
}

// Run counts and adds.
func (q *horizontal) Run(_ context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	columns := p.Plan().Columns
	d, err := read(p, t, columns)
	if err != nil {
		return nil, err
	}
	if d.rows > mostRecords/p.Parties() {
		return nil, p.Mine(fmt.Errorf("more than %d records, which is the most for each of %d parties",
			mostRecords/p.Parties(), p.Parties()))
	}
	m := newModel(columns)
	counts, values := m.statistics(d)
	opened, err := sums.Guarded(p, sums.Shares, values, counts)
	if err != nil {
		return nil, err
	}
	return m.result(opened), nil
}

// model is a naive Bayes classifier of columns: its statistics stand one after the other, of each class first their
// count, then of each column the counts of values, or the count, sum and sum of squares of numbers.
type model struct {
	columns []joint.Column
	class   int
	classes int
}

func newModel(columns []joint.Column) *model {
	k := classOf(columns)
	return &model{columns, k, len(columns[k].Values)}
}

// width is how many statistics a column has.
func (m *model) width(k int) int {
	switch c := &m.columns[k]; {
	case k == m.class || c.Role == joint.Key:
		return 0
	case c.Values != nil:
		return len(c.Values)
	}
	return 3
}

// statistics are those of the own records, and of how many records each is made.
func (m *model) statistics(d *data) (counts, values []int64) {
	for v := range m.classes {
		is := func(i int) bool { return d.codes[m.class][i] == int32(v) }
		n := int64(0)
		for i := range d.rows {
			if is(i) {
				n++
			}
		}
		counts, values = append(counts, n), append(values, n)
		for k := range m.columns {
			part := make([]int64, m.width(k))
			if m.columns[k].Values == nil && len(part) > 0 {
				for i, x := range d.values[k] {
					if is(i) && (d.missing[k] == nil || !d.missing[k][i]) {
						part[0]++
						part[1] += x
						part[2] += x * x
					}
				}
				counts = append(counts, part[0], part[0], part[0])
			} else if len(part) > 0 {
				for i, code := range d.codes[k] {
					if is(i) && code >= 0 {
						part[code]++
					}
				}
				counts = append(counts, part...)
			}
			values = append(values, part...)
		}
	}
	return counts, values
}

// result is the classifier: of each class how many records, of each category of it the probability, with one record
// more of each (Laplace), of numbers mean and variance.
func (m *model) result(opened []sums.Opened) *joint.Result {
	next := func() sums.Opened {
		o := opened[0]
		opened = opened[1:]
		return o
	}
	classes := joint.ResultTable{Name: "classes", Columns: []string{"class", "records"}}
	categories := joint.ResultTable{Name: "categories", Columns: []string{"class", "column", "value", "probability"}}
	numbers := joint.ResultTable{Name: "numbers", Columns: []string{"class", "column", "mean", "variance"}}
	for _, class := range m.columns[m.class].Values {
		n := next()
		classes.Rows = append(classes.Rows, []any{class, n.Cell()})
		for k := range m.columns {
			switch c := &m.columns[k]; {
			case m.width(k) == 0:
			case c.Values == nil:
				numbers.Rows = append(numbers.Rows, normal(class, c, next(), next(), next()))
			default:
				of := make([]sums.Opened, len(c.Values))
				for v := range of {
					of[v] = next()
				}
				categories.Rows = append(categories.Rows, laplace(class, c, of)...)
			}
		}
	}
	r := &joint.Result{Tables: []joint.ResultTable{classes}}
	for _, t := range []joint.ResultTable{categories, numbers} {
		if len(t.Rows) > 0 {
			r.Tables = append(r.Tables, t)
		}
	}
	return r
}

// laplace are the probabilities of the categories of a column; those whose count is withheld have none, and count none.
func laplace(class string, c *joint.Column, of []sums.Opened) (rows [][]any) {
	all := int64(0)
	for _, o := range of {
		if o.Shown() {
			all += o.Value
		}
	}
	for v, o := range of {
		cell := o.Cell()
		if o.Shown() {
			cell = float64(o.Value+1) / float64(all+int64(len(of)))
		}
		rows = append(rows, []any{class, c.Name, c.Values[v], cell})
	}
	return rows
}

// normal is the mean and variance of a column's numbers.
func normal(class string, c *joint.Column, n, sum, square sums.Opened) []any {
	if !n.Shown() {
		return []any{class, c.Name, n.Cell(), n.Cell()}
	}
	unit := math.Pow10(c.Decimals)
	count := float64(n.Value)
	mean := float64(sum.Value) / count
	variance := (float64(square.Value) - float64(mean*float64(sum.Value))) / count
	return []any{class, c.Name, mean / unit, variance / (unit * unit)}
}

// vertical learns naive Bayes of two parties' columns of the same people: how often a category of one party comes with
// a class of the other is a scalar product of bits.
type vertical struct{}

func (q *vertical) Params() param.Set { return nil }

// CheckPlan asks for categories with owners, one of them the class.
func (q *vertical) CheckPlan(p *joint.Plan) error {
	for _, c := range p.Columns {
		switch {
		case c.Role == joint.Key:
		case c.Owner == "":
			return joint.ColumnsFault("%q has no owner", c.Name)
		case c.Values == nil:
			return joint.ColumnsFault("%q has no values: cut numbers into classes first", c.Name)
		}
	}
	return checkClass(p)
}

// Run multiplies.
func (q *vertical) Run(_ context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	t, err := p.Aligned(t)
	if err != nil {
		return nil, err
	}
	d, err := read(p, t, p.Plan().Columns)
	if err != nil {
		return nil, err
	}
	c, err := pair.New(p)
	if err != nil {
		return nil, err
	}
	m := newModel(p.Plan().Columns)
	shares, err := m.shares(p, c, d)
	if err != nil {
		return nil, err
	}
	opened, err := guarded(p, c, shares)
	if err != nil {
		return nil, err
	}
	return m.result(opened), nil
}

// shares are this party's of the statistics.
func (m *model) shares(p *joint.Party, c *pair.Pair, d *data) (out []uint64, err error) {
	owns := func(k int) bool { return m.columns[k].Owner == p.Name(p.Me()) }
	for v := range m.classes {
		class := indicator(d.codes[m.class], int32(v), d.rows)
		out = append(out, total(class))
		for k := range m.columns {
			for w := range m.width(k) {
				has := indicator(d.codes[k], int32(w), d.rows)
				share := uint64(0)
				switch {
				case m.columns[k].Owner == m.columns[m.class].Owner:
					for i := range has {
						share += class[i] & has[i]
					}
				case owns(k):
					share, err = c.Dot(has, 1)
				default:
					share, err = c.Dot(class, 1)
				}
				if err != nil {
					return nil, err
				}
				out = append(out, share)
			}
		}
	}
	return out, nil
}

// indicator marks the records with a code; of another party's column it is zero.
func indicator(codes []int32, code int32, n int) []uint64 {
	out := make([]uint64, n)
	for i, c := range codes {
		if c == code {
			out[i] = 1
		}
	}
	return out
}

func total(bits []uint64) (n uint64) {
	for _, b := range bits {
		n += b
	}
	return n
}

// guarded opens shared counts that reach the minimum cell of the plan; the others stay shared.
func guarded(p *joint.Party, c *pair.Pair, shares []uint64) ([]sums.Opened, error) {
	asked := make([]uint64, len(shares))
	copy(asked, shares)
	if p.Me() == 0 {
		for i := range asked {
			asked[i] -= uint64(p.Plan().Least.Cell)
		}
	}
	below, err := c.Negative(asked)
	if err != nil {
		return nil, err
	}
	if below, err = c.OpenBits(below); err != nil {
		return nil, err
	}
	out := make([]sums.Opened, len(shares))
	var open []uint64
	for i, s := range shares {
		if below[i/64]>>(i%64)&1 == 1 {
			out[i].Why = joint.BelowCell
		} else {
			open = append(open, s)
		}
	}
	if open, err = c.Open(open); err != nil {
		return nil, err
	}
	for i := range out {
		if out[i].Shown() {
			out[i].Value, open = int64(open[0]), open[1:]
		}
	}
	return out, nil
}
