// Package syntheticrisk holds the measures of risk that need no pairs of records, so that they judge synthetic tables,
// too: whether a person is in the file (Membership, Shadow), whose rows are in the release (ReplicatedUniques), how
// near released records come (dcr, nndr), and the attacks of singling out, linkability and inference.
package syntheticrisk

import (
	"slices"

	"github.com/dither-data/dither/measure"
)

// Measures are the catalogue entries.
var Measures = slices.Concat([]measure.Measure{Membership, Shadow, ReplicatedUniques}, closenessMeasures,
	anonymeterMeasures)
