package law

import "github.com/dither-data/dither/table"

// Recoder is a mechanism that generalises: it brings records into the schema of the release, every value as general as there, nothing suppressed. The
// table conforms to Schema; the labels of the result are the same for every table.
type Recoder interface {
	Mechanism
	Recode(t *table.Table) (*table.Table, error)
}

// Raised is a mechanism that raises whole columns in their hierarchies: it knows the level of column j of its schema, and the height of its hierarchy.
type Raised interface {
	Mechanism
	Generalised(j int) (level, height int, ok bool)
}

// Spanned is a mechanism that knows how much of column j of its schema every label of the release covers, in [0, 1], on whichever level.
type Spanned interface {
	Mechanism
	Spans(j int) (spans []float64, ok bool)
}
