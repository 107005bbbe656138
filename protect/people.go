package protect

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/table"
)

// CountedPeople says how many people a table is of, for a refusal: "3 records" or, where it is told whose they are, "3
// records of 2 people", or of 2 households.
func CountedPeople(t *table.Table) string {
	records := numfmt.Counted(t.Rows(), "record")
	switch of, n := t.People(); {
	case of == nil:
	case t.Households() != nil:
		return records + " of " + numfmt.Counted(n, "household")
	default:
		return records + " of " + numfmt.Counted(n, "person")
	}
	return records
}

// Few is the refusal of a column whose known values are of fewer than k people: as many as the values, where every
// record is a person's.
func Few(a *table.Attribute, known, people, k int) error {
	return fmt.Errorf("column %q has %s, fewer than k = %d; leave it out (except), or lower k", a.Name,
		Known(known, people), k)
}

// Known counts known values, and whose they are where that tells more.
func Known(values, people int) string {
	if people < values {
		return numfmt.Counted(values, "known value") + " of " + numfmt.Counted(people, "person")
	}
	return numfmt.Counted(values, "known value")
}

// OfPeople is a plan that forms groups of the table it is applied to, and can tell that those of the table it was
// fitted to were of people, some of whom have several records. Applied to a table that does not tell whose its records
// are, it would count records, and promise less than it did.
type OfPeople interface{ OfPeople() bool }

// CountsPeople reports whether groups of a plan, or of one inside it, were of people (OfPeople).
func CountsPeople(p Plan) bool {
	if c, ok := p.(OfPeople); ok && c.OfPeople() {
		return true
	}
	switch w := p.(type) {
	case Composite:
		return slices.ContainsFunc(w.Steps(), CountsPeople)
	case Wrapper:
		return slices.ContainsFunc(w.Inner(), CountsPeople)
	}
	return false
}

// Counted is the part of a plan that says in what its groups were counted where it was fitted.
type Counted struct {
	People bool `json:"people,omitempty"` // some people had several records, so that groups are of people
}

// CountedIn returns what groups of a table's records are counted in.
func CountedIn(t *table.Table) Counted {
	of, _ := t.People()
	return Counted{of != nil}
}

// OfPeople reports whether groups were of people, some of whom have several records.
func (c Counted) OfPeople() bool { return c.People }

// Of counts what groups are of: 3 records, or 3 people.
func (c Counted) Of(n int) string {
	if c.People {
		return numfmt.Counted(n, "person")
	}
	return numfmt.Counted(n, "record")
}
