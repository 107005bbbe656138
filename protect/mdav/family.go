// Package mdav holds multivariate microaggregation by the maximum distance to the average vector: similar records form
// groups of k, and their values become those of the middle of the group. MDAV makes groups of k, V-MDAV of k and more,
// where more records lie close.
package mdav

import "github.com/dither-data/dither/protect"

// Methods are the catalogue entries.
var Methods = []protect.Method{MDAV, VMDAV}
