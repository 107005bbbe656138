package mine

import (
	"github.com/dither-data/dither/internal/mining/disclosure"
	"github.com/dither-data/dither/table"
)

// Telling is a model that says what it tells of the records that it was learned of, so that it can be judged before it
// is handed out in the place of the table. Trees and forests say so by themselves.
type Telling interface {
	// Tells returns what the model says. T is the table that it was learned of.
	Tells(t *table.Table) Told
	// Public returns the model without what it holds by record, with these attributes in the place of its own.
	Public(attrs []table.Attribute) Model
}

// Told is what a model tells.
type Told struct {
	Counts []disclosure.Counts
	// Named are numbers of a column that the model names, such as limits of bins.
	Named []NamedNumber
	// Records says that the model holds records of the table as they are.
	Records bool
}

// NamedNumber is a number of a column, by its place in the table.
type NamedNumber struct {
	Column int
	Number float64
}
