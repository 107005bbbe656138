package bayes

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/sums"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// structure finds the tree of columns that explains most of all records (Chow & Liu 1968).
type structure struct{}

func (q *structure) Params() param.Set { return nil }

// CheckPlan asks for categories that each party has.
func (q *structure) CheckPlan(p *joint.Plan) error {
	for _, c := range p.Columns {
		if c.Owner != "" || c.Values == nil {
			return joint.ColumnsFault("%q must have values and no owner", c.Name)
		}
	}
	if len(p.Columns) < 2 {
		return joint.ColumnsFault("name at least two")
	}
	return nil
}

// Run adds the counts of all pairs of columns, and takes the pairs that tell most of each other, without circles.
func (q *structure) Run(_ context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	columns := p.Plan().Columns
	d, err := read(p, t, columns)
	if err != nil {
		return nil, err
	}
	var counts []int64
	for a := range columns {
		for b := range a {
			part := make([]int64, len(columns[a].Values)*len(columns[b].Values))
			for i, v := range d.codes[a] {
				if w := d.codes[b][i]; v >= 0 && w >= 0 {
					part[int(v)*len(columns[b].Values)+int(w)]++
				}
			}
			counts = append(counts, part...)
		}
	}
	opened, err := sums.Guarded(p, sums.Shares, counts, counts)
	if err != nil {
		return nil, err
	}
	var edges []edge
	for a := range columns {
		for b := range a {
			n := len(columns[a].Values) * len(columns[b].Values)
			edges = append(edges, edge{a, b, information(opened[:n], len(columns[b].Values))})
			opened = opened[n:]
		}
	}
	out := joint.ResultTable{Name: "tree", Columns: []string{"column", "with", "mutual information, bits"}}
	for _, e := range spanning(edges, len(columns)) {
		out.Rows = append(out.Rows, []any{columns[e.b].Name, columns[e.a].Name, e.bits})
	}
	return &joint.Result{Tables: []joint.ResultTable{out}}, nil
}

// edge is a pair of columns, and what they tell of each other.
type edge struct {
	a, b int
	bits float64
}

// spanning are the edges that tell most, without circles (Kruskal).
func spanning(edges []edge, columns int) (out []edge) {
	slices.SortStableFunc(edges, func(e, f edge) int { return cmp.Compare(f.bits, e.bits) })
	in := make([]int, columns) // the tree that a column is in
	for k := range in {
		in[k] = k
	}
	for _, e := range edges {
		if in[e.a] == in[e.b] {
			continue
		}
		for k, was := 0, in[e.a]; k < len(in); k++ {
			if in[k] == was {
				in[k] = in[e.b]
			}
		}
		out = append(out, e)
	}
	return out
}

// information is the mutual information of two columns by their counts; counts that are withheld are none.
func information(counts []sums.Opened, width int) (bits float64) {
	rows, cols, n := make([]int64, len(counts)/width), make([]int64, width), int64(0)
	for i, o := range counts {
		if o.Shown() {
			rows[i/width] += o.Value
			cols[i%width] += o.Value
			n += o.Value
		}
	}
	for i, o := range counts {
		if o.Shown() && o.Value > 0 {
			c := float64(o.Value)
			r := float64(c*float64(n)) / float64(float64(rows[i/width])*float64(cols[i%width]))
			bits += float64(c / float64(n) * portable.Log2(r))
		}
	}
	return bits
}
