// Package synthetic draws synthetic tables that resemble a given one, to try techniques without using the data of real
// people.
//
// A C4.5 tree for the class divides the records; a table without a categorical class is one segment. Leaves of fewer
// than five records a column join the heaviest branch beside them. In every segment all columns are drawn together from
// their normal copula, as C-GADP draws some of them (package copula): each keeps its own distribution there, and each
// two their rank correlation.
//
// Kept are how many records every segment has, the distribution of every column in it, monotone relations of columns,
// and which values are missing. So are the columns that say who somebody is, or how many records a person has, as they
// are: a table of this kind is as confidential as the original, and nothing that goes out.
//
// Not kept are: relations inside a segment that rise and fall, and those of categories without an order but through the
// order of their codes (of two categories nothing is lost); what three columns have together and no two of them; tails
// that come together; what a person's records share; and which people stand alone, since records are drawn whole: as
// many may, but others. A set of items is that of another record of the segment, so items keep to each other and not to
// the other columns.
//
// Cost: that of the tree, and O(n p^2) for n records of p columns, on all cores.
package synthetic

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/copula"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// each is how many records a column a segment has at least.
const each = 5

// Draw returns a table of as many records as t, drawn from the laws that are fitted to it. A draw depends on the
// source, the column and the record, never on cores.
func Draw(ctx context.Context, t *table.Table, src rng.Source) (*table.Table, error) {
	segments, err := divide(ctx, t)
	if err != nil {
		return nil, err
	}
	d := drawing{t: t, src: src}
	for j := range t.Width() {
		a := t.Attr(j)
		switch {
		case a.Role&(table.Identifier|table.Person|table.Household) != 0:
		case a.Kind == table.Numeric, a.Kind == table.Categorical:
			d.columns = append(d.columns, j)
			d.values = append(d.values, numbers(t, j))
		default:
			d.sets = append(d.sets, j)
		}
	}
	d.from = make([]int, t.Rows())
	if err := parallel.Each(ctx, len(segments), func(k int) error { return d.segment(segments[k]) }); err != nil {
		return nil, err
	}
	return d.table()
}

// divide returns the records of every segment.
func divide(ctx context.Context, t *table.Table) ([][]int, error) {
	class := t.WithRole(table.Class)
	if class < 0 || t.Attr(class).Kind != table.Categorical || t.Rows() == 0 {
		all := make([]int, t.Rows())
		for i := range all {
			all[i] = i
		}
		return [][]int{all}, nil
	}
	tr, err := c45.New().Grow(ctx, t, class)
	if err != nil {
		return nil, err
	}
	tr = tr.Join(float64(each * t.Width()))
	leaf := make([]int32, t.Rows())
	tr.Route(t, leaf)
	out := make([][]int, len(tr.Leaves()))
	for i, l := range leaf {
		out[l] = append(out[l], i)
	}
	return slices.DeleteFunc(out, func(rows []int) bool { return len(rows) == 0 }), nil
}

// drawing is a table in the making.
type drawing struct {
	t       *table.Table
	src     rng.Source
	columns []int       // that are drawn
	values  [][]float64 // of these, by record: originals at first; categories by their codes, NaN where missing
	sets    []int       // columns of sets
	from    []int       // by record: whose sets it gets
}

// numbers are the values of a column, in a slice of their own.
func numbers(t *table.Table, j int) []float64 {
	if t.Attr(j).Kind == table.Numeric {
		return slices.Clone(t.Num(j))
	}
	out := make([]float64, t.Rows())
	for i, c := range t.Cat(j) {
		if out[i] = float64(c); c < 0 {
			out[i] = math.NaN()
		}
	}
	return out
}

// segment draws the records of a segment.
func (d *drawing) segment(rows []int) error {
	for at, i := range rows {
		d.from[i] = rows[at]
	}
	if len(d.sets) > 0 {
		keys := d.src.Fork("sets").Stream()
		order := slices.Clone(rows)
		slices.SortFunc(order, func(a, b int) int {
			x, y := keys.At(uint64(d.t.ID(a))), keys.At(uint64(d.t.ID(b)))
			if x.A != y.A {
				return sign(x.A < y.A)
			}
			return sign(x.B < y.B)
		})
		for at, i := range rows {
			d.from[i] = order[at]
		}
	}
	var vary []int // the columns of more than one value here
	var ranks []*rank.Ranks
	for k := range d.columns {
		r := rank.Of(gather(d.values[k], rows))
		if n := len(r.Sorted); n > 1 && r.Sorted[0] < r.Sorted[n-1] {
			vary, ranks = append(vary, k), append(ranks, r)
		}
	}
	if len(vary) == 0 {
		return nil
	}
	y, z := make([][]float64, len(vary)), make([][]float64, len(vary))
	for c, k := range vary {
		y[c], z[c] = make([]float64, len(rows)), make([]float64, len(rows))
		s := d.src.Fork(d.t.Attr(d.columns[k]).Name).Stream()
		for at, i := range rows {
			z[c][at] = s.At(uint64(d.t.ID(i))).Normal()
		}
	}
	if err := copula.Draw(nil, y, z, ranks, nil, make([]float64, len(vary))); err != nil {
		return err
	}
	for c, k := range vary {
		a, m := d.t.Attr(d.columns[k]), rank.Marginal(ranks[c].Sorted)
		inverse := rank.Marginal.Step
		if a.Kind == table.Numeric && a.Step == 0 {
			inverse = rank.Marginal.Linear
		}
		for at, i := range rows {
			d.values[k][i] = inverse(m, portable.Erfc(-y[c][at]/math.Sqrt2)/2) // NaN stays: it was missing
		}
	}
	return nil
}

func sign(less bool) int {
	if less {
		return -1
	}
	return 1
}

func gather(v []float64, rows []int) []float64 {
	out := make([]float64, len(rows))
	for at, i := range rows {
		out[at] = v[i]
	}
	return out
}

// table puts the values into the table.
func (d *drawing) table() (*table.Table, error) {
	out := d.t
	for k, j := range d.columns {
		if d.t.Attr(j).Kind == table.Numeric {
			out = out.WithNum(j, d.values[k])
			continue
		}
		codes := make([]int32, len(d.values[k]))
		for i, v := range d.values[k] {
			if codes[i] = -1; v == v {
				codes[i] = int32(v)
			}
		}
		out = out.WithCat(j, codes)
	}
	if len(d.sets) == 0 {
		return out, nil
	}
	other := d.t.Gather(d.from)
	for _, j := range d.sets {
		var err error
		if out, err = out.WithColumn(j, other.Column(j)); err != nil {
			return nil, err
		}
	}
	return out, nil
}
