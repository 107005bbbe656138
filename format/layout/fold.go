package layout

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// none stands for no item.
const none = math.MaxUint32

// item numbers the name of an item, doubled; a question mark leads one that is unknown, which is one more.
func item(d *text.Dict, name []byte) uint32 {
	if len(name) > 1 && name[0] == '?' {
		return 2*uint32(d.Code(name[1:])) + 1
	}
	return 2 * uint32(d.Code(name))
}

// cells are different texts of cells, taken apart.
type cells struct {
	items []uint32 // as item numbers them
	ends  []int    // of each cell in items
	names text.Dict
}

// cellsPerPiece is how many cells a core takes apart at a time.
const cellsPerPiece = 1 << 14

// foldCells takes the cells of a column apart, equal ones once.
func (s Spec) foldCells(ctx context.Context, t *table.Table) (*table.Table, []message.Sentence, error) {
	j, err := s.find(t, s.Column, true)
	if err != nil {
		return nil, nil, err
	}
	c := t.Column(j)
	n := len(c.Labels)
	used := make([]bool, n)
	rows, missing := make([]int, t.Rows()), 0
	for i, code := range c.Cat {
		if rows[i] = int(code); code < 0 {
			rows[i] = n // a set behind the others, which is missing
			missing++
			continue
		}
		used[code] = true
	}
	parts := make([]*cells, (n+cellsPerPiece-1)/cellsPerPiece)
	err = parallel.Ranges(ctx, n, cellsPerPiece, func(lo, hi int) error {
		parts[lo/cellsPerPiece] = s.split(c.Labels[lo:hi], used[lo:hi])
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	labels, start, codes, empty := joined(parts, used)
	var gone []bool
	if missing > 0 {
		start, gone = append(start, len(codes)), append(make([]bool, n), true)
	}
	sets, err := table.SetsOfCodes(ctx, start, codes, gone)
	if err != nil {
		return nil, nil, err
	}
	var notes []message.Sentence
	if missing > 0 && !empty {
		notes = append(notes, message.Say("read.sets.missing").Name("column", s.Column).Count("n", missing))
	}
	out := table.SetColumn(s.Column, labels, sets)
	t, err = t.WithColumn(j, out.Gather(rows))
	return t, notes, err
}

// split takes the cells apart that are used; the others have no items.
func (s Spec) split(labels []string, used []bool) *cells {
	p := &cells{ends: make([]int, 0, len(labels))}
	between := []byte(s.Between)
	var cell []byte
	for k, label := range labels {
		if used[k] {
			cell = append(append(cell[:0], label...), between...)
			for begun, at := 0, 0; at < len(cell); at++ {
				if cell[at] == between[0] && bytes.HasPrefix(cell[at:], between) {
					if name := bytes.TrimSpace(cell[begun:at]); len(name) > 0 {
						p.items = append(p.items, item(&p.names, name))
					}
					begun = at + len(between)
				}
			}
		}
		p.ends = append(p.ends, len(p.items))
	}
	return p
}

// joined returns the names of all items, in the order of their appearance, and their codes by cell; empty reports
// whether a used cell has no item.
func joined(parts []*cells, used []bool) (labels []string, start []int, codes []uint32, empty bool) {
	names, items := make([]*text.Dict, len(parts)), 0
	for k, p := range parts {
		names[k], items = &p.names, items+len(p.items)
	}
	all, code := text.Join(names)
	start, codes = make([]int, 1, len(used)+2), make([]uint32, 0, items)
	for k, p := range parts {
		first := len(codes)
		for _, v := range p.items {
			codes = append(codes, 2*uint32(code[k][v/2])+v&1)
		}
		for _, end := range p.ends {
			empty = empty || used[len(start)-1] && first+end == start[len(start)-1]
			start = append(start, first+end)
		}
	}
	return all.Labels(), start, codes, empty
}

// foldRows joins the rows of one ID.
func (s Spec) foldRows(ctx context.Context, t *table.Table) (*table.Table, []message.Sentence, error) {
	id, err := s.find(t, s.ID, false)
	if err != nil {
		return nil, nil, err
	}
	j, err := s.find(t, s.Column, true)
	if err != nil {
		return nil, nil, err
	}
	first, of := groups(t.Column(id))
	has, err := itemsOfRows(ctx, t.Column(j), len(first), of)
	if err != nil {
		return nil, nil, err
	}
	var cols []table.Column
	var notes []message.Sentence
	var varying []string
	for k := range t.Width() {
		switch c := t.Column(k); {
		case k == j:
			cols = append(cols, has)
		case constant(&c, first, of):
			cols = append(cols, c.Gather(first))
		default:
			varying = append(varying, strconv.Quote(c.Name))
		}
	}
	if varying != nil {
		notes = append(notes, message.Say("read.sets.differ").Name("id", s.ID).Text("columns", strings.Join(varying, ", ")))
	}
	out, err := table.New(cols...)
	return out, notes, err
}

// itemsOfRows returns the sets of so many groups whose items stand in the rows of a column, told the group of every
// row. A group of which all rows are missing is.
func itemsOfRows(ctx context.Context, c table.Column, groups int, of []int32) (table.Column, error) {
	var d text.Dict
	var name []byte
	items := make([]uint32, len(c.Labels))
	for k := range items {
		items[k] = none
	}
	start, gone, left := make([]int, groups+1), make([]bool, groups), groups
	for g := range gone {
		gone[g] = true
	}
	for i, code := range c.Cat {
		if code < 0 {
			continue
		}
		g := of[i]
		if gone[g] {
			gone[g], left = false, left-1
		}
		if label := c.Labels[code]; label != "" {
			if items[code] == none {
				name = append(name[:0], label...)
				items[code] = item(&d, name)
			}
			start[g+1]++
		}
	}
	for g := range groups {
		start[g+1] += start[g]
	}
	codes, next := make([]uint32, start[groups]), slices.Clone(start[:groups])
	for i, code := range c.Cat {
		if code >= 0 && items[code] != none {
			g := of[i]
			codes[next[g]] = items[code]
			next[g]++
		}
	}
	if left == 0 {
		gone = nil
	}
	sets, err := table.SetsOfCodes(ctx, start, codes, gone)
	return table.SetColumn(c.Name, d.Labels(), sets), err
}

// groups returns the first row of every value, in the order of their appearance, and the group of every row. A row
// without a value is a group of its own. Rows of one value that follow one another cost nothing but the comparison.
func groups(c table.Column) (first []int, of []int32) {
	var values text.Dict
	var number []int32 // of the group, by value
	of = make([]int32, c.Len())
	var key []byte
	for i := range of {
		if !c.MissingAt(i) {
			if i > 0 && c.Same(i, &c, i-1) {
				of[i] = of[i-1]
				continue
			}
			key = c.AppendKey(key[:0], i)
			if v := values.Code(key); int(v) < len(number) {
				of[i] = number[v]
				continue
			}
			number = append(number, int32(len(first)))
		}
		of[i] = int32(len(first))
		first = append(first, i)
	}
	return first, of
}

// constant reports whether all rows of a group have the value of its first.
func constant(c *table.Column, first []int, of []int32) bool {
	for i, g := range of {
		if !c.Same(i, c, first[g]) {
			return false
		}
	}
	return true
}

// foldColumns joins the columns of zeros and ones whose names begin with the prefix.
func (s Spec) foldColumns(ctx context.Context, t *table.Table) (*table.Table, error) {
	is := make([]bool, t.Width())
	parallel.Do(len(is), func(j int) { is[j] = strings.HasPrefix(t.Attr(j).Name, s.Prefix) && binary(t.Column(j)) })
	var from []int
	var names []string
	var values [][]float64
	for j := range t.Width() {
		name, ok := strings.CutPrefix(t.Attr(j).Name, s.Prefix)
		if !ok || s.Prefix == "" && !is[j] {
			continue
		}
		switch {
		case name == "" || strings.HasPrefix(name, "?"):
			return nil, fmt.Errorf("the name of column %q leaves no name for an item", t.Attr(j).Name)
		case !is[j]:
			return nil, fmt.Errorf("column %q holds something else than 0 and 1", t.Attr(j).Name)
		}
		from, names, values = append(from, j), append(names, name), append(values, t.Num(j))
	}
	if from == nil {
		return nil, fmt.Errorf("no column of zeros and ones has a name that begins so")
	}
	sets, err := ofColumns(ctx, values)
	if err != nil {
		return nil, err
	}
	cols := t.Columns()
	cols[from[0]] = table.SetColumn(s.Name(), names, sets)
	for _, j := range slices.Backward(from[1:]) {
		cols = slices.Delete(cols, j, j+1)
	}
	return table.New(cols...)
}

// rowsPerPiece is how many rows of all columns a core joins at a time.
const rowsPerPiece = 1 << 12

// ofColumns returns the sets of the columns that are 1. A record that knows nothing of any column has no set.
func ofColumns(ctx context.Context, values [][]float64) (*table.Sets, error) {
	rows := len(values[0])
	start, gone := make([]int, rows+1), make([]bool, rows)
	err := parallel.Ranges(ctx, rows, rowsPerPiece, func(lo, hi int) error {
		count, blank := start[lo+1:hi+1], make([]int32, hi-lo)
		for _, v := range values {
			for i, x := range v[lo:hi] {
				switch {
				case x != x:
					blank[i]++
					count[i]++
				case x != 0:
					count[i]++
				}
			}
		}
		for i, n := range blank {
			gone[lo+i] = int(n) == len(values)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range rows {
		start[i+1] += start[i]
	}
	codes := make([]uint32, start[rows])
	err = parallel.Ranges(ctx, rows, rowsPerPiece, func(lo, hi int) error {
		next := slices.Clone(start[lo:hi])
		for k, v := range values {
			for i, x := range v[lo:hi] {
				if x != 0 {
					codes[next[i]] = 2 * uint32(k)
					if x != x {
						codes[next[i]]++
					}
					next[i]++
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !slices.Contains(gone, true) {
		gone = nil
	}
	return table.SetsOfCodes(ctx, start, codes, gone)
}

// binary reports whether a column holds 0 and 1 and nothing else but missing values.
func binary(c table.Column) bool {
	if c.Kind != table.Numeric || c.Dates != "" {
		return false
	}
	for _, v := range c.Num {
		if v != 0 && v != 1 && v == v {
			return false
		}
	}
	return true
}
