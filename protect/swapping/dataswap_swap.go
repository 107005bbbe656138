package swapping

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// mostCells is the largest number of combinations that are counted.
const mostCells = 1 << 26

// used marks, beside its class, a value that was exchanged.
const used = 1 << 30

// dataSwapper exchanges values and keeps count.
type dataSwapper struct {
	tolerance float64
	width     int       // columns that are counted
	class     []int32   // by record and counted column: the class of its value, 0 where missing, and whether it is used
	tops      []int     // by counted column: its highest class
	counts    []*count  // all t-order counts
	touched   [][]touch // by counted column
	columns   []int     // those to swap, by position among the counted
	same      []bool    // by position in columns: classes are values, so that exchanging equal ones changes nothing
	from      [][]int32 // by position in columns and record: whose value it gets
	moved     []int     // by position in columns: values that were exchanged
	values    int
	room      [ahead]int32
	drawn     []int32 // partners to come, in room
	near      int     // how many of them are fetched
	read      int32
	random    *rand.Rand
}

// count is the t-order counts of some columns: a table with a cell for every combination of their classes.
type count struct {
	axes  []axis
	was   []int32
	cells []cell
}

// cell is how far a count is from what it was, and how far it may be; no combination is made that was not there, so
// none may change.
type cell struct{ change, most int32 }

// may reports whether a count may change further.
func (c cell) may(by int32) bool {
	change := c.change + by
	return max(change, -change) <= c.most
}

// axis is a column of a count, with the distance of the cells of neighbouring classes.
type axis struct{ column, stride int }

// touch is what a column does to a count it is in.
type touch struct {
	*count
	stride int
	others []axis
	known  []int8 // by cell with class 0 of the column: 0 where it is not known yet, 2 where a value is lonely, else 1
}

// base returns the cell of a record with class 0 of the column that touches.
func (x *touch) base(row []int32) (at int) {
	for _, o := range x.others {
		at += int(row[o.column]&^used) * o.stride
	}
	return at
}

// row returns the classes of a record.
func (s *dataSwapper) row(i int32) []int32 { return s.class[int(i)*s.width:][:s.width] }

// swap swaps the values of a table.
func (p *DataPlan) swap(ctx context.Context, t *table.Table, src rng.Source) (*dataSwapper, error) {
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
	if len(s.columns) == 0 {
		return s, nil
	}
	turn := order(t, src)
	for n, i := range turn {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if n%atOnce == 0 {
			s.fetch(turn[n:min(n+atOnce, len(turn))])
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
func (p *DataPlan) count(t *table.Table) (*dataSwapper, error) {
	n, width := t.Rows(), len(p.Counted)
	s := &dataSwapper{
		tolerance: p.Tolerance,
		width:     width,
		class:     make([]int32, n*width),
		touched:   make([][]touch, width),
		moved:     make([]int, len(p.Columns)),
	}
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
	parallel.Do(len(s.counts), func(k int) { s.tally(s.counts[k]) })
	s.tops = tops
	return s, nil
}

func identity(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// tabulate makes the table of the combinations of some columns, and returns how many could occur; none is made for more
// than most.
func (s *dataSwapper) tabulate(columns, tops []int, most int) (cells int) {
	axes := make([]axis, len(columns))
	cells = 1
	for k, c := range columns {
		axes[k] = axis{c, cells}
		if cells *= tops[c] + 1; cells > most {
			return most + 1
		}
	}
	x := &count{axes, make([]int32, cells), make([]cell, cells)}
	for k, c := range columns {
		s.touched[c] = append(
			s.touched[c],
			touch{
				count:  x,
				stride: axes[k].stride,
				others: slices.Delete(slices.Clone(axes), k, k+1),
				known:  make([]int8, cells),
			},
		)
	}
	s.counts = append(s.counts, x)
	return cells
}

// tally counts the combinations of a table.
func (s *dataSwapper) tally(x *count) {
	whole := touch{others: x.axes}
	for i := range len(s.class) / s.width {
		x.was[whole.base(s.row(int32(i)))]++
	}
	for k, was := range x.was {
		if x.cells[k].most = -1; was > 0 {
			x.cells[k].most = int32(max(1, s.tolerance*float64(was)))
		}
	}
}

// lonely reports whether no two classes of the column, up to top, occur beside others: a value there has none that it
// could be exchanged with.
func (x *touch) lonely(at, top int) bool {
	if x.known[at] == 0 {
		x.known[at] = 1
		classes := 0
		for a := 1; a <= top && classes < 2; a++ {
			classes += min(1, int(x.was[at+a*x.stride]))
		}
		if classes < 2 {
			x.known[at] = 2
		}
	}
	return x.known[at] == 2
}

// try draws partners for a record until it finds one to exchange the value of a column with.
func (s *dataSwapper) try(k int, i int32, tries int) {
	c, own := s.columns[k], s.row(i)
	if own[c] == 0 || own[c]&used != 0 {
		return
	}
	if s.same[k] && s.alone(c, own) {
		s.skip(tries)
		return
	}
	for range tries {
		j := s.partner()
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

// alone reports whether no partner is possible: beside what the record has elsewhere its class alone occurs.
func (s *dataSwapper) alone(c int, own []int32) bool {
	touched := s.touched[c]
	for n := range touched {
		if x := &touched[n]; x.lonely(x.base(own), s.tops[c]) {
			touched[0], touched[n] = touched[n], touched[0] // it will mostly tell of the next record, too
			return true
		}
	}
	return false
}

// ahead is how many partners are drawn at a time, and atOnce how many of them, and of the records in turn, are looked
// at ahead of their use: memory then fetches their rows side by side.
const ahead, atOnce = 256, 32

// partner returns the next partner drawn.
func (s *dataSwapper) partner() int32 {
	if len(s.drawn) == 0 {
		s.draw()
	}
	if s.near == 0 {
		s.near = min(atOnce, len(s.drawn))
		s.fetch(s.drawn[:s.near])
	}
	j := s.drawn[0]
	s.drawn = s.drawn[1:]
	s.near--
	return j
}

// skip passes over partners.
func (s *dataSwapper) skip(n int) {
	for n > len(s.drawn) {
		n -= len(s.drawn)
		s.near = 0
		s.draw()
	}
	s.drawn = s.drawn[n:]
	s.near = max(0, s.near-n)
}

// draw draws the next partners.
func (s *dataSwapper) draw() {
	s.drawn = s.room[:]
	for n := range s.drawn {
		s.drawn[n] = int32(rng.Below(s.random.Uint64(), len(s.class)/s.width))
	}
}

// fetch reads the rows of records, which does nothing but bring them near.
func (s *dataSwapper) fetch(records []int32) {
	read := s.read
	for _, i := range records {
		at := int(i) * s.width
		read ^= s.class[at] ^ s.class[at+s.width-1]
	}
	s.read = read
}

// exchange counts what becomes of two records that exchange their classes of a column, unless a count left its
// tolerance then; it reports which. The count that refuses is asked first from then on: it will mostly refuse the next
// partner, too.
func (s *dataSwapper) exchange(c int, own, other []int32) bool {
	a, b := int(own[c]), int(other[c])
	touched := s.touched[c]
	for n := range touched {
		x := &touched[n]
		at, to := x.base(own), x.base(other)
		// With the same other values in both records the count does not change at all.
		if at != to &&
			!(x.cells[at+a*x.stride].may(-1) && x.cells[at+b*x.stride].may(1) && x.cells[to+b*x.stride].may(-1) &&
				x.cells[to+a*x.stride].may(1)) {
			touched[0], touched[n] = touched[n], touched[0]
			return false
		}
	}
	for n := range touched {
		x := &touched[n]
		at, to := x.base(own), x.base(other)
		x.cells[at+a*x.stride].change--
		x.cells[at+b*x.stride].change++
		x.cells[to+b*x.stride].change--
		x.cells[to+a*x.stride].change++
	}
	return true
}

// trial sums up what was done.
func (s *dataSwapper) trial() Trial {
	t := Trial{Values: s.values, Moved: s.moved}
	all, sum := 0.0, 0.0
	for _, x := range s.counts {
		for cell, was := range x.was {
			if was == 0 {
				continue
			}
			t.Cells++
			change := math.Abs(float64(x.cells[cell].change))
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
