package protect

import (
	"strconv"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/table"
)

// Crowd says how many people a table is of, for a refusal: "3 records" or, where it is told whose they are, "3 records of 2 people".
func Crowd(t *table.Table) string {
	records := numeral.Counted(t.Rows(), "record")
	if of, n := t.People(); of != nil {
		return records + " of " + numeral.Count(float64(n)) + " " + numeral.Unit(strconv.Itoa(n), "people")
	}
	return records
}

// OfPeople is a plan that forms groups of the table it is applied to, and can tell that those of the table it was fitted to were of people, some of whom have several records. Applied to a
// table that does not tell whose its records are, it would count records, and promise less than it did.
type OfPeople interface{ OfPeople() bool }
