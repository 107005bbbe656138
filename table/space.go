package table

import "github.com/dither-data/dither/internal/system/mmap"

// In returns the table in a space: columns as long as it that are made of it are made there. Those that it has stay
// where they are. A copy of some of its records (Gather), and what is made of a part (Slice), is on the heap.
func (t *Table) In(s *mmap.Space) *Table {
	n := *t
	n.space = s
	return &n
}

// Space returns where columns as long as the table are made; nil is the heap.
func (t *Table) Space() *mmap.Space { return t.space }

// Room returns a column of the table's length to be filled before it is part of a table: numbers and codes are 0. Sets
// have no such column.
func (t *Table) Room(a Attribute) Column {
	c := Column{Attribute: a}
	switch a.Kind {
	case Numeric:
		c.Num = mmap.Make[float64](t.space, t.rows)
	case Categorical:
		c.Cat = mmap.Make[int32](t.space, t.rows)
	case SetValued:
	}
	return c
}

// Identified returns the table with other identities of its records, one for each row.
func (t *Table) Identified(ids []RecordID) *Table {
	if len(ids) != t.rows {
		panic("table: identities for another table")
	}
	n := *t
	n.ids = ids
	return &n
}

// From returns the table with consecutive identities of its records, the first of which is told: what is read of a
// source in parts has the identities of the whole.
func (t *Table) From(first RecordID) *Table {
	n := *t
	n.ids, n.first = nil, first
	return &n
}

// Astray returns the columns that are not in the table's space.
func (t *Table) Astray() (names []string) {
	for j := range t.cols {
		if t.space != nil && !t.cols[j].in(t.space) {
			names = append(names, t.cols[j].Name)
		}
	}
	return names
}

// in reports whether a space holds the values of a column.
func (c *Column) in(s *mmap.Space) bool {
	here := mmap.Holds(s, c.Num) && mmap.Holds(s, c.Cat)
	if c.Sets != nil {
		here = here && c.Sets.Present.in(s) && c.Sets.Unknown.in(s) && mmap.Holds(s, c.Sets.Missing)
	}
	return here
}

func (l *Lists) in(s *mmap.Space) bool { return mmap.Holds(s, l.Start) && mmap.Holds(s, l.Codes) }
