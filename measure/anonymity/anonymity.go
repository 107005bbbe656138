// Package anonymity holds the measures of classes, the released records that look alike to an intruder: how many they
// are (k-anonymity), how many values of a secret they leave open (l-diversity), and how far the secret of a class is
// from that of the whole release (t-closeness).
package anonymity

import "github.com/dither-data/dither/measure"

// Measures are the catalogue entries.
var Measures = []measure.Measure{KAnonymity, LDiversity, TCloseness}
