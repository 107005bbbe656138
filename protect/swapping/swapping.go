// Package swapping holds data swapping: values change places between records, so that every attribute keeps exactly the
// values that it has. The entries differ in which values may change places: those with similar ranks (Rank), those of
// rare records and of similar records elsewhere (Record), and those for which the counts of combinations of values stay
// (Data). Approximate draws new records in place of swapping, so that these counts stay nearly.
package swapping

import "github.com/dither-data/dither/protect"

// Methods are the catalogue entries.
var Methods = []protect.Method{Rank, Record, Data, Approximate}
