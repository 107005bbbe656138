package informationloss

import "github.com/dither-data/dither/measure"

// gaps is what a release that does not generalise leaves open: the share of the values that are missing and were not.
// Where it is not known which record is whose, that is by how much more of a column is missing than was. Cost: O(n) per
// column.
func gaps(r *measure.Release) float64 {
	if r.Exact != nil {
		return 1
	}
	of := r.OfThose()
	n, m := of.Original.Rows(), of.Released.Rows()
	known, there, gone := 0, 0, 0
	for j := range of.Original.Width() {
		was, is := 0, 0
		for i := range n {
			if !of.Original.MissingAt(i, j) {
				was++
			}
		}
		for i := range m {
			if !of.Released.MissingAt(i, j) && !(of.Paired && of.Original.MissingAt(i, j)) {
				is++
			}
		}
		known += was
		there += was * m
		gone += max(0, was*m-is*n)
	}
	switch {
	case known == 0:
		return 0
	case m == 0:
		return 1
	}
	return float64(gone) / float64(there)
}
