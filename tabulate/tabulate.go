// Package tabulate counts and sums records into tables with totals and hierarchies, and says which cells show too much
// of too few.
//
// Tables that go out together are one Set: what one of them hides another must not tell, so all their cells are sums of
// the same inner cells, the combinations of the finest values of all dimensions that occur. Cells without records are
// published as zeros and have no entry; nothing in them belongs to anybody.
//
// The rules of primary suppression count units (persons or households), never records, and add up what one unit has
// before they look for the largest. They are those of Hundepool et al. (2012), Statistical Disclosure Control, section
// 4.2: a minimum frequency, (n, k) dominance, p % and pq.
//
// What is done with unsafe cells is below: package suppress leaves cells out, cellkey moves counts by a key of their
// records.
package tabulate

import (
	"errors"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
)

// Total is the label of the code that all records have.
const Total = "Total"

// Dimension is a variable that cells are divided by, as a tree of codes. Code 0 is the total; the parent of a code
// comes before it.
type Dimension struct {
	Name   string
	Labels []string // by code
	Up     []int32  // the parent of a code; -1 for the total
	Leaf   []int32  // the finest code of every record
}

// Path returns the codes that hold a code: itself, its parent and so on up to the total.
func (d *Dimension) Path(code int32) (out []int32) {
	for ; code >= 0; code = d.Up[code] {
		out = append(out, code)
	}
	return out
}

// Cell is a combination of codes of one table that some record has.
type Cell struct {
	Table   int     // its place in Set.Of
	Codes   []int32 // one for each dimension of the table
	Records int
	Units   int
}

// Variable is what is summed.
type Variable struct {
	Name   string
	Values []float64 // by record; NaN, a missing value, adds nothing
}

// Magnitude is what the cells hold of a variable.
type Magnitude struct {
	Name     string
	Sum      []float64 // by cell
	Inner    []float64 // by inner cell
	Negative bool      // some value is below zero, so zero bounds nothing
	largest  []float64 // the Holders largest contributions of units in absolute value, by cell
	absolute []float64 // the sum of absolute contributions of units, by cell
}

// Set is tables that go out together.
type Set struct {
	Dims  []Dimension
	Of    [][]int // the dimensions of each table
	Cells []Cell
	// Start and In are the inner cells of every cell: those of cell c are In[Start[c]:Start[c+1]], ascending.
	Start, In []int32
	// Records of inner cells, likewise, and their numbers.
	InnerStart, InnerRecords []int32
	Sums                     []Magnitude
	// Holder is, by inner cell, the only unit with records in it; -1 where there are several.
	Holder []int32
	kept   int // largest contributions that are kept of a cell
}

// Key is a combination of codes of some dimensions as a number. New refuses dimensions whose combinations do not fit.
func (s *Set) Key(dims []int, codes []int32) (key uint64) {
	for k, j := range dims {
		key = key*uint64(len(s.Dims[j].Labels)) + uint64(codes[k])
	}
	return key
}

// Inner is how many inner cells there are.
func (s *Set) Inner() int { return len(s.InnerStart) - 1 }

// Most cells that a set may have, and most inner cells that all its cells together hold.
const (
	MostCells  = 20_000_000
	MostNested = 400_000_000
)

// New counts n records. Whose is the unit of each, from 0; nil where every record is one. A rule asks for the largest
// contributions of at most kept units. Cost: O(records times the codes that hold them), in every table.
func New(n int, dims []Dimension, of [][]int, sums []Variable, whose []int32, kept int) (*Set, error) {
	s := &Set{Dims: dims, Of: of, kept: max(kept, 2)}
	used := s.Used()
	keys := make([]uint64, n)
	for _, j := range used {
		if err := widen(keys, &dims[j], dims[j].Leaf); err != nil {
			return nil, err
		}
	}
	inner, first := numbered(keys)
	s.InnerStart, s.InnerRecords = grouped(inner, len(first))
	for k := range of {
		if err := s.add(k, first); err != nil {
			return nil, err
		}
	}
	s.contributions(whose, sums)
	return s, nil
}

// Used are the dimensions that some table has, ascending.
func (s *Set) Used() (out []int) {
	for _, t := range s.Of {
		out = append(out, t...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var errWide = errors.New("the tables have too many combinations; leave out a dimension, or cut it more coarsely")

// widen adds a digit to mixed numbers.
func widen(keys []uint64, d *Dimension, codes []int32) error {
	base := uint64(len(d.Labels))
	for i := range keys {
		if keys[i] > (math.MaxUint64-base)/base {
			return errWide
		}
		keys[i] = keys[i]*base + uint64(codes[i])
	}
	return nil
}

// numbered numbers the keys in ascending order, and returns for each number the first place that has it.
func numbered(keys []uint64) (of []int32, first []int32) {
	at := map[uint64]int32{}
	for i, k := range keys {
		if _, ok := at[k]; !ok {
			at[k] = int32(i)
		}
	}
	all := make([]uint64, 0, len(at))
	for k := range at {
		all = append(all, k)
	}
	slices.Sort(all)
	first = make([]int32, len(all))
	for k, key := range all {
		first[k], at[key] = at[key], int32(k)
	}
	of = make([]int32, len(keys))
	for i, k := range keys {
		of[i] = at[k]
	}
	return of, first
}

// grouped lists the members of each of n groups, ascending.
func grouped(of []int32, n int) (start, members []int32) {
	start, members = make([]int32, n+1), make([]int32, len(of))
	for _, g := range of {
		start[g+1]++
	}
	for g := range n {
		start[g+1] += start[g]
	}
	next := slices.Clone(start)
	for i, g := range of {
		members[next[g]] = int32(i)
		next[g]++
	}
	return start, members
}

// add appends the cells of a table. First is a record of every inner cell.
func (s *Set) add(table int, first []int32) error {
	dims := s.Of[table]
	at, codes := map[uint64]int32{}, make([]int32, len(dims))
	var cell, inner []int32
	var cells []Cell
	paths := make([][][]int32, len(dims))
	for k, j := range dims {
		for code := range s.Dims[j].Labels {
			paths[k] = append(paths[k], s.Dims[j].Path(int32(code)))
		}
	}
	var visit func(k int, key uint64, i int32, record int32)
	visit = func(k int, key uint64, i, record int32) {
		if k < len(dims) {
			d := &s.Dims[dims[k]]
			for _, codes[k] = range paths[k][d.Leaf[record]] {
				visit(k+1, key*uint64(len(d.Labels))+uint64(codes[k]), i, record)
			}
			return
		}
		c, ok := at[key]
		if !ok {
			c = int32(len(cells))
			at[key] = c
			cells = append(cells, Cell{Table: table, Codes: slices.Clone(codes)})
		}
		cell, inner = append(cell, c), append(inner, i)
	}
	for i, record := range first {
		visit(0, 0, int32(i), record)
		if len(s.Cells)+len(cells) > MostCells || len(s.In)+len(cell) > MostNested {
			return errWide
		}
	}
	order := make([]int32, len(cells)) // cells in the order of their codes
	for c := range order {
		order[c] = int32(c)
	}
	slices.SortFunc(order, func(a, b int32) int { return slices.Compare(cells[a].Codes, cells[b].Codes) })
	start, members := grouped(cell, len(cells))
	if len(s.Start) == 0 {
		s.Start = []int32{0}
	}
	for _, c := range order {
		for _, m := range members[start[c]:start[c+1]] {
			s.In = append(s.In, inner[m])
		}
		s.Start = append(s.Start, int32(len(s.In)))
		s.Cells = append(s.Cells, cells[c])
	}
	return nil
}

// Within are the inner cells of a cell.
func (s *Set) Within(cell int) []int32 { return s.In[s.Start[cell]:s.Start[cell+1]] }

// records calls f with every record of a cell.
func (s *Set) records(cell int, f func(record int32)) {
	for _, i := range s.Within(cell) {
		for _, record := range s.InnerRecords[s.InnerStart[i]:s.InnerStart[i+1]] {
			f(record)
		}
	}
}

// contributions counts units and sums what they have.
func (s *Set) contributions(whose []int32, sums []Variable) {
	inner := make([]int32, len(s.InnerRecords))
	s.Holder = make([]int32, s.Inner())
	for i := range s.Holder {
		own := s.InnerRecords[s.InnerStart[i]:s.InnerStart[i+1]]
		for _, record := range own {
			inner[record] = int32(i)
		}
		s.Holder[i] = unitOf(whose, own[0])
		for _, record := range own {
			if unitOf(whose, record) != s.Holder[i] {
				s.Holder[i] = -1
				break
			}
		}
	}
	units := &gathered{whose: whose}
	for c := range s.Cells {
		units.clear()
		s.records(c, func(record int32) { units.add(record, 0) })
		s.Cells[c].Units, s.Cells[c].Records = units.count(), len(units.values)
	}
	for _, v := range sums {
		m := Magnitude{Name: v.Name, Sum: make([]float64, len(s.Cells)), absolute: make([]float64, len(s.Cells)),
			largest: make([]float64, len(s.Cells)*s.kept)}
		known := make([]float64, len(v.Values))
		for i, x := range v.Values {
			if !math.IsNaN(x) {
				known[i] = x
			}
			m.Negative = m.Negative || x < 0
		}
		m.Inner = exact.ByGroup(inner, known, s.Inner())
		for c := range s.Cells {
			units.clear()
			s.records(c, func(record int32) { units.add(record, known[record]) })
			m.Sum[c], m.absolute[c] = exact.Of(s.below(m.Inner, c)), units.largest(m.largest[c*s.kept:(c+1)*s.kept])
		}
		s.Sums = append(s.Sums, m)
	}
}

// below are the values of the inner cells of a cell.
func (s *Set) below(inner []float64, cell int) []float64 {
	out := make([]float64, 0, s.Start[cell+1]-s.Start[cell])
	for _, i := range s.Within(cell) {
		out = append(out, inner[i])
	}
	return out
}

func unitOf(whose []int32, record int32) int32 {
	if whose == nil {
		return record
	}
	return whose[record]
}

// gathered is what the units of a cell have.
type gathered struct {
	whose  []int32
	of     []int32   // by record, the number of its unit in the cell
	values []float64 // by record
	place  []int32   // by unit, 1 + its number
	units  []int32   // by number
}

func (g *gathered) clear() {
	for _, u := range g.units {
		g.place[u] = 0
	}
	g.of, g.values, g.units = g.of[:0], g.values[:0], g.units[:0]
}

func (g *gathered) add(record int32, value float64) {
	g.values = append(g.values, value)
	if g.whose == nil {
		return
	}
	u := g.whose[record]
	for int(u) >= len(g.place) {
		g.place = append(g.place, make([]int32, max(64, len(g.place)))...)
	}
	if g.place[u] == 0 {
		g.units = append(g.units, u)
		g.place[u] = int32(len(g.units))
	}
	g.of = append(g.of, g.place[u]-1)
}

// count is how many units there are.
func (g *gathered) count() int {
	if g.whose == nil {
		return len(g.values)
	}
	return len(g.units)
}

// largest writes the largest absolute sums of units, descending, and returns the sum of all. They are exact, so the
// order of the records does not matter.
func (g *gathered) largest(out []float64) (total float64) {
	sums := g.values
	if g.whose != nil {
		sums = exact.ByGroup(g.of, g.values, len(g.units))
	}
	for k, x := range sums {
		x = math.Abs(x)
		sums[k] = x
		for k := range out {
			if x > out[k] {
				x, out[k] = out[k], x
			}
		}
	}
	return exact.Of(sums)
}
