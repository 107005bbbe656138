// Package attributedisclosure holds the measures of what an intruder infers of a secret without finding a record: from
// the nearest records (AttributeInference), from those with the same key (cap, tcap, disco), and from what holds
// between columns (ImpliedValues).
package attributedisclosure

import (
	"slices"

	"github.com/dither-data/dither/measure"
)

// Measures are the catalogue entries.
var Measures = slices.Concat([]measure.Measure{AttributeInference, ImpliedValues}, attributionMeasures)
