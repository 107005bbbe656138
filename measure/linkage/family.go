// Package linkage holds the measures of record linkage: how many people an intruder links to their own released record
// by comparing what is known with what is released (Linkage), by missing values alone (GapLinkage), by the order of the
// records (RowOrder), with the plan (LeakedPlan), over several records of a person (RepeatedRecords), and over earlier
// releases (EarlierRelease).
package linkage

import "github.com/dither-data/dither/measure"

// Measures are the catalogue entries.
var Measures = []measure.Measure{EarlierRelease, GapLinkage, LeakedPlan, Linkage, RepeatedRecords, RowOrder}
