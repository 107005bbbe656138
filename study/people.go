package study

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// personsOf returns by row whose the record is, numbered from 0, by the column with the role Person; nil where there is none, or everybody has one record.
func personsOf(t *table.Table) []int32 {
	j := t.WithRole(table.Person)
	if j < 0 {
		return nil
	}
	name := t.Attr(j).Name
	of, _ := (&measure.Release{Original: t, Persons: Persons(t, []string{name}), Person: name}).People()
	return of
}
