package dataswap

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"github.com/dither-data/dither/internal/rank"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// mostCells is the largest number of combinations that are counted.
const mostCells = 1 << 26

// used marks, beside its class, a value that was exchanged.
const used = 1 << 30

// swapper exchanges values and keeps count.
type swapper struct {
	tolerance float64
	width     int       // columns that are counted
	class     []int32   // by record and counted column: the class of its value, 0 where missing, and whether it is used
	counts    []count   // all t-order counts
	touched   [][]touch // by counted column
	columns   []int     // those to swap, by position among the counted
	same      []bool    // by position in columns: classes are values, so that exchanging equal ones changes nothing
	from      [][]int32 // by position in columns and record: whose value it gets
	moved     []int     // by position in columns: values that were exchanged
	values    int
	random    *rand.Rand
}

// count is the t-order counts of some columns: a table with a cell for every combination of their classes.
type count struct{ was, change []int32 }

// axis is a column of a count, with the distance of the cells of neighbouring classes.
type axis struct{ column, stride int }

// touch is what a column does to a count it is in.
type touch struct {
	*count
	stride int
	others []axis
}

// base returns the cell of a record with class 0 of the column that touches.
func (x *touch) base(row []int32) (at int) {
	for _, o := range x.others {
		at += int(row[o.column]&^used) * o.stride
	}
	return at
}

// row returns the classes of a record.
func (s *swapper) row(i int32) []int32 { return s.class[int(i)*s.width:][:s.width] }

// swap swaps the values of a table.
func (p *Plan) swap(ctx context.Context, t *table.Table, src rng.Source) (*swapper, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, err := p.count(t)
	if err != nil {
		return nil, err
	}
	s.random = src.Fork("partner").Rand()
	most := make([]int, len(s.columns))
	for k, j := range s.columns {
		known := 0
		for i := range t.Rows() {
			known += int(min(s.row(int32(i))[j], 1))
		}
		s.values += known
		most[k] = int(p.Rate * float64(known))
	}
	for n, i := range order(t, src) {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for k := range s.columns {
			if s.moved[k]+2 <= most[k] {
				s.try(k, i, p.Tries)
			}
		}
	}
	return s, nil
}

// order returns the records in the order of a draw of each.
func order(t *table.Table, src rng.Source) []int32 {
	n := t.Rows()
	blocks, draws := make([]rng.Block, n), make([]float64, n)
	ids, first := t.IDs()
	rng.Blocks(src.Fork("order").Stream(), blocks, ids, first)
	for i, b := range blocks {
		draws[i] = rng.Unit(b.A)
	}
	out, _ := rank.Order(draws)
	return out
}

// count classifies and counts a table.
func (p *Plan) count(t *table.Table) (*swapper, error) {
	n, width := t.Rows(), len(p.Counted)
	s := &swapper{tolerance: p.Tolerance, width: width, class: make([]int32, n*width), touched: make([][]touch, width), moved: make([]int, len(p.Columns))}
	tops := make([]int, width)
	for c, j := range p.Counted {
		var of []int32
		of, tops[c] = classes(t, j, p.Cuts[c])
		for i, class := range of {
			s.class[i*width+c] = class
		}
		if slices.Contains(p.Columns, j) {
			s.columns, s.from = append(s.columns, c), append(s.from, identity(n))
			s.same = append(s.same, t.Attr(j).Kind == table.Categorical || slices.Contains(p.Exact, j))
		}
	}
	if width == 0 {
		return s, nil
	}
	cells, sets := 0, combin.NewCombinationGenerator(width, min(p.T, width))
	for sets.Next() {
		if cells += s.tabulate(sets.Combination(nil), tops, mostCells-cells); cells > mostCells {
			return nil, fmt.Errorf("there are more than %d combinations of the values of %d attributes to count; "+
				"group categories, or lower t or bins", mostCells, p.T)
		}
	}
	return s, nil
}

func identity(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// tabulate counts the combinations of some columns, and returns how many could occur; more than most are not counted.
func (s *swapper) tabulate(columns, tops []int, most int) (cells int) {
	axes := make([]axis, len(columns))
	cells = 1
	for k, c := range columns {
		axes[k] = axis{c, cells}
		if cells *= tops[c] + 1; cells > most {
			return most + 1
		}
	}
	x := &count{make([]int32, cells), make([]int32, cells)}
	for k, c := range columns {
		s.touched[c] = append(s.touched[c], touch{x, axes[k].stride, slices.Delete(slices.Clone(axes), k, k+1)})
	}
	whole := touch{others: axes}
	for i := range len(s.class) / s.width {
		x.was[whole.base(s.row(int32(i)))]++
	}
	s.counts = append(s.counts, *x)
	return cells
}

// try draws partners for a record until it finds one to exchange the value of a column with.
func (s *swapper) try(k int, i int32, tries int) {
	c, own := s.columns[k], s.row(i)
	if own[c] == 0 || own[c]&used != 0 {
		return
	}
	for range tries {
		j := int32(rng.Below(s.random.Uint64(), len(s.from[k])))
		other := s.row(j)
		switch {
		case j == i || other[c] == 0 || other[c]&used != 0:
			continue
		case own[c] == other[c] && s.same[k] || own[c] != other[c] && !s.exchange(c, own, other):
			continue
		}
		own[c], other[c] = other[c]|used, own[c]|used
		s.from[k][i], s.from[k][j] = j, i
		s.moved[k] += 2
		return
	}
}

// exchange counts what becomes of two records that exchange their classes of a column, unless a count left its tolerance then; it reports which.
func (s *swapper) exchange(c int, own, other []int32) bool {
	a, b := int(own[c]), int(other[c])
	for n := range s.touched[c] {
		x := &s.touched[c][n]
		at, to := x.base(own), x.base(other)
		if at != to && !(s.within(x, at+a*x.stride, -1) && s.within(x, at+b*x.stride, 1) &&
			s.within(x, to+b*x.stride, -1) && s.within(x, to+a*x.stride, 1)) {
			return false
		}
	}
	for n := range s.touched[c] {
		x := &s.touched[c][n]
		at, to := x.base(own), x.base(other)
		x.change[at+a*x.stride]--
		x.change[at+b*x.stride]++
		x.change[to+b*x.stride]--
		x.change[to+a*x.stride]++
	}
	return true
}

// within reports whether a count may change further. With the same other values in both records it does not change at all.
func (s *swapper) within(x *touch, cell int, by int32) bool {
	was, change := x.was[cell], x.change[cell]+by
	return was > 0 && float64(max(change, -change)) <= max(1, s.tolerance*float64(was))
}

// trial sums up what was done.
func (s *swapper) trial() Trial {
	t := Trial{Values: s.values, Moved: s.moved}
	all, sum := 0.0, 0.0
	for _, x := range s.counts {
		for cell, was := range x.was {
			if was == 0 {
				continue
			}
			t.Cells++
			change := math.Abs(float64(x.change[cell]))
			if change > 0 {
				t.Changed++
			}
			t.Largest = max(t.Largest, int(change))
			all, sum = all+float64(was), sum+change
		}
	}
	if all > 0 {
		t.Share = sum / 2 / all
	}
	return t
}
