package study

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// unitsOf returns by row whose the record is, numbered from 0, by the column with the role Person or Household; nil
// where there is none, or every unit has one record.
func unitsOf(t *table.Table, role table.Role) []int32 {
	j := t.WithRole(role)
	if j < 0 {
		return nil
	}
	of := numbered(t, []string{t.Attr(j).Name})
	own := int32(len(of)) // of a record that names nobody: numbers that nobody else has
	for i, p := range of {
		if p < 0 {
			of[i] = own
			own++
		}
	}
	of, _ = table.Units(len(of), of, nil)
	return of
}

// whose returns a table with whose its records are, by the columns of another one of the same records, or by their
// identities where that has no column with the role Person.
func whose(t, of *table.Table, persons map[table.RecordID]int32) *table.Table {
	switch {
	case of.WithRole(table.Person) >= 0:
		t = t.Owned(unitsOf(of, table.Person))
	case persons != nil:
		t = t.Owned(OwnersOf(of, persons))
	}
	if of.WithRole(table.Household) >= 0 {
		t = t.Housed(unitsOf(of, table.Household))
	}
	return t
}

// OwnersOf returns by row of a table whose the record is, numbered from 0, by the identities of the records, as Persons
// tells them; nil where they are not told, or everybody has one record.
func OwnersOf(t *table.Table, persons map[table.RecordID]int32) []int32 {
	if persons == nil {
		return nil
	}
	const by = "person"
	of, _ := (&measure.Release{Original: t,
		Owners: measure.Owners{Persons: map[string]map[table.RecordID]int32{by: persons}, Person: by}}).People()
	return of
}

// Told tells an outcome whose the records of its original are, as a release of them tells it.
func (o *Outcome) Told(r *measure.Release) {
	o.People = OwnersOf(o.Original, r.Persons[r.Person])
	o.Homes = OwnersOf(o.Original, r.Persons[r.Household])
	o.speak(measure.Words(r.Level()))
	for _, b := range r.Besides {
		if of := OwnersOf(o.Original, r.Persons[b.By]); b.Keyed && of != nil {
			o.Besides = append(o.Besides, Owned{of, b.Columns})
		}
	}
}
