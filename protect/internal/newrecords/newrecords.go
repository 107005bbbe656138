// Package newrecords draws the records of a release that stand for nobody: what techniques that synthesise have in
// common, whatever their model is.
//
// Where every record is a person's, all columns of a record are drawn at once. Where people have several, a person is
// drawn first: how many records, and what is one for the person; then the records in order, each given what is one for
// the person and the record before. A model sees that as columns of a wider table (Units.Widen): the number of records,
// and for each column that varies its value in the record before, missing in the first. A number that never falls from
// one record of a person to the next is put in order.
//
// Records that are to be like something (protect.LikeParam) are drawn again until they are, which is exact for the
// model.
package newrecords

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Units says how people, or households, of several records are drawn.
type Units struct {
	Household bool    `json:"household,omitempty"` // they are households
	Varies    []int   `json:"varies"`              // positions of the columns that are not one for a unit
	Ascends   []int   `json:"ascends,omitempty"`   // of numbers among these that never fall from a record to the next
	Most      int     `json:"most"`                // records of a unit
	Mean      float64 `json:"mean"`                // records of a unit
}

// UnitsOf returns how the units of a table are drawn; nil where every record is a unit of its own. Columns that are
// neither numbers nor categories are left out. Cost: O(n) per column.
func UnitsOf(t *table.Table) *Units {
	of, n := t.People()
	if of == nil {
		return nil
	}
	u := &Units{Household: t.Households() != nil, Mean: float64(t.Rows()) / float64(n)}
	level := table.OfPerson
	if u.Household {
		level = table.OfHousehold
	}
	rows := inOrder(t, of, n)
	for _, own := range rows {
		u.Most = max(u.Most, len(own))
	}
	for j := range t.Width() {
		if !t.Attr(j).Kind.Scalar() || t.LevelOf(j) >= level {
			continue
		}
		u.Varies = append(u.Varies, j)
		if t.Attr(j).Kind == table.Numeric && ascends(t.Num(j), rows) {
			u.Ascends = append(u.Ascends, j)
		}
	}
	return u
}

// inOrder returns the rows of each unit by their identities.
func inOrder(t *table.Table, of []int32, n int) [][]int {
	out := make([][]int, n)
	for i, unit := range of {
		out[unit] = append(out[unit], i)
	}
	for _, rows := range out {
		slices.SortFunc(rows, func(a, b int) int { return int(int64(t.ID(a)) - int64(t.ID(b))) })
	}
	return out
}

func ascends(v []float64, units [][]int) bool {
	rises := false
	for _, rows := range units {
		last := math.Inf(-1)
		for _, i := range rows {
			if v[i] < last {
				return false
			}
			if v[i] == v[i] {
				rises = rises || v[i] > last && last > math.Inf(-1)
				last = v[i]
			}
		}
	}
	return rises
}

// Wide returns the attributes of the wider table: those of the schema, the number of records, then each that varies as
// it was in the record before. Of nil it is the schema.
func (u *Units) Wide(schema []table.Attribute) []table.Attribute {
	if u == nil {
		return schema
	}
	out := append(slices.Clip(schema), table.Attribute{
		Name: "\x00records", Kind: table.Numeric, Step: 1, Domain: table.Interval{Lo: 1, Hi: float64(max(u.Most, 1))},
	})
	for _, j := range u.Varies {
		a := schema[j]
		a.Name = "\x00before " + a.Name
		out = append(out, a)
	}
	return out
}

// Records returns the position of the number of records in the wider table.
func (u *Units) Records(schema []table.Attribute) int { return len(schema) }

// Level reports whether a column of the wider table is one for a unit; those of the record before are not.
func (u *Units) Level(schema []table.Attribute, j int) bool {
	return u != nil && j <= len(schema) && !slices.Contains(u.Varies, j)
}

// Before returns which column of the schema a column of the wider table is of the record before; -1 for none.
func (u *Units) Before(schema []table.Attribute, j int) int {
	if u == nil || j <= len(schema) {
		return -1
	}
	return u.Varies[j-len(schema)-1]
}

// Widen returns the wider table, with the same records, and by row whether it is the first of its unit. Of nil it is
// the table, whose records are all first.
func (u *Units) Widen(t *table.Table) (wide *table.Table, first []bool, err error) {
	first = make([]bool, t.Rows())
	if u == nil {
		for i := range first {
			first[i] = true
		}
		return t, first, nil
	}
	of, n := t.People()
	if of == nil { // a sample in which everybody has one
		of, n = make([]int32, t.Rows()), t.Rows()
		for i := range of {
			of[i] = int32(i)
		}
	}
	attrs := u.Wide(t.Attrs())
	empty, err := protect.BlankRecords(attrs[t.Width():], t.Rows())
	if err != nil {
		return nil, nil, err
	}
	more := empty.Columns()
	for _, rows := range inOrder(t, of, n) {
		for k, i := range rows {
			more[0].Num[i] = float64(min(len(rows), u.Most))
			if first[i] = k == 0; first[i] {
				continue
			}
			for c, j := range u.Varies {
				if was := t.Column(j); was.Kind == table.Numeric {
					more[1+c].Num[i] = was.Num[rows[k-1]]
				} else {
					more[1+c].Cat[i] = was.Cat[rows[k-1]]
				}
			}
		}
	}
	wide, err = t.WithColumns(append(t.Columns(), more...))
	return wide, first, err
}

// Slots are records, or units, in the making.
type Slots struct {
	Keys []table.RecordID // what their draws are keyed by
	Cols []table.Column   // of the wider table; what is not drawn yet is missing
}

// Stage is what is drawn at a time.
type Stage int

// The stages. Each has a part for the columns that conditions are on, which is drawn again until they hold.
const (
	Whole   Stage = iota // records of which each is a unit of its own
	OfUnit               // the number of records, and what is one for a unit
	OfUnits              // the next record of every unit
)

// Drawer is a fitted model.
type Drawer interface {
	// Draw draws columns of a stage: those that conditions are on, and what has to come before them, or the others. Draws
	// depend on the source and the keys alone, not on what other slots there are.
	Draw(s *Slots, stage Stage, conditioned bool, src rng.Source)
}

// Law is what records are drawn by.
type Law struct {
	Schema []table.Attribute
	Units  *Units // nil where every record is a unit of its own
	Rows   int    // of a release
	Like   protect.Conditions
	Drawer Drawer
}

// attempts is how often a record is drawn until it is like what is asked for.
const attempts = 20_000

var errRare = errors.New("no record that is like what was asked for could be drawn: too few people are")

// stage draws a stage of slots.
func (l *Law) stage(s *Slots, stage Stage, src rng.Source) error {
	l.Drawer.Draw(s, stage, true, src)
	if len(l.Like) > 0 {
		pending := l.unlike(s, stage)
		for a := 1; len(pending) > 0; a++ {
			if a == attempts {
				return errRare
			}
			some := s.gather(pending)
			l.Drawer.Draw(some, stage, true, src.Fork(fmt.Sprint("again ", a)))
			var still []int
			fails := l.unlike(some, stage)
			for k, i := range pending {
				if len(fails) > 0 && fails[0] == k {
					still, fails = append(still, i), fails[1:]
					continue
				}
				s.take(i, some, k)
			}
			pending = still
		}
	}
	l.Drawer.Draw(s, stage, false, src)
	return nil
}

// unlike returns the slots that do not meet the conditions on columns of a stage, ascending.
func (l *Law) unlike(s *Slots, stage Stage) (out []int) {
	for i := range s.Keys {
		for j := range l.Schema {
			c := &s.Cols[j]
			if !l.Like.On(c.Name) || stage != Whole && l.Units.Level(l.Schema, j) != (stage == OfUnit) {
				continue
			}
			v := math.NaN()
			if c.Kind == table.Numeric {
				v = c.Num[i]
			} else if c.Cat[i] >= 0 {
				v = float64(c.Cat[i])
			}
			if !(v == v && l.Like.Holds(&c.Attribute, v)) {
				out = append(out, i)
				break
			}
		}
	}
	return out
}

func (s *Slots) gather(rows []int) *Slots {
	out := &Slots{Cols: make([]table.Column, len(s.Cols))}
	for _, i := range rows {
		out.Keys = append(out.Keys, s.Keys[i])
	}
	for j := range s.Cols {
		out.Cols[j] = s.Cols[j].Gather(rows)
	}
	return out
}

// take copies slot k of others to slot i.
func (s *Slots) take(i int, from *Slots, k int) {
	for j := range s.Cols {
		if s.Cols[j].Kind == table.Numeric {
			s.Cols[j].Num[i] = from.Cols[j].Num[k]
		} else if s.Cols[j].Kind == table.Categorical {
			s.Cols[j].Cat[i] = from.Cols[j].Cat[k]
		}
	}
}

// slots returns so many with nothing drawn.
func (l *Law) slots(keys []table.RecordID) (*Slots, error) {
	t, err := protect.BlankRecords(l.Units.Wide(l.Schema), len(keys))
	if err != nil {
		return nil, err
	}
	return &Slots{Keys: keys, Cols: t.Columns()}, nil
}
