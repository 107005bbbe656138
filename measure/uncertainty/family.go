// Package uncertainty holds the measures of an intruder who weighs all released records: how uncertain it stays of
// which record is a given person's and of which class that person has, by the entropies of Islam 2007
// (Reidentification, ClassDisclosure) and both as a function of how much it knows (Knowledge), by the similarity of
// records (SERS), and how often what it believes is right (Lambert).
package uncertainty

import "github.com/dither-data/dither/measure"

// Measures are the catalogue entries.
var Measures = []measure.Measure{Reidentification, ClassDisclosure, Knowledge, SERS, Lambert}
