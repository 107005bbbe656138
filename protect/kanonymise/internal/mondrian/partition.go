package mondrian

import (
	"math"
	"slices"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/table"
)

// Partition is a partition of all records that there may be: those that lack the same values into the regions below one
// root. It is plain data and holds no record.
type Partition struct {
	Axes  []Axis   `json:"axes"` // by column
	Roots []Root   `json:"roots"`
	Nodes []Region `json:"nodes"` // a region before those it is divided into
}

// Axis is the order in which a column is cut.
type Axis struct {
	Domain    table.Interval       `json:"domain,omitzero"` // of numbers: where widths are measured
	Order     []int32              `json:"order,omitempty"` // of categories: their codes
	Hierarchy *hierarchy.Hierarchy `json:"hierarchy,omitempty"`
}

// Root is where records begin that lack the same columns. Records that lack others than any root's records do begin
// nowhere: they are released as general as can be.
type Root struct {
	Missing []int `json:"missing,omitempty"` // positions of columns, ascending
	Node    int   `json:"node"`
}

// Region is divided in two by a column, or is a leaf.
type Region struct {
	Axis int     `json:"axis"` // the position of the column that is tested; -1 for a leaf
	Cut  float64 `json:"cut"`  // numbers, or positions in the order of categories, below it are in the first part
	Kids [2]int  `json:"kids"`
}

// ranks returns the position of every category in the order.
func (x *Axis) ranks() []int32 {
	out := make([]int32, len(x.Order))
	for k, code := range x.Order {
		out[code] = int32(k)
	}
	return out
}

// Recode shows every record as its region: it returns the columns, which are those of the partition, with the labels of
// Face. A missing value stays missing.
func (p *Partition) Recode(columns []table.Column) []table.Column {
	leaf := p.Leaves(columns)
	out := make([]table.Column, len(columns))
	for k := range columns {
		c, codes := &columns[k], make([]int32, len(leaf))
		f := p.Face(k, &c.Attribute)
		for i, n := range leaf {
			switch {
			case c.MissingAt(i):
				codes[i] = -1
			case n < 0:
				codes[i] = f.whole
			default:
				codes[i] = f.code[n]
			}
		}
		out[k] = table.Column{Attribute: f.Attr, Cat: codes}
	}
	return out
}

// Leaves returns the leaf, a position among the nodes, of every record, -1 where records that lack the same values have
// no root. The columns are those of the partition, and all records have them.
func (p *Partition) Leaves(columns []table.Column) []int32 {
	at := make([]func(i int) float64, len(columns)) // NaN where missing
	for k, c := range columns {
		switch c.Kind {
		case table.Numeric:
			at[k] = func(i int) float64 { return c.Num[i] }
		case table.Categorical:
			ranks, v := p.Axes[k].ranks(), c.Cat
			at[k] = func(i int) float64 {
				if v[i] < 0 {
					return math.NaN()
				}
				return float64(ranks[v[i]])
			}
		case table.SetValued: // is not among the columns
		}
	}
	roots := make(map[string]int, len(p.Roots))
	for _, root := range p.Roots {
		roots[pattern(len(columns), func(k int) bool { return slices.Contains(root.Missing, k) })] = root.Node
	}
	leaf := make([]int32, columns[0].Len())
	mark := make([]byte, len(columns))
	for i := range leaf {
		for k := range mark {
			v := at[k](i)
			if mark[k] = '.'; v != v {
				mark[k] = '?'
			}
		}
		n, ok := roots[string(mark)]
		if leaf[i] = -1; !ok {
			continue
		}
		for p.Nodes[n].Axis >= 0 {
			kid := 0
			if at[p.Nodes[n].Axis](i) >= p.Nodes[n].Cut {
				kid = 1
			}
			n = p.Nodes[n].Kids[kid]
		}
		leaf[i] = int32(n)
	}
	return leaf
}

// pattern writes which values are missing.
func pattern(n int, missing func(k int) bool) string {
	out := make([]byte, n)
	for k := range out {
		if out[k] = '.'; missing(k) {
			out[k] = '?'
		}
	}
	return string(out)
}
