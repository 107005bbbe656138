package noiseremoval

import "github.com/dither-data/dither/measure"

// Measures are the catalogue entries.
var Measures = []measure.Measure{BEDR, PCADR, Spectral}
