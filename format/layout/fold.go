package layout

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/table"
)

// foldCells takes the cells of a column apart.
func (s Spec) foldCells(t *table.Table) (*table.Table, []string, error) {
	j, err := s.find(t, s.Column, true)
	if err != nil {
		return nil, nil, err
	}
	var d dictionary
	c := t.Column(j)
	present, unknown := make([][]int32, len(c.Labels)), make([][]int32, len(c.Labels))
	empty := false
	read := func(code int32) {
		if present[code] != nil {
			return
		}
		p, u := []int32{}, []int32(nil)
		for _, item := range strings.Split(c.Labels[code], s.Between) {
			if item = strings.TrimSpace(item); item != "" {
				p, u = d.read(item, p, u)
			}
		}
		empty = empty || len(p)+len(u) == 0
		present[code], unknown[code] = p, u
	}
	here, maybe, missing := make([][]int32, t.Rows()), make([][]int32, t.Rows()), 0
	for i, code := range c.Cat {
		if code < 0 {
			missing++
			continue
		}
		read(code)
		here[i], maybe[i] = present[code], unknown[code]
	}
	var notes []string
	if missing > 0 && !empty {
		notes = append(notes, fmt.Sprintf("%d sets of column %q are missing, for their cells are empty or hold a mark of missing values; \"\" in quotes is a set without items", missing, s.Column))
	}
	out, err := t.WithColumn(j, sets(s.Column, &d, here, maybe))
	return out, notes, err
}

// foldRows joins the rows of one ID.
func (s Spec) foldRows(t *table.Table) (*table.Table, []string, error) {
	id, err := s.find(t, s.ID, false)
	if err != nil {
		return nil, nil, err
	}
	j, err := s.find(t, s.Column, true)
	if err != nil {
		return nil, nil, err
	}
	first, of := groups(t.Column(id))
	items, n := t.Column(j), len(first)
	var d dictionary
	present, unknown := make([][]int32, n), make([][]int32, n)
	for i, code := range items.Cat {
		g := of[i]
		if code < 0 {
			continue
		}
		if present[g] == nil {
			present[g] = []int32{}
		}
		if text := items.Labels[code]; text != "" {
			present[g], unknown[g] = d.read(text, present[g], unknown[g])
		}
	}
	var cols []table.Column
	var notes, varying []string
	for k := range t.Width() {
		switch c := t.Column(k); {
		case k == j:
			cols = append(cols, sets(s.Column, &d, present, unknown))
		case constant(&c, first, of):
			cols = append(cols, c.Gather(first))
		default:
			varying = append(varying, strconv.Quote(c.Name))
		}
	}
	if varying != nil {
		notes = append(notes, fmt.Sprintf("left out for they differ among the rows of one %q: column %s", s.ID, strings.Join(varying, ", ")))
	}
	out, err := table.New(cols...)
	return out, notes, err
}

// groups returns the first row of every value, in the order of their appearance, and the group of every row. A row without a value is a group of its own.
func groups(c table.Column) (first []int, of []int32) {
	number := map[string]int32{}
	of = make([]int32, c.Len())
	var key []byte
	for i := range of {
		key = c.AppendKey(key[:0], i)
		g, ok := number[string(key)]
		if !ok || c.MissingAt(i) {
			g = int32(len(first))
			number[string(key)] = g
			first = append(first, i)
		}
		of[i] = g
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
func (s Spec) foldColumns(t *table.Table) (*table.Table, error) {
	var from []int
	var d dictionary
	for j := range t.Width() {
		a := t.Attr(j)
		name, ok := strings.CutPrefix(a.Name, s.Prefix)
		if !ok || s.Prefix == "" && !binary(t.Column(j)) {
			continue
		}
		switch {
		case name == "" || strings.HasPrefix(name, "?"):
			return nil, fmt.Errorf("the name of column %q leaves no name for an item", a.Name)
		case !binary(t.Column(j)):
			return nil, fmt.Errorf("column %q holds something else than 0 and 1", a.Name)
		}
		from = append(from, j)
		d.number(name)
	}
	if from == nil {
		return nil, fmt.Errorf("no column of zeros and ones has a name that begins so")
	}
	present, unknown := make([][]int32, t.Rows()), make([][]int32, t.Rows())
	for k, j := range from {
		for i, v := range t.Num(j) {
			switch {
			case v == 1:
				present[i] = append(present[i], int32(k))
			case v != v:
				unknown[i] = append(unknown[i], int32(k))
			}
		}
	}
	for i := range present {
		switch {
		case len(unknown[i]) == len(from):
			unknown[i] = nil // nothing is known
		case present[i] == nil:
			present[i] = []int32{}
		}
	}
	cols := t.Columns()
	cols[from[0]] = sets(s.Name(), &d, present, unknown)
	for _, j := range slices.Backward(from[1:]) {
		cols = slices.Delete(cols, j, j+1)
	}
	return table.New(cols...)
}

// binary reports whether a column holds 0 and 1 and nothing else but missing values.
func binary(c table.Column) bool {
	return c.Kind == table.Numeric && c.Dates == "" && !slices.ContainsFunc(c.Num, func(v float64) bool { return v != 0 && v != 1 && !math.IsNaN(v) })
}
