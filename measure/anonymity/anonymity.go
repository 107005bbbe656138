// Package anonymity holds the measures of classes, the released records that look alike to an intruder: how many they
// are (k-anonymity), how many values of a secret they leave open (l-diversity), how far the secret of a class is from
// that of the whole release (t-closeness), and how common a value of it may be there (ofShares). Beside them stand who
// is alone in what is known (Uniqueness), or in a small part of it (SUDA), and classes of sets of items (KMAnonymity).
package anonymity

import "github.com/dither-data/dither/measure"

// Measures are the catalogue entries.
var Measures = append([]measure.Measure{
	KAnonymity, LDiversity, TCloseness, KMAnonymity, Uniqueness, SUDA,
}, shareMeasures()...)

// shareMeasures are the entries of the models of shares.
func shareMeasures() (out []measure.Measure) {
	for k := range ofShares {
		out = append(out, ofShares[k].entry())
	}
	return out
}
