package table

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

// inTurn numbers units from 0 as they come.
func inTurn(by []int32) (of []int32, n int) {
	if by == nil {
		return nil, 0
	}
	of, number := make([]int32, len(by)), map[int32]int32{}
	for i, p := range by {
		k, known := number[p]
		if !known {
			k = int32(len(number))
			number[p] = k
		}
		of[i] = k
	}
	return of, len(number)
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
	first := map[int32]int32{} // household of everybody
	for i, p := range person {
		if h, known := first[p]; known {
			up[root(home[i])] = root(h)
		} else {
			first[p] = home[i]
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
		row          int
		more, differ bool
	}
	first := map[int32]*seen{}
	several, differ := 0, 0
	for i, u := range of {
		if c.MissingAt(i) {
			continue
		}
		s := first[u]
		if s == nil {
			first[u] = &seen{row: i}
			continue
		}
		if !s.more {
			s.more = true
			several++
		}
		if !s.differ && !c.Same(s.row, c, i) {
			s.differ = true
			differ++
		}
	}
	return several > 0 && float64(differ) <= seldom*float64(several)
}
