package study

import (
	"github.com/dither-data/dither/internal/stats/folds"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// owners is whose the records of a data set are: by the columns with the roles Person and Household, whose names are
// empty where there is none.
type owners struct {
	person, household string
	persons           map[string]map[table.RecordID]int32 // as measure.Release.Persons
	besides           []measure.Reading
}

// Where it may be read otherwise whose they are, that is told, too.
func ownersOf(t *table.Table, besides []profile.Reading) (c owners) {
	var by []string
	for _, r := range []struct {
		role table.Role
		name *string
	}{{table.Person, &c.person}, {table.Household, &c.household}} {
		if j := t.WithRole(r.role); j >= 0 {
			*r.name = t.Attr(j).Name
			by = append(by, *r.name)
		}
	}
	c.persons = Persons(t, by)
	c.besides = Besides(t, besides, c.persons)
	return c
}

// told tells a release of records of the data set whose they are.
func (c *owners) told(r *measure.Release) *measure.Release {
	r.Persons, r.Person, r.Household, r.Besides = c.persons, c.person, c.household, c.besides
	return r
}

// knownTo returns the intruder as one who can tell the records of a person, where it is not said by what.
func (c *owners) knownTo(i *intruder.Intruder) *intruder.Intruder {
	if i == nil || i.Person != "" || c.person == "" {
		return i
	}
	own := *i
	own.Person = c.person
	return &own
}

// deal deals records into folds, those of a person into one: a record of somebody whose other records are in the
// release is none of a hold-out.
func (c *owners) deal(t *table.Table, k int, src rng.Source) ([]int, error) {
	of := OwnersOf(t, c.persons[c.person])
	if of == nil {
		return folds.Deal(t, k, src)
	}
	var rows []int // the first of everybody, who are numbered as they come
	for i, p := range of {
		if int(p) == len(rows) {
			rows = append(rows, i)
		}
	}
	own, err := folds.Deal(t.Gather(rows), k, src)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(of))
	for i, p := range of {
		out[i] = own[p]
	}
	return out, nil
}

// Besides tells by the columns of readings whose records may be besides, among the persons that are told, and returns
// the readings by their names there. The table has the columns.
func Besides(
	t *table.Table,
	readings []profile.Reading,
	persons map[string]map[table.RecordID]int32,
) (out []measure.Reading) {
	for _, r := range readings {
		name := param.JoinNames(r.Columns)
		if len(r.Columns) > 0 && persons[name] == nil {
			persons[name] = PersonsBy(t, r.Columns)
		}
		if len(r.Same) > 0 {
			one := oneOf(persons[name], r.Same)
			name += "~" // a reading of its own, of the same columns
			persons[name] = one
		}
		out = append(out, measure.Reading{By: name, Columns: r.Columns, Says: r.Says, Keyed: r.Keyed})
	}
	return out
}

// oneOf tells persons apart as they are told, but for those that pairs of records say are one.
func oneOf(persons map[table.RecordID]int32, same [][2]table.RecordID) map[table.RecordID]int32 {
	if len(same) == 0 {
		return persons
	}
	is := map[int32]int32{}
	for _, s := range same {
		a, told := persons[s[0]]
		b, also := persons[s[1]]
		if told && also {
			is[a] = b
		}
	}
	of := func(p int32) int32 {
		for range is { // a slip of a slip, and no further
			next, more := is[p]
			if !more {
				break
			}
			p = next
		}
		return p
	}
	out := make(map[table.RecordID]int32, len(persons))
	for id, p := range persons {
		out[id] = of(p)
	}
	return out
}
