// Package gadp holds General Additive Data Perturbation and its descendants, by Muralidhar, Sarathy and Parsa: the
// confidential numbers of a record are drawn anew, given its other attributes, so that what they are in the mean and
// how they depend on each other and on the others stays. GADP draws from the normal distribution of the columns, EGADP
// so that means and covariances of the table are exact, C-GADP by ranks, so that each column keeps its own
// distribution, and data shuffling hands out the original values in the order of what C-GADP draws.
package gadp

import "github.com/dither-data/dither/protect"

// Methods are the catalogue entries.
var Methods = []protect.Method{GADP, CGADP, EGADP, Shuffle}
