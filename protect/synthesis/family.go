// Package synthesis holds techniques that draw new records from a model of the table without a guarantee of
// differential privacy: from trees on the columns before (CART), from a normal copula (Copula), and column by column
// inside the segments of a decision tree or forest (Segment).
package synthesis

import "github.com/dither-data/dither/protect"

// Methods are the catalogue entries.
var Methods = []protect.Method{CART, Copula, Segment}
