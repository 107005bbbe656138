// Package entropy measures how uncertain an intruder is by the entropies of Islam 2007: of which released record is a
// given person's (Reidentification), of which class the person has (ClassDisclosure), and of both as a function of how
// much the intruder knows (Knowledge).
package entropy

import "github.com/dither-data/dither/measure"

// Measures are the catalogue entries.
var Measures = []measure.Measure{Reidentification, ClassDisclosure, Knowledge}
