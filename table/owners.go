package table

import "slices"

// A table may tell whose its records are, at two levels: which are one person's, and which are of one household, or of
// any other group of people such as a school class. A record of which one level says nothing is a unit of its own at
// it.

// levels is whose records are, by row, at each level; nil where every record is a unit of its own. Slices are shared
// and never written.
type levels [2][]int32

const persons, households = 0, 1

// each returns the levels with every one that is told turned into another.
func (l levels) each(turn func(of []int32) []int32) levels {
	for k, of := range l {
		if of != nil {
			l[k] = turn(of)
		}
	}
	return l
}

// gather is the part of some rows.
func (l levels) gather(rows []int) levels {
	return l.each(func(of []int32) []int32 {
		out := make([]int32, len(rows))
		for k, i := range rows {
			out[k] = of[i]
		}
		return out
	})
}

// Owned returns the table with whose its records are, by row: records of one person have one number, from 0. Nil says
// that every record is a person's. It goes with the records wherever they go, so that who has no column that tells
// persons apart, which never reaches a technique, counts people all the same.
func (t *Table) Owned(whose []int32) *Table { return t.told(persons, whose) }

// Housed is Owned for households; the table tells whose its records are as before.
func (t *Table) Housed(home []int32) *Table { return t.told(households, home) }

func (t *Table) told(level int, of []int32) *Table {
	if of != nil && len(of) != t.rows {
		panic("table: owners for another table")
	}
	n := *t
	n.whose[level] = of
	return &n
}

// Owners returns by row whose the record is, numbered as in the table that told it: of a part of that table some
// numbers are absent. It is nil where every record is a person's. It is shared and must not be written.
func (t *Table) Owners() []int32 { return t.whose[persons] }

// Households returns by row which household the record is of, as Owners does.
func (t *Table) Households() []int32 { return t.whose[households] }

// People returns by row which unit the record is of, numbered from 0 as they come, and how many units there are: people
// or, where households are told, these, since who knows one member knows what all have in common. Of is nil where every
// record is a unit of its own. Cost: O(n) where it is not.
func (t *Table) People() (of []int32, n int) {
	return Units(t.rows, t.whose[persons], t.whose[households])
}

// Units returns by row the unit that the record is of, numbered from 0 as they come, and how many units of so many rows
// there are: records of one person are of one unit, and so are those of one household. A person who is in two
// households, such as one who moved, makes one unit of them. Either may be nil, where every record is its own; of is
// nil where every unit has one record. Cost: O(n).
func Units(rows int, person, household []int32) (of []int32, n int) {
	switch {
	case household == nil:
		of, n = inTurn(person)
	case person == nil:
		of, n = inTurn(household)
	default:
		of, n = inTurn(joined(person, household))
	}
	if of == nil || n == rows {
		return nil, rows
	}
	return of, n
}

// Numbering numbers units from 0 as they come. Units of small numbers are looked up in a slice, which is much faster
// than a map.
type Numbering struct {
	N     int32           // units so far
	small []int32         // by unit: one more than its number, 0 where it has not come
	large map[int32]int32 // the same for the other units
}

// NumberingOf returns a numbering for the units of so many rows.
func NumberingOf(rows int) *Numbering {
	return &Numbering{small: make([]int32, 2*rows), large: map[int32]int32{}}
}

// Of returns the number of a unit.
func (n *Numbering) Of(unit int32) int32 {
	if unit >= 0 && int(unit) < len(n.small) {
		if n.small[unit] == 0 {
			n.N++
			n.small[unit] = n.N
		}
		return n.small[unit] - 1
	}
	k, known := n.large[unit]
	if !known {
		k = n.Another()
		n.large[unit] = k
	}
	return k
}

// Another returns the number of a unit that does not come again.
func (n *Numbering) Another() int32 {
	n.N++
	return n.N - 1
}

// inTurn numbers units from 0 as they come.
func inTurn(by []int32) (of []int32, n int) {
	if by == nil {
		return nil, 0
	}
	number := NumberingOf(len(by))
	of = make([]int32, len(by))
	for i, p := range by {
		of[i] = number.Of(p)
	}
	return of, int(number.N)
}

// joined returns by row the number of the household, those that a person links having one.
func joined(person, household []int32) []int32 {
	home, n := inTurn(household)
	up := make([]int32, n) // a household linked to this one; itself at the root
	for h := range up {
		up[h] = int32(h)
	}
	root := func(h int32) int32 {
		for up[h] != h {
			up[h] = up[up[h]]
			h = up[h]
		}
		return h
	}
	own, people := inTurn(person)
	first := make([]int32, 0, people) // household of everybody, who are numbered as they come
	for i, p := range own {
		if int(p) < len(first) {
			up[root(home[i])] = root(first[p])
		} else {
			first = append(first, home[i])
		}
	}
	for i, h := range home {
		home[i] = root(h)
	}
	return home
}

// Level is the largest unit whose records all have one value of a column.
type Level int

// The levels.
const (
	OfRecord Level = iota
	OfPerson
	OfHousehold
)

// seldom is the share of the units that may have several values of a column that is one for the unit: typing errors,
// somebody who moved.
const seldom = 0.01

// Units returns by row the unit of a level, as the table tells it; nil where every record is one of its own.
func (t *Table) Units(l Level) []int32 {
	if l == OfRecord {
		return nil
	}
	return t.whose[l-1]
}

// LevelOf returns the largest unit that a column is constant in, missing values aside: of those with several known
// values at most one in a hundred has different ones. Cost: O(n).
func (t *Table) LevelOf(j int) Level {
	for l := OfHousehold; l > OfRecord; l-- {
		if of := t.Units(l); of != nil && constant(&t.cols[j], of) {
			return l
		}
	}
	return OfRecord
}

func constant(c *Column, of []int32) bool {
	type seen struct {
		row          int32 // one more than that of the first value
		more, differ bool
	}
	first := make([]seen, 1+slices.Max(of))
	several, differ := 0, 0
	for i, u := range of {
		if c.MissingAt(i) {
			continue
		}
		s := &first[u]
		if s.row == 0 {
			s.row = int32(i) + 1
			continue
		}
		if !s.more {
			s.more = true
			several++
		}
		if !s.differ && !c.Same(int(s.row)-1, c, i) {
			s.differ = true
			differ++
		}
	}
	return several > 0 && float64(differ) <= seldom*float64(several)
}
