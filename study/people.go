package study

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// personsOf returns by row whose the record is, numbered from 0, by the column with the role Person; nil where there is
// none, or everybody has one record.
func personsOf(t *table.Table) []int32 {
	j := t.WithRole(table.Person)
	if j < 0 {
		return nil
	}
	name := t.Attr(j).Name
	return OwnersOf(t, Persons(t, []string{name})[name])
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
