package noisemodel

import "github.com/dither-data/dither/table"

// Recoder is a mechanism that generalises: the release says intervals in place of numbers and groups in place of
// categories, so that attributes have another kind and other labels than in the original.
//
// Measures then see two tables of one schema, the recoded original and the release, and need to know nothing of
// intervals; an intruder who knows exact values recodes them too. The exact original stays beside it
// (measure.Release.Exact) for the measures of what generalising costs.
type Recoder interface {
	Mechanism
	// Recode returns records in the schema of the release: every value as general as the mechanism makes it, nothing
	// suppressed. It is what somebody who knows a record's true values makes of them to look it up in the release. The
	// table conforms to Schema; the labels of the result are the same for every table, and those of the release.
	Recode(t *table.Table) (*table.Table, error)
}

// Raised is a mechanism that raises whole columns in their hierarchies: it knows the level of column j of its schema,
// and the height of its hierarchy.
type Raised interface {
	Mechanism
	Generalised(j int) (level, height int, ok bool)
}

// Spanned is a mechanism that knows how much of column j of its schema every label of the release covers, in [0, 1], on
// whichever level.
type Spanned interface {
	Mechanism
	Spans(j int) (spans []float64, ok bool)
}
