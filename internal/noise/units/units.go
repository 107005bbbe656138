// Package units says of whom a promise of differential privacy is: of a record, or of a person or a household with all
// that is theirs, as far as it takes part. Whom it protects is declared. It must not follow from the records: whether
// anybody has several of them is about somebody.
package units

import (
	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// Whom a promise may be of.
const (
	Told      = "told" // household or person, where the table tells whose its records are, else record
	Record    = "record"
	Person    = "person"
	Household = "household"
)

// Name is the name of the parameter that Param declares.
const Name = "unit"

// Param declares whom a promise is of.
func Param(p *string) param.Param {
	return param.Choice(p, Name, Told, []string{Told, Record, Person, Household}, "whom the promise is of: one record, "+
		"person or household more or less; told: whom the table tells the records of, as roles declare it")
}

// RecordsParam declares with how many records a unit takes part.
func RecordsParam(p *int) param.Param {
	return param.Int(p, "records", 1, 1, 10_000, "records", "records of a person, or household, that take part, drawn at "+
		"random; noise grows with them")
}

// Of returns whom the promise of a choice is of: a person or a household takes part with so many records at most.
func Of(choice string, t *table.Table, records int) budget.Unit {
	if choice == Told {
		choice = Record
		if t.Households() != nil {
			choice = Household
		} else if t.Owners() != nil {
			choice = Person
		}
	}
	if choice == Record {
		records = 1
	}
	return budget.Unit{Of: choice, Records: records}
}

// Members returns by row the unit that a record is of, numbered from 0 as they come, and how many units there are; of
// is nil where every record is a unit of its own. Cost: O(n) where it is not.
func Members(u budget.Unit, t *table.Table) (of []int32, n int) {
	switch u.Of {
	case Household:
		return t.People() // of one who is in two households all records are together
	case Person:
		return table.Units(t.Rows(), t.Owners(), nil)
	}
	return nil, t.Rows()
}
