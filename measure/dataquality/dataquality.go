// Package dataquality measures what a release is still good for by the accuracy, the completeness and the consistency
// of its values (Nai Fovino & Masera 2008): purpose by purpose, of the values that matter to it (IQM), and record by
// record (Tuples); and by the relations between columns that released records break (ConstraintViolations).
package dataquality

import "github.com/dither-data/dither/measure"

// Measures are the catalogue entries.
var Measures = []measure.Measure{IQM, Tuples, ConstraintViolations}
