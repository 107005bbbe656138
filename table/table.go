// Package table holds records about people as immutable typed columns.
//
// A Table is a value nobody edits: every method that changes something returns a new Table that shares all other
// columns with the old one. Columns are flat slices, so that a technique reads and writes memory in order: float64 for
// numeric attributes (NaN is missing), int32 codes for categorical ones (-1 is missing), int32 codes in compressed rows
// for set-valued ones (Sets).
//
// What can be done to the values of any column without knowing its kind (to slice, gather, chain, compare and hash
// them) is a method of Column and stands nowhere else, so that a further kind needs no other package.
//
// Every record has a RecordID, its position in the source. It survives slicing, splitting and shuffling, and it keys
// the randomness a technique uses, so the noise of a record does not depend on the order or the number of workers.
package table

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
)

// RecordID is the position of a record in its source, from 0.
type RecordID uint64

// Range returns the smallest and the largest value that is not missing; 0, 0 when all are missing.
func Range(values []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
	}
	if lo > hi {
		return 0, 0
	}
	return lo, hi
}

// Table is an immutable set of columns of one length.
type Table struct {
	cols  []Column
	rows  int
	first RecordID
	ids   []RecordID // nil: first, first+1, ...
	whose levels
	space *mmap.Space
}

// New returns a table of the columns. Names must be unique and not empty, lengths equal, codes inside the labels.
func New(cols ...Column) (*Table, error) { return build(cols, func(int) bool { return false }) }

// build makes a table; the values of columns that are known to be sound are not looked at.
func build(cols []Column, sound func(j int) bool) (*Table, error) {
	if len(cols) == 0 {
		return nil, errors.New("a table needs at least one column")
	}
	t := &Table{cols: slices.Clone(cols)}
	t.rows = t.cols[0].Len()
	seen := make(map[string]bool, len(cols))
	for j := range t.cols {
		c := &t.cols[j]
		if c.Name == "" {
			return nil, fmt.Errorf("column %d has no name", j+1)
		}
		if seen[c.Name] {
			return nil, fmt.Errorf("column %q occurs twice", c.Name)
		}
		seen[c.Name] = true
		if sound(j) && c.Len() == t.rows {
			continue
		}
		if err := c.check(t.rows); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Rows returns the number of records.
func (t *Table) Rows() int { return t.rows }

// Width returns the number of attributes.
func (t *Table) Width() int { return len(t.cols) }

// Attr returns the description of column j.
func (t *Table) Attr(j int) *Attribute { return &t.cols[j].Attribute }

// Attrs returns a copy of all descriptions, in column order.
func (t *Table) Attrs() []Attribute {
	as := make([]Attribute, len(t.cols))
	for j := range t.cols {
		as[j] = t.cols[j].Attribute
	}
	return as
}

// Column returns column j with its values; the values are shared and must not be written.
func (t *Table) Column(j int) Column { return t.cols[j] }

// Num returns the values of numeric column j (nil for one of another kind). They are shared and must not be written.
func (t *Table) Num(j int) []float64 { return t.cols[j].Num }

// Cat returns the codes of categorical column j (nil for one of another kind). They are shared and must not be written.
func (t *Table) Cat(j int) []int32 { return t.cols[j].Cat }

// Sets returns the sets of set-valued column j (nil for one of another kind). They are shared and must not be written.
func (t *Table) Sets(j int) *Sets { return t.cols[j].Sets }

// Find returns the position of the named column, or -1.
func (t *Table) Find(name string) int {
	return slices.IndexFunc(t.cols, func(c Column) bool { return c.Name == name })
}

// WithRole returns the position of the first column that has the role, or -1.
func (t *Table) WithRole(r Role) int {
	return slices.IndexFunc(t.cols, func(c Column) bool { return c.Role&r != 0 })
}

// ID returns the identity of the record in row i.
func (t *Table) ID(i int) RecordID {
	if t.ids == nil {
		return t.first + RecordID(i)
	}
	return t.ids[i]
}

// IDs returns the identities of the records: a slice when they are scattered, else nil and the first of a run of
// consecutive ones.
func (t *Table) IDs() (ids []RecordID, first RecordID) { return t.ids, t.first }

// MissingAt reports whether the value in row i of column j is missing.
func (t *Table) MissingAt(i, j int) bool { return t.cols[j].MissingAt(i) }

// WithColumn returns a table in which column j is replaced.
func (t *Table) WithColumn(j int, c Column) (*Table, error) {
	if err := c.check(t.rows); err != nil {
		return nil, err
	}
	if k := t.Find(c.Name); k >= 0 && k != j {
		return nil, fmt.Errorf("column %q occurs twice", c.Name)
	}
	n := *t
	n.cols = slices.Clone(t.cols)
	n.cols[j] = c
	return &n, nil
}

// WithNum returns a table in which numeric column j has other values; it panics when the length or the kind is wrong,
// which is a programming error.
func (t *Table) WithNum(j int, values []float64) *Table {
	return t.must(j, Column{Attribute: t.cols[j].Attribute, Num: values})
}

// WithCat returns a table in which categorical column j has other codes; it panics as WithNum does.
func (t *Table) WithCat(j int, codes []int32) *Table {
	return t.must(j, Column{Attribute: t.cols[j].Attribute, Cat: codes})
}

func (t *Table) must(j int, c Column) *Table {
	n, err := t.WithColumn(j, c)
	if err != nil {
		panic("table: " + err.Error())
	}
	return n
}

// WithAttr returns a table in which the description of column j is replaced (role, domain, grid, name); kind and
// number of labels must stay.
func (t *Table) WithAttr(j int, a Attribute) *Table {
	c := t.cols[j]
	if a.Kind != c.Kind || len(a.Labels) != len(c.Labels) {
		panic(fmt.Sprintf("table: column %q: kind and labels cannot be changed by WithAttr", c.Name))
	}
	n := *t
	n.cols = slices.Clone(t.cols)
	c.Attribute = a
	n.cols[j] = c
	return &n
}

// Select returns a table of the given columns, in that order.
func (t *Table) Select(cols ...int) *Table {
	n := *t
	n.cols = make([]Column, len(cols))
	for k, j := range cols {
		n.cols[k] = t.cols[j]
	}
	return &n
}

// Slice returns the records lo..hi-1. It shares all values; what is made of them is on the heap.
func (t *Table) Slice(lo, hi int) *Table {
	n := *t
	n.cols = slices.Clone(t.cols)
	for j := range n.cols {
		n.cols[j] = n.cols[j].Slice(lo, hi)
	}
	n.rows, n.space = hi-lo, nil
	n.whose = t.whose.each(func(of []int32) []int32 { return of[lo:hi:hi] })
	if t.ids != nil {
		n.ids = t.ids[lo:hi:hi]
	} else {
		n.first = t.first + RecordID(lo)
	}
	return &n
}

// Gather returns the given rows, in that order, with their identities. It copies values, onto the heap.
func (t *Table) Gather(rows []int) *Table {
	n := *t
	n.rows, n.space = len(rows), nil
	n.cols = slices.Clone(t.cols)
	for j := range n.cols {
		n.cols[j] = n.cols[j].Gather(rows)
	}
	n.ids = make([]RecordID, len(rows))
	for k, i := range rows {
		n.ids[k] = t.ID(i)
	}
	n.whose = t.whose.gather(rows)
	return &n
}

// Concat returns the records of all tables, in order, with their identities. All must have the same attributes. Whose
// the records are is told where all tables tell it, which then number the same people.
func Concat(parts ...*Table) (*Table, error) {
	if len(parts) == 0 {
		return nil, errors.New("nothing to concatenate")
	}
	n := *parts[0]
	n.cols = slices.Clone(n.cols)
	n.rows, n.space = 0, nil
	n.ids = nil
	for _, p := range parts {
		if p.Width() != len(n.cols) {
			return nil, errors.New("tables to concatenate differ in width")
		}
		n.rows += p.rows
	}
	for j := range n.cols {
		cols := make([]Column, len(parts))
		for k, p := range parts {
			cols[k] = p.cols[j]
		}
		var err error
		if n.cols[j], err = Chain(cols...); err != nil {
			return nil, fmt.Errorf("tables to concatenate differ in column %q", parts[0].cols[j].Name)
		}
	}
	n.ids = make([]RecordID, 0, n.rows)
	for _, p := range parts {
		for i := range p.rows {
			n.ids = append(n.ids, p.ID(i))
		}
	}
	n.whose = levels{}
	for k := range n.whose {
		if slices.ContainsFunc(parts, func(p *Table) bool { return p.whose[k] == nil }) {
			continue
		}
		for _, p := range parts {
			n.whose[k] = append(n.whose[k], p.whose[k]...)
		}
	}
	return &n, nil
}
