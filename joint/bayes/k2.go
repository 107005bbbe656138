package bayes

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/pair"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// k2 finds the structure of a Bayesian network by the algorithm K2 (Cooper & Herskovits 1992): each column takes, one
// after the other, the earlier column as a parent that raises its score most, until none does. Counts over two parties'
// columns are scalar products, their factorials follow by secure logarithms, and nothing is opened but which parent is
// taken (Wright & Yang 2004).
type k2 struct {
	parents int
}

func (q *k2) Params() param.Set {
	return param.Set{param.Int(&q.parents, "parents", 2, 1, 6, "columns", "most parents of a column")}
}

// CheckPlan asks for categories with owners.
func (q *k2) CheckPlan(p *joint.Plan) error {
	n, widest := 0, 1
	var sizes []int
	for _, c := range p.Columns {
		switch {
		case c.Role == joint.Key:
			continue
		case c.Owner == "":
			return joint.ColumnsFault("%q has no owner", c.Name)
		case len(c.Values) < 2:
			return joint.ColumnsFault("%q must have two values or more: cut numbers into classes first", c.Name)
		}
		n++
		sizes = append(sizes, len(c.Values))
	}
	slices.Sort(sizes)
	for k := max(0, n-q.parents-1); k < n; k++ {
		widest = min(widest*sizes[k], mostCells+1)
	}
	switch {
	case n < 2:
		return joint.ColumnsFault("name at least two")
	case widest > mostCells:
		return fmt.Errorf("parents: a column and its parents may have more than %d combinations of values: lower parents, "+
			"or put values together", mostCells)
	}
	return nil
}

// mostCells is how many combinations of values a column and its parents may have.
const mostCells = 4096

// network is one party's part of finding the structure.
type network struct {
	p       *joint.Party
	pair    *pair.Pair
	logs    pair.Logarithms
	columns []joint.Column
	codes   [][]int32 // nil for the other's columns
	rows    int
	taken   int64 // logarithms
}

// Run finds parents.
func (q *k2) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	t, err := p.Aligned(t)
	if err != nil {
		return nil, err
	}
	n := &network{p: p, rows: t.Rows()}
	for _, c := range p.Plan().Columns {
		if c.Role != joint.Key {
			n.columns = append(n.columns, c)
		}
	}
	d, err := read(p, t, n.columns)
	if err != nil {
		return nil, err
	}
	for k, codes := range d.codes {
		if slices.Contains(codes, -1) {
			return nil, p.Mine(fmt.Errorf("column %q has missing values: fill them, or leave these records out at both "+
				"parties", n.columns[k].Name))
		}
	}
	n.codes = d.codes
	n.logs = pair.Logarithms{Places: max(1, bits.Len(uint(n.rows+widest(n.columns)))), Terms: 12}
	if n.logs.Places > 22 {
		return nil, p.Mine(errors.New("more than 2^21 records"))
	}
	if n.pair, err = pair.New(p); err != nil {
		return nil, err
	}
	parents, err := n.grow(ctx, q.parents)
	if err != nil {
		return nil, err
	}
	out := joint.ResultTable{Name: "network", Columns: []string{"column", "parents"}}
	for k, of := range parents {
		var text []string
		for _, j := range of {
			text = append(text, n.columns[j].Name)
		}
		out.Rows = append(out.Rows, []any{n.columns[k].Name, strings.Join(text, ", ")})
	}
	return &joint.Result{Figures: []joint.Figure{{Name: "secure logarithms", Value: n.taken}},
		Tables: []joint.ResultTable{out}}, nil
}

func widest(columns []joint.Column) (n int) {
	for _, c := range columns {
		n = max(n, len(c.Values))
	}
	return n
}

// family is a column with parents.
type family struct {
	child   int
	parents []int
}

// never is above all scores.
const never = 1 << 60

// grow gives every column its parents, one at a time and all columns side by side.
func (n *network) grow(ctx context.Context, most int) (parents [][]int, err error) {
	parents = make([][]int, len(n.columns))
	open := make([]int, len(n.columns))
	var first []family
	for k := range open {
		open[k] = k
		first = append(first, family{k, nil})
	}
	score, err := n.scores(first)
	if err != nil {
		return nil, err
	}
	for step := 0; step < most; step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		open = slices.DeleteFunc(open, func(k int) bool { return len(parents[k]) < step || k <= step })
		if len(open) == 0 {
			break
		}
		var tried []family
		for _, k := range open {
			for j := range k {
				if !slices.Contains(parents[k], j) {
					tried = append(tried, family{k, append(slices.Clone(parents[k]), j)})
				}
			}
		}
		of, err := n.scores(tried)
		if err != nil {
			return nil, err
		}
		if err := n.choose(open, tried, score, of, parents); err != nil {
			return nil, err
		}
	}
	return parents, nil
}

// choose tells both which family is the best of each open column: the one it has, the first in its row, or one of
// those tried. The column and its score become those of the best.
func (n *network) choose(open []int, tried []family, score, of []uint64, parents [][]int) error {
	width := len(n.columns) + 1
	rows := make([]uint64, len(open)*width)
	if n.p.Me() == 0 {
		for i := range rows {
			rows[i] = never
		}
	}
	for i, k := range open {
		rows[i*width] = score[k]
		for f := range tried {
			if tried[f].child == k {
				rows[i*width+1+tried[f].parents[len(tried[f].parents)-1]] = of[f] + n.slack(tried[f])
			}
		}
	}
	at, err := n.pair.Least(rows, width)
	if err != nil {
		return err
	}
	if at, err = n.pair.Open(at); err != nil {
		return err
	}
	for i, k := range open {
		switch j := int(at[i]) - 1; {
		case at[i] == 0:
		case at[i] >= uint64(width) || j >= k || slices.Contains(parents[k], j):
			return n.p.Blame(1-n.p.Me(), errors.New("a parent that cannot be"))
		default:
			parents[k] = append(parents[k], j)
			score[k] = rows[i*width+1+j] - n.slack(family{k, parents[k]})
		}
	}
	return nil
}

// slack is by how much a family must be better than the one without its last parent: what the last places of logarithms
// make of equal scores, so that a parent that tells nothing is not taken. It is a share; that of the second party is 0.
func (n *network) slack(f family) uint64 {
	if n.p.Me() != 0 {
		return 0
	}
	return uint64(4 * (n.rows + n.cells(f)))
}

// scores are shares of -2 ln of the K2 score of families, so that the best has the least.
func (n *network) scores(families []family) ([]uint64, error) {
	var x []uint64
	for _, f := range families {
		counts, err := n.counts(f)
		if err != nil {
			return nil, err
		}
		values := len(n.columns[f.child].Values)
		for at := 0; at < len(counts); at += values {
			all := uint64(0)
			for _, c := range counts[at : at+values] {
				all += c
			}
			if n.p.Me() == 0 {
				all += uint64(values - 1)
			}
			x = append(append(x, counts[at:at+values]...), all)
		}
	}
	n.taken += int64(len(x))
	var ln []uint64
	for lo := 0; lo < len(x); lo += batch {
		part, err := n.logs.Factorials(n.pair, x[lo:min(lo+batch, len(x))])
		if err != nil {
			return nil, err
		}
		ln = append(ln, part...)
	}
	out := make([]uint64, len(families))
	for i, f := range families {
		values := len(n.columns[f.child].Values)
		for range n.cells(f) / values {
			for _, v := range ln[:values] {
				out[i] -= v
			}
			out[i] += ln[values]
			if n.p.Me() == 0 {
				out[i] -= n.constant(values)
			}
			ln = ln[values+1:]
		}
	}
	return out, nil
}

// batch is how many logarithms are taken at a time: some 70 kB each go over the wire.
const batch = 512

// constant is 2 ln (values-1)!, in the units of the logarithms.
func (n *network) constant(values int) uint64 {
	ln := 0.0
	for v := 2; v < values; v++ {
		ln += portable.Log(float64(v))
	}
	return uint64(int64(math.Round(float64(ln * float64(int64(2)<<n.logs.Fixed())))))
}

// cells is how many combinations of values a family has.
func (n *network) cells(f family) int {
	out := len(n.columns[f.child].Values)
	for _, j := range f.parents {
		out *= len(n.columns[j].Values)
	}
	return out
}

// counts are shares of how many people have each combination of values of a family, those of the child fastest. Where
// one party has all its columns, they are that party's own.
func (n *network) counts(f family) ([]uint64, error) {
	columns := append(slices.Clone(f.parents), f.child)
	own := 0
	for _, k := range columns {
		if n.codes[k] != nil {
			own++
		}
	}
	out := make([]uint64, n.cells(f))
	for at := range out {
		has := n.having(columns, at)
		switch own {
		case len(columns):
			for _, b := range has {
				out[at] += b
			}
		case 0: // the other's
		default:
			share, err := n.pair.Dot(has, 1)
			if err != nil {
				return nil, err
			}
			out[at] = share
		}
	}
	return out, nil
}

// having marks the people who have, of own columns, the values of a combination.
func (n *network) having(columns []int, at int) []uint64 {
	out := make([]uint64, n.rows)
	for i := range out {
		out[i] = 1
	}
	for k := len(columns) - 1; k >= 0; k-- {
		values := len(n.columns[columns[k]].Values)
		v := int32(at % values)
		at /= values
		if codes := n.codes[columns[k]]; codes != nil {
			for i, c := range codes {
				if c != v {
					out[i] = 0
				}
			}
		}
	}
	return out
}
