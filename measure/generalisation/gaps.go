package generalisation

import "github.com/dither-data/dither/measure"

// gaps is what a release that does not generalise leaves open: the share of the values that are missing and were not.
// All is lost where it is not known which record is whose. Cost: O(n) per column.
func gaps(r *measure.Release) float64 {
	of := r.OfThose()
	if r.Exact != nil || of.Original.Rows() != of.Released.Rows() {
		return 1
	}
	there, gone := 0, 0
	for j := range of.Original.Width() {
		for i := range of.Original.Rows() {
			if of.Original.MissingAt(i, j) {
				continue
			}
			there++
			if of.Released.MissingAt(i, j) {
				gone++
			}
		}
	}
	if there == 0 {
		return 0
	}
	return float64(gone) / float64(there)
}
