package study

import (
	"github.com/dither-data/dither/internal/stats/folds"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// owners is whose the records of a data set are: by the columns with the roles Person and Household, whose names are
// empty where there is none.
type owners struct {
	person, household string
	persons           map[string]map[table.RecordID]int32 // as measure.Release.Persons
}

func ownersOf(t *table.Table) (c owners) {
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
	return c
}

// told tells a release of records of the data set whose they are.
func (c *owners) told(r *measure.Release) *measure.Release {
	r.Persons, r.Person, r.Household = c.persons, c.person, c.household
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
