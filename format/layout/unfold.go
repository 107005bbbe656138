package layout

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

// mostCells bounds what a column for each item may become: 4 GiB of numbers.
const mostCells = 1 << 29

// Ordered returns the items of a set-valued column as they are written, in their order, and the place of every code.
func Ordered(c *table.Column) (names []string, place []int32) {
	place = order(c.Labels)
	names = make([]string, len(place))
	for v, p := range place {
		names[p] = c.Labels[v]
	}
	return names, place
}

// Marked reports whether the items of a set-valued column can be told from each other where a question mark leads those
// that are unknown, and one alone is an item: whether none that is present has a name that begins with one, and none
// that is unknown an empty name.
func Marked(c *table.Column) bool {
	return !slices.ContainsFunc(c.Sets.Present.All(), func(v int32) bool {
		return len(c.Labels[v]) > 1 && c.Labels[v][0] == '?'
	}) && !slices.ContainsFunc(c.Sets.Unknown.All(), func(v int32) bool { return c.Labels[v] == "" })
}

// Places returns the places of the items of row i, ascending and doubled, and one more for an unknown item, in the
// memory of dst.
func Places(dst []int32, s *table.Sets, i int, place []int32) []int32 {
	dst = dst[:0]
	for _, v := range s.Present.Row(i) {
		dst = append(dst, 2*place[v])
	}
	for _, v := range s.Unknown.Row(i) {
		dst = append(dst, 2*place[v]+1)
	}
	if !slices.IsSorted(dst) {
		slices.Sort(dst)
	}
	return dst
}

// cells writes the items of a set into one cell.
func (s Spec) cells(t *table.Table, j int) (*table.Table, error) {
	c := t.Column(j)
	names, place := Ordered(&c)
	for _, n := range names {
		if n == "" || strings.Contains(n, s.Between) || strings.TrimSpace(n) != n || n[0] == '?' {
			return nil, fmt.Errorf("holds an item that cannot stand in a cell with %q between items", s.Between)
		}
	}
	var d text.Dict
	codes := make([]int32, t.Rows())
	var row []int32
	var cell []byte
	for i := range codes {
		if codes[i] = -1; c.MissingAt(i) {
			continue
		}
		row, cell = Places(row, c.Sets, i, place), cell[:0]
		for k, p := range row {
			if k > 0 {
				cell = append(cell, s.Between...)
			}
			if p&1 != 0 {
				cell = append(cell, '?')
			}
			cell = append(cell, names[p/2]...)
		}
		codes[i] = d.Code(cell)
	}
	return t.WithColumn(j, table.CatColumn(c.Name, d.Labels(), codes))
}

// rows writes a row for every item. A set without items has a row with an empty text, and one that is missing a row
// with nothing. Where the column that tells which rows belong together is gone, numbers in the order of the records
// take its place.
func (s Spec) rows(t *table.Table, j int) (*table.Table, error) {
	c := t.Column(j)
	names, place := Ordered(&c)
	for _, n := range names {
		if n == "" || n[0] == '?' {
			return nil, errors.New("has an item with a name that is empty or begins with a question mark, which is " +
				"not valid in a separate row")
		}
	}
	var d text.Dict
	var from []int
	var codes, row []int32
	for i := range t.Rows() {
		row = Places(row, c.Sets, i, place)
		if len(row) == 0 {
			code := int32(-1)
			if !c.MissingAt(i) {
				code = d.Code(nil)
			}
			from, codes = append(from, i), append(codes, code)
		}
		for _, p := range row {
			name := names[p/2]
			if p&1 != 0 {
				name = "?" + name
			}
			from, codes = append(from, i), append(codes, d.Code([]byte(name)))
		}
	}
	var cols []table.Column
	if t.Find(s.ID) < 0 {
		n := make([]float64, len(from))
		for k, i := range from {
			n[k] = float64(i + 1)
		}
		cols = append(cols, table.NumColumn(s.ID, 1, n))
	}
	for k := range t.Width() {
		if k == j {
			cols = append(cols, table.CatColumn(c.Name, d.Labels(), codes))
			continue
		}
		other := t.Column(k)
		cols = append(cols, other.Gather(from))
	}
	return table.New(cols...)
}

// columns writes a column of zeros and ones for every item, and nothing where it is unknown.
func (s Spec) columns(t *table.Table, j int) (*table.Table, error) {
	c := t.Column(j)
	names, place := Ordered(&c)
	if len(names)*t.Rows() > mostCells {
		return nil, fmt.Errorf("has %d items, too many for a column each; another layout or a file of transactions holds "+
			"them", len(names))
	}
	made := make([]table.Column, len(names))
	for k, n := range names {
		made[k] = table.NumColumn(s.Prefix+n, 1, make([]float64, t.Rows()))
	}
	for i := range t.Rows() {
		if c.MissingAt(i) {
			for k := range made {
				made[k].Num[i] = math.NaN()
			}
		}
		for _, v := range c.Sets.Present.Row(i) {
			made[place[v]].Num[i] = 1
		}
		for _, v := range c.Sets.Unknown.Row(i) {
			made[place[v]].Num[i] = math.NaN()
		}
	}
	cols := t.Columns()
	return table.New(slices.Concat(cols[:j], made, cols[j+1:])...)
}
