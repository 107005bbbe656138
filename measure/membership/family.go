// Package membership measures whether an intruder can tell that a person is in the file: by how near a released record
// lies to the person's, or which of the person's exact values stand in the release (Membership), and by what the
// technique makes of halves with and without the person (Shadow).
package membership

import "github.com/dither-data/dither/measure"

// Measures are the catalogue entries.
var Measures = []measure.Measure{Membership, Shadow}
